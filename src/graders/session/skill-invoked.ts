import * as z from 'zod'
import type { Grade } from '../../model.ts'
import { listNames } from '../excerpt.ts'
import type { SessionGrader } from '../grader.ts'
import { concludeAbsence } from './absence.ts'
import type { View } from './view.ts'
import { when } from './when.ts'

const options = z.strictObject({
	skill: z.string().min(1, 'must not be empty'),
	expect: z.enum(['used', 'not-used']).default('used'),
	when,
})

/** By the exact name as recorded, `plugin:skill` for a plugin's, whichever way it was invoked and on whichever chain. */
export const skillInvoked: SessionGrader<z.infer<typeof options>> = {
	name: 'skill-invoked',
	description: 'A skill was invoked, or was not.',
	kind: 'session',
	options,
	when: (options) => options.when,
	grade: ({ skill, expect }, view) => gradeInvocation(skill, expect, view),
}

function gradeInvocation(skill: string, expect: 'used' | 'not-used', view: View): Grade {
	// An attempt is enough to break a ban, and not enough to fulfil a demand.
	const isDone = ({ result }: { result?: string | undefined }) => expect === 'not-used' || result === undefined || result === 'ok'
	const found = view.skillInvocations.find((invocation) => invocation.skill === skill && isDone(invocation))
	const shown = `the skill ${JSON.stringify(skill)}`
	if (found) {
		const how = { tool: 'by the skill tool', command: 'as a slash command', read: 'by reading its SKILL.md' }[found.by]
		const evidence = `${shown} was invoked ${how} at #${found.at}`
		return expect === 'used' ? { outcome: 'pass', evidence } : { outcome: 'fail', evidence: `${evidence}, and must not be` }
	}
	const others = [...new Set(view.skillInvocations.map((invocation) => invocation.skill))]
	const evidence = `${shown} was never invoked in ${view.label}${others.length > 0 ? `; invoked were ${listNames(others)}` : ''}`
	return concludeAbsence(view, ['skill-invocations'], true, { outcome: expect === 'used' ? 'fail' : 'pass', evidence })
}
