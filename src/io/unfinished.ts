import { aggregateSuite } from '../core/aggregate.ts'
import { collectFailure } from '../core/collect.ts'
import { decide } from '../core/gate.ts'
import { countExpected } from '../core/plan.ts'
import type { Provenance } from '../decision.ts'
import type { Suite } from '../definition.ts'
import type { Inputs } from '../inputs.ts'
import { writeReports } from './reports.ts'

/**
 * Written before anything runs and replaced at the end: whoever kills this job, or a fault of ours, leaves workspaces that say `incomplete`,
 * and never the verdict of an earlier job.
 */
export async function writeUnfinished(suites: Suite[], directory: string, inputs: Inputs, provenance: Provenance): Promise<void> {
	const failure = { sentence: 'this job did not come to its end', quotes: [], hint: 'run it again' }
	const results = suites.map((suite) => {
		const evals = suite.evals.map((evaluation) => collectFailure(evaluation, failure, {}, []))
		return aggregateSuite(suite, evals, undefined, [])
	})
	const decision = decide({ problems: [], suites: results, expected: countExpected(suites), allowEmpty: false })
	await writeReports({ decision, suites: results, problems: [], provenance }, directory, inputs)
}
