import type { Problem } from '../definition.ts'
import type {
	Aggregate,
	AssertionResult,
	Baseline,
	Change,
	Comparison,
	Delta,
	EvalResult,
	Fingerprint,
	GradingRow,
	Removed,
} from '../model.ts'
import { aggregateEvals, passRate } from './aggregate.ts'
import { bindRows } from './bind.ts'
import { countOutcomes, isUnarmed } from './collect.ts'
import { type Difference, findDifferences, isSameAssertion } from './fingerprint.ts'

/**
 * Marks each assertion's change against the baseline and sums up the differences.
 * Assertions are compared one by one; means are compared over the evals that both sides have, so that an added eval moves nothing.
 * What was measured under other conditions is not comparable, and a problem says why; what is no longer declared is said all the same.
 */
export function compareSuite(
	evals: EvalResult[],
	baseline: Baseline,
	now: Fingerprint = { parts: {}, evals: new Map() },
): { evals: EvalResult[]; comparison: Comparison; problems: Problem[] } {
	if (baseline.summaryOnly) {
		const { label, aggregate, summaryOnly } = baseline
		const marked = evals.map((evaluation) => markAll(evaluation, 'not-comparable'))
		return { evals: marked, comparison: { label, removed: [], aggregate, delta: {}, summaryOnly }, problems: [] }
	}
	const removed: Removed[] = []
	const differences = new Map(
		evals
			.filter(({ id }) => baseline.evals.has(id))
			.map(({ id, definition }) => [id, findDifferences(definition, now, baseline.fingerprint)]),
	)
	const isComparable = (id: string) => differences.get(id)?.length === 0
	const compared = evals.map((evaluation) => {
		const before = baseline.evals.get(evaluation.id)
		if (!before) return markAll(evaluation, baseline.unreadable.includes(evaluation.id) ? 'not-comparable' : 'new')
		const bound = bindRows(evaluation.definition.assertions, before.rows, 'refuse')
		removed.push(...bound.extra.map(({ text }) => ({ evalId: evaluation.id, text })))
		const isSame = (at: number) => isComparable(evaluation.id) && isSameAssertion(evaluation.id, at, now, baseline.fingerprint)
		const assertions = evaluation.assertions.map((result, at) => ({
			...result,
			change: classify(result, bound.rows.get(result.definition.index), isSame(at)),
		}))
		return { ...evaluation, assertions, problems: [...evaluation.problems, ...sayLost(assertions, bound.rows)] }
	})
	const ids = new Set(evals.map(({ id }) => id))
	for (const [evalId, { rows }] of baseline.evals) {
		if (!ids.has(evalId)) removed.push(...rows.map(({ text }) => ({ evalId, text })))
	}
	const delta = compareAggregates(
		evals.filter(({ id }) => isComparable(id)),
		baseline,
	)
	const comparison = { label: baseline.label, removed, aggregate: baseline.aggregate, delta }
	return { evals: compared, comparison, problems: sayDifferences(differences) }
}

/** A sentence for each reason, with the evals that it concerns. */
function sayDifferences(differences: Map<string, Difference[]>): Problem[] {
	const byReason = new Map<string, string[]>()
	for (const [id, found] of differences) {
		if (found.length === 0) continue
		const reason = found.map(describeDifference).join(', ')
		byReason.set(reason, [...(byReason.get(reason) ?? []), id])
	}
	return [...byReason].map(([reason, ids]): Problem => {
		const some = ids.length === differences.size ? 'no eval can' : `eval ${ids.join(', ')} cannot`
		const message = `${some} be compared with the baseline: ${reason}`
		return {
			code: 'baseline-conditions',
			severity: 'warning',
			message,
			hint: 'each failure counts by itself; record a new baseline',
		}
	})
}

function describeDifference({ what, before, now }: Difference): string {
	if (before === undefined) return what.startsWith('what ') ? what : `${what} changed`
	return `${what} was ${JSON.stringify(before.slice(0, 100))} and is ${JSON.stringify(now?.slice(0, 100))}`
}

function markAll(evaluation: EvalResult, change: Change): EvalResult {
	return { ...evaluation, assertions: evaluation.assertions.map((result) => ({ ...result, change })) }
}

/** What was measured in the baseline and does not apply now is a hole in the gate, though nothing failed. */
function sayLost(results: AssertionResult[], before: Map<number, GradingRow>): Problem[] {
	return results.filter(isUnarmed).flatMap(({ definition }) => {
		const outcome = before.get(definition.index)?.outcome
		if (outcome !== 'pass' && outcome !== 'fail') return []
		const message = `assertion ${definition.index} was measured in the baseline and is skipped now`
		return [{ code: 'coverage-lost', severity: 'warning' as const, file: definition.file, line: definition.line, message }]
	})
}

/** Undefined where nothing changed: it passed and passes. */
function classify(result: AssertionResult, before: GradingRow | undefined, isSame: boolean): Change | undefined {
	if (!before) return 'new'
	if (!isSame) return 'not-comparable'
	const measured = result.outcome === 'pass' || result.outcome === 'fail'
	if (!measured || before.outcome === 'error' || before.outcome === 'skipped') return 'not-comparable'
	if (result.outcome === 'fail') return before.outcome === 'fail' ? 'pre-existing' : 'regression'
	return before.outcome === 'fail' ? 'fixed' : undefined
}

function compareAggregates(evals: EvalResult[], baseline: Baseline): Delta {
	const common = evals.filter(({ id }) => baseline.evals.has(id))
	const now = aggregateEvals(common.map(({ assertions, timing }) => ({ rate: passRate(countOutcomes(assertions)), timing })))
	const before = aggregateBaseline(baseline, new Set(common.map(({ id }) => id)))
	return subtractMeans(now, before)
}

/** The signed differences of means over the same evals; a metric that one side lacks is absent. */
export function subtractMeans(now: Aggregate, before: Aggregate): Delta {
	return {
		passRate: now.passRate && before.passRate ? now.passRate.mean - before.passRate.mean : undefined,
		tokens: ratio(now, before, 'tokens'),
		seconds: ratio(now, before, 'seconds'),
	}
}

/** A ratio over different evals would compare different work, so both sides must have measured equally many. */
function ratio(now: Aggregate, before: Aggregate, metric: 'tokens' | 'seconds'): number | undefined {
	const [after, base] = [now[metric], before[metric]]
	return after && base && base.mean > 0 && after.n === base.n ? after.mean / base.mean - 1 : undefined
}

/** Means of a baseline over the given evals, or over all. */
export function aggregateBaseline(baseline: Pick<Baseline, 'evals'>, only?: Set<string>): Aggregate {
	const evals = [...baseline.evals].filter(([id]) => only?.has(id) ?? true).map(([, entry]) => entry)
	return aggregateEvals(evals.map(({ rows, timing }) => ({ rate: passRate(countOutcomes(rows)), timing })))
}
