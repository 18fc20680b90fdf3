import type { Problem, Suite } from '../definition.ts'
import type { Aggregate, AssertionResult, Comparison, Counts, EvalResult, Mean, SuiteResult, Timing } from '../model.ts'
import { countOutcomes, isGraded } from './collect.ts'
import { mean, populationDeviation } from './stats.ts'

/** One suite's counts and means, recounted from its evals. */
export function aggregateSuite(
	suite: Suite,
	evals: EvalResult[],
	comparison: Comparison | undefined,
	problems: Problem[],
): SuiteResult {
	const all = evals.flatMap((evaluation) => evaluation.assertions)
	const blocking = all.filter(({ definition }) => definition.severity === 'error')
	return {
		suite,
		evals,
		counts: { all: countOutcomes(all), error: countOutcomes(blocking) },
		evalsGraded: evals.filter((evaluation) => isExpected(evaluation) && isGraded(evaluation)).length,
		aggregate: aggregateEvals(evals.map(({ assertions, timing }) => ({ rate: passRate(countOutcomes(assertions)), timing }))),
		weightedPassRate: weighPassed(all),
		comparison,
		problems,
	}
}

/** It has at least one assertion that its definition does not skip. */
export function isExpected(evaluation: EvalResult): boolean {
	return evaluation.assertions.some(({ definition }) => !definition.skip)
}

/** What passed of what was to be measured, by weight. */
function weighPassed(results: AssertionResult[]): number | undefined {
	const counted = results.filter(({ outcome }) => outcome !== 'skipped')
	if (counted.length === 0 || counted.every(({ definition }) => definition.weight === 1)) return undefined
	const weigh = (some: AssertionResult[]) => some.reduce((sum, { definition }) => sum + definition.weight, 0)
	return weigh(counted.filter(({ outcome }) => outcome === 'pass')) / weigh(counted)
}

/** Passed of expected, 0 to 1: what was not measured counts as not passed. Undefined if nothing was measured at all. */
export function passRate({ expected, passed, failed }: Counts): number | undefined {
	return passed + failed === 0 ? undefined : passed / expected
}

/** Macro averages: each eval counts once, however many assertions it has. What an eval did not measure is left out of that mean. */
export function aggregateEvals(evals: { rate: number | undefined; timing: Timing }[]): Aggregate {
	const known = (values: (number | undefined)[]) => toMean(values.filter((value) => value !== undefined))
	return {
		passRate: known(evals.map(({ rate }) => rate)),
		seconds: known(evals.map(({ timing }) => (timing.durationMs === undefined ? undefined : timing.durationMs / 1000))),
		tokens: known(evals.map(({ timing }) => timing.totalTokens)),
	}
}

function toMean(values: number[]): Mean | undefined {
	const middle = mean(values)
	const deviation = populationDeviation(values)
	return middle === undefined || deviation === undefined ? undefined : { mean: middle, deviation, n: values.length }
}
