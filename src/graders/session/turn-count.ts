import * as z from 'zod'
import type { Grade } from '../../model.ts'
import { countOf } from '../excerpt.ts'
import type { SessionGrader } from '../grader.ts'
import { concludeAbsence } from './absence.ts'
import type { View } from './view.ts'
import { when } from './when.ts'

const bound = z.int().min(0, 'must be at least 0').optional()

const options = z.strictObject({ min: bound, max: bound, when }).superRefine(({ min, max }, context) => {
	if (min === undefined && max === undefined)
		context.addIssue({ code: 'custom', path: [], message: 'at least one of "min" and "max" is needed' })
	if (min !== undefined && max !== undefined && max < min)
		context.addIssue({ code: 'custom', path: ['max'], message: '"max" must be at least "min"' })
	if (min === 0 && max === undefined)
		context.addIssue({ code: 'custom', path: ['min'], message: 'a "min" of 0 without a "max" cannot fail' })
})

/** Turns are the user's prompts in the window; over a whole session the agent's own count, where it gives one. */
export const turnCount: SessionGrader<z.infer<typeof options>> = {
	name: 'turn-count',
	description: 'The session, or what the artifact governed of it, has between `min` and `max` turns.',
	kind: 'session',
	options,
	when: (options) => options.when,
	grade: gradeTurns,
}

function gradeTurns({ min = 0, max = Number.MAX_SAFE_INTEGER }: z.infer<typeof options>, view: View): Grade {
	const evidence = `${countOf(view.turns, 'turn')} in ${view.label}`
	if (view.turns > max) return { outcome: 'fail', evidence: `${evidence}; at most ${max} allowed` }
	const grade: Grade =
		view.turns >= min ? { outcome: 'pass', evidence } : { outcome: 'fail', evidence: `${evidence}; at least ${min} required` }
	return concludeAbsence(view, ['turns'], false, grade)
}
