import * as z from 'zod'
import type { Grade } from '../../model.ts'
import { countOf, listNames } from '../excerpt.ts'
import type { SessionGrader } from '../grader.ts'
import { concludeToolAbsence } from './absence.ts'
import { describeCall } from './describe.ts'
import type { View } from './view.ts'
import { when } from './when.ts'

const count = z.int().min(0, 'must be at least 0').optional()

const options = z
	.strictObject({
		tool: z.string().min(1, 'must not be empty'),
		expect: z.enum(['used', 'not-used']).default('used'),
		min: count,
		max: count,
		includeSidechains: z.boolean().default(false),
		when,
	})
	.superRefine(({ expect, min, max }, context) => {
		const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
		if (expect === 'not-used' && min !== undefined && min > 0) refuse('min', '"min" cannot be reached with "expect": "not-used"')
		if (expect === 'used' && max === 0) refuse('max', 'a "max" of 0 cannot be kept with "expect": "used"; write "not-used"')
		if (min !== undefined && max !== undefined && max < min) refuse('max', '"max" must be at least "min"')
		// With a minimum of 0 and no maximum, every count is right.
		if (expect === 'used' && min === 0 && max === undefined) refuse('min', 'a "min" of 0 without a "max" cannot fail')
	})

type Options = z.infer<typeof options>

/** Counts the calls of one tool by its exact name: those of the own chain, and with `includeSidechains` those of sub-agents too. */
export const toolUsage: SessionGrader<Options> = {
	name: 'tool-usage',
	description: 'A tool was used, was not used, or was used between `min` and `max` times.',
	kind: 'session',
	options,
	when: (options) => options.when,
	grade: gradeUsage,
}

function gradeUsage({ tool, expect, min, max, includeSidechains }: Options, view: View): Grade {
	const calls = view.toolCalls.filter(({ name, nested }) => name === tool && (includeSidechains || !nested))
	// A call that was refused is enough to break a ban or a maximum, and not enough to fulfil a demand.
	const done = calls.filter(({ result }) => result !== 'denied')
	const times = `the tool ${JSON.stringify(tool)} was used ${countOf(done.length, 'time')} in ${view.label}`
	const tried = calls.length > done.length ? ` and refused ${countOf(calls.length - done.length, 'time')}` : ''
	const hits = calls.slice(0, 3).map(describeCall)
	const evidence = `${times}${tried}${hits.length > 0 ? `: ${hits.join('; ')}` : ''}`
	if (expect === 'not-used' && calls.length > 0) return { outcome: 'fail', evidence: `${evidence}, and must not be` }
	if (max !== undefined && calls.length > max) return { outcome: 'fail', evidence: `${evidence}; at most ${max} allowed` }
	const least = expect === 'not-used' ? 0 : (min ?? 1)
	if (done.length >= least && max === undefined && expect === 'used') return { outcome: 'pass', evidence }
	// From here on the grade rests on calls that are not there.
	if (done.length >= least) return concludeToolAbsence(view, [tool], includeSidechains, { outcome: 'pass', evidence })
	const others = [...new Set(view.toolCalls.map(({ name }) => name))]
	const used = others.length > 0 ? `; used were ${listNames(others)}` : ''
	const wanted = min === undefined ? evidence : `${evidence}; at least ${min} required`
	return concludeToolAbsence(view, [tool], includeSidechains, { outcome: 'fail', evidence: `${wanted}${used}` })
}
