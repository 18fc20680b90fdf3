import * as z from 'zod'
import type { FilesGrader } from './grader.ts'
import { compilePattern } from './pattern.ts'
import { patternShape, probePattern, refinePattern } from './pattern-options.ts'
import { gradeAbsence, gradePresence } from './search.ts'
import { when } from './session/when.ts'

const options = z
	.strictObject({
		...patternShape,
		expect: z.enum(['match', 'no-match']).default('match'),
		on: z.enum(['assistant', 'user', 'all']).optional(),
		when,
	})
	.superRefine(refinePattern)
	.superRefine((options, context) => {
		if (options.expect === 'no-match' || !matchesAnything(options.pattern, options.flags)) return
		const hint = 'write what must be there, for example .+ instead of .*'
		context.addIssue({
			code: 'custom',
			path: ['pattern'],
			message: 'the pattern matches every text, so it cannot fail',
			params: { hint },
		})
	})

/** Passes if the pattern matches somewhere in one of the target's files, or with `no-match` nowhere in them. */
export const regex: FilesGrader<z.infer<typeof options>> = {
	name: 'regex',
	description:
		'A pattern (RE2, linear time) matches somewhere in the target, or with `expect: no-match` nowhere. `on` says whose words of a transcript.',
	kind: 'files',
	options,
	fault: ({ on }, { source }) => {
		if (on === undefined || source !== 'outputs') return undefined
		return { pointer: '/options/on', message: '"on" says whose words of a transcript', hint: 'set "target": "transcript"' }
	},
	listens: ({ on, when, expect }) => ({ on, when, isNegative: expect === 'no-match' }),
	grade: (options, subject) => {
		const probes = [probePattern(options)]
		return options.expect === 'match' ? gradePresence(subject, probes) : gradeAbsence(subject, probes)
	},
}

/** Finds the usual slips (`.*`, `a*`, `^`, `x|`): an empty match in the empty text, and again where text is. Not every such pattern. */
function matchesAnything(pattern: string, flags: string): boolean {
	const compiled = compilePattern(pattern, flags)
	if (!compiled.ok) return false
	const matches = ['', '\uE000', '\n\uE000'].map((text) => compiled.find(text))
	return matches.every((match) => match) && matches.slice(1).some((match) => match?.start === match?.end)
}
