import type { Arm, AssertionDefinition, EvalDefinition, PlannedRun, Suite } from '../definition.ts'
import type { Counts } from '../model.ts'

/** Every run that has to happen: each eval of each suite, once in each arm that its suite can have. The expected set comes from here, never from what a directory holds. */
export function planRuns(suites: Suite[], arms: readonly Arm[]): PlannedRun[] {
	const has = (arm: Arm, suite: Suite) => arm !== 'old_skill' || suite.oldSkill !== undefined
	return arms.flatMap((arm) =>
		suites
			.filter((suite) => has(arm, suite))
			.flatMap((suite) => suite.evals.map((evaluation) => ({ suite, evaluation, arm, run: 1 }))),
	)
}

/** The assertions that a run of this eval has to measure. */
export function expectedAssertions(evaluation: EvalDefinition): AssertionDefinition[] {
	return evaluation.assertions.filter((assertion) => !assertion.skip)
}

/** How many assertions the definitions declare, of every severity and of severity `error`, before anything has run. */
export function countExpected(suites: Suite[]): { all: number; error: number } {
	const expected = suites.flatMap((suite) => suite.evals.flatMap(expectedAssertions))
	return { all: expected.length, error: expected.filter(({ severity }) => severity === 'error').length }
}

/** Adds up counts; of no counts at all it is all zeros. */
export function sumCounts(counts: Counts[]): Counts {
	const total: Counts = { expected: 0, passed: 0, failed: 0, errors: 0, skipped: 0, unarmed: 0 }
	for (const count of counts) {
		total.expected += count.expected
		total.passed += count.passed
		total.failed += count.failed
		total.errors += count.errors
		total.skipped += count.skipped
		total.unarmed += count.unarmed
	}
	return total
}

/** Does anything in this eval read the agent's words, so that an answer without a file can be one? A judge reads them, too. */
export function expectsMessage(evaluation: EvalDefinition): boolean {
	return expectedAssertions(evaluation).some(({ grader, target }) => grader === 'judge' || target.source === 'last-message')
}
