import * as z from 'zod'
import type { FilesGrader } from './grader.ts'
import { patternShape, probePattern, refinePattern } from './pattern-options.ts'
import { gradeAbsence } from './search.ts'

const options = z.strictObject(patternShape).superRefine(refinePattern)

/** Passes if text was read whole and the pattern matches nowhere in it. */
export const notRegex: FilesGrader<z.infer<typeof options>> = {
	name: 'not-regex',
	description: 'The target was read whole and a pattern (RE2, linear time) matches nowhere in it.',
	kind: 'files',
	options,
	listens: () => ({ isNegative: true }),
	grade: (options, subject) => gradeAbsence(subject, [probePattern(options)]),
}
