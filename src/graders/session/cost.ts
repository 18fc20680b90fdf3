import * as z from 'zod'
import type { Grade } from '../../model.ts'
import { countOf } from '../excerpt.ts'
import type { Spending, SpendingGrader } from '../grader.ts'

const options = z
	.strictObject({
		maxUsd: z.number().min(0, 'must be at least 0').optional(),
		maxTokens: z.number().min(0, 'must be at least 0').optional(),
	})
	.refine(
		({ maxUsd, maxTokens }) => maxUsd !== undefined || maxTokens !== undefined,
		'at least one of "maxUsd" and "maxTokens" is needed',
	)

/** Of the whole session, whatever governs it. What exceeds one limit fails; what one limit cannot be checked with is not measured. */
export const cost: SpendingGrader<z.infer<typeof options>> = {
	name: 'cost',
	description: 'The whole session cost at most `maxUsd` dollars and `maxTokens` tokens (all input and output).',
	kind: 'spending',
	options,
	grade: gradeCost,
}

function gradeCost({ maxUsd, maxTokens }: z.infer<typeof options>, { agent, costUsd, tokens }: Spending): Grade {
	const checks = [
		maxUsd === undefined
			? []
			: [check(costUsd, maxUsd, (usd) => `$${usd.toFixed(4)}`, `$${maxUsd}`, `${agent} does not record what the session cost`)],
		maxTokens === undefined
			? []
			: [check(tokens, maxTokens, (count) => countOf(count, 'token'), `${maxTokens}`, `${agent} does not record tokens`)],
	].flat()
	for (const outcome of ['fail', 'error', 'pass'] as const) {
		const found = checks.filter((each) => each.outcome === outcome)
		if (found.length > 0) return { outcome, evidence: found.map(({ evidence }) => evidence).join('; ') }
	}
	return { outcome: 'error', evidence: 'there is no limit to check' }
}

function check(
	spent: number | undefined,
	limit: number,
	show: (amount: number) => string,
	shownLimit: string,
	unknown: string,
): Grade {
	if (spent === undefined || !Number.isFinite(spent)) return { outcome: 'error', evidence: unknown }
	const evidence = `the session took ${show(spent)}; at most ${shownLimit} allowed`
	return { outcome: spent <= limit ? 'pass' : 'fail', evidence }
}
