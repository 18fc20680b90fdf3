import * as z from 'zod'
import type { FilesGrader } from './grader.ts'
import { gradeAbsence } from './search.ts'
import { probeValues, refineValues, valueShape } from './values.ts'

const options = z.strictObject(valueShape).superRefine(refineValues)

/** Passes if text was read whole and none of the texts occurs in it. */
export const notContains: FilesGrader<z.infer<typeof options>> = {
	name: 'not-contains',
	description: 'The target was read whole and holds none of the texts.',
	kind: 'files',
	options,
	listens: () => ({ isNegative: true }),
	grade: (options, subject) => gradeAbsence(subject, probeValues(options)),
}
