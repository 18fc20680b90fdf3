import * as z from 'zod'
import type { FilesGrader } from './grader.ts'
import { compilePattern } from './pattern.ts'
import { patternShape, probePattern, refinePattern } from './pattern-options.ts'
import { gradePresence } from './search.ts'

const options = z
	.strictObject(patternShape)
	.superRefine(refinePattern)
	.superRefine((options, context) => {
		if (!matchesAnything(options.pattern, options.flags)) return
		const hint = 'write what must be there, for example .+ instead of .*'
		context.addIssue({
			code: 'custom',
			path: ['pattern'],
			message: 'the pattern matches every text, so it cannot fail',
			params: { hint },
		})
	})

/** Passes if the pattern matches somewhere in one of the target's files. */
export const regex: FilesGrader<z.infer<typeof options>> = {
	name: 'regex',
	description: 'A pattern (RE2, linear time) matches somewhere in the target.',
	kind: 'files',
	options,
	grade: (options, subject) => gradePresence(subject, [probePattern(options)]),
}

/** Finds the usual slips (`.*`, `a*`, `^`, `x|`): an empty match in the empty text, and again where text is. Not every such pattern. */
function matchesAnything(pattern: string, flags: string): boolean {
	const compiled = compilePattern(pattern, flags)
	if (!compiled.ok) return false
	const matches = ['', '\uE000', '\n\uE000'].map((text) => compiled.find(text))
	return matches.every((match) => match) && matches.slice(1).some((match) => match?.start === match?.end)
}
