import * as z from 'zod'
import type { PathGrader } from './grader.ts'

const options = z.strictObject({})

/** What only a person can say is not measured by a run: it waits, and never passes by itself. */
export const human: PathGrader<z.infer<typeof options>> = {
	name: 'human',
	description:
		'Never by itself: it waits for a person, whose answer in the workspace’s `grading.json` counts with `mode: report`.',
	kind: 'path',
	options,
	grade: () => ({
		outcome: 'error',
		evidence: 'awaiting human review: write the answer into grading.json and run again with mode: report',
	}),
}
