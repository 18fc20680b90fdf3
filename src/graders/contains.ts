import * as z from 'zod'
import type { FilesGrader } from './grader.ts'
import { gradePresence } from './search.ts'
import { probeValues, refineValues, valueShape } from './values.ts'

const options = z
	.strictObject({ ...valueShape, 'min-count': z.int().min(1, 'must be at least 1').default(1) })
	.superRefine(refineValues)

/** Passes if each text occurs in the target, `min-count` times over all its files. */
export const contains: FilesGrader<z.infer<typeof options>> = {
	name: 'contains',
	description: 'The target holds a text, or each of several texts, at least `min-count` times.',
	kind: 'files',
	options,
	grade: (options, subject) => gradePresence(subject, probeValues(options), options['min-count']),
}
