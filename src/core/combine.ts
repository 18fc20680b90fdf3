import type { EvalDefinition } from '../definition.ts'
import type { Attempt, EvalResult, GradingRow, Outcome, Timing } from '../model.ts'
import { passRate } from './aggregate.ts'
import { bindRows } from './bind.ts'
import { countOutcomes } from './collect.ts'
import { mean } from './stats.ts'

/** One run's results of an eval. */
export type RunResult = { run: number; result: EvalResult }

/**
 * One eval's result from all of its runs. An assertion passed only if it did in every run, and was not measured if it lacks a result in any:
 * the mean of its runs would let a skill pass that works every other time. The evidence is the first of the runs that decided.
 */
export function combineRuns(definition: EvalDefinition, runs: RunResult[]): EvalResult {
	const assertions = definition.assertions.map((assertion, at) => {
		const attempts = runs.map(({ run, result }): Attempt => {
			const { outcome = 'error', evidence = '' } = result.assertions[at] ?? {}
			return { run, outcome, evidence }
		})
		const outcome: Outcome = assertion.skip ? 'skipped' : combineOutcomes(attempts)
		const deciding = attempts.find((attempt) => attempt.outcome === outcome)
		return { definition: assertion, outcome, evidence: deciding?.evidence ?? 'there is no run', attempts }
	})
	return {
		id: definition.id,
		name: definition.name,
		definition,
		assertions,
		timing: meanTiming(runs.map(({ result }) => result.timing)),
		model: runs.find(({ result }) => result.model !== undefined)?.result.model,
		failure: runs.find(({ result }) => result.failure)?.result.failure,
		problems: runs.flatMap(({ result }) => result.problems),
	}
}

/** Of no runs at all it is not a pass. Runs to which it did not apply decide nothing, unless it applied to none. */
function combineOutcomes(results: { outcome: Outcome }[]): Outcome {
	if (results.length === 0 || results.some(({ outcome }) => outcome === 'error')) return 'error'
	const measured = results.filter(({ outcome }) => outcome !== 'skipped')
	if (measured.length === 0) return 'skipped'
	return measured.every(({ outcome }) => outcome === 'pass') ? 'pass' : 'fail'
}

/** Over the runs that measured it. */
export function meanTiming(timings: Timing[]): Timing {
	const over = (values: (number | undefined)[]) => {
		const known = values.filter((value) => value !== undefined)
		const middle = mean(known)
		return middle === undefined || known.length === 1 ? middle : Math.round(middle)
	}
	return {
		durationMs: over(timings.map(({ durationMs }) => durationMs)),
		totalTokens: over(timings.map(({ totalTokens }) => totalTokens)),
	}
}

/** The mean of every run's pass rate, as skill-creator pools them. */
export function meanRunRate(evals: EvalResult[]): number | undefined {
	const rates = evals.flatMap(({ assertions }) => {
		const attempts = assertions.flatMap((assertion) => assertion.attempts)
		const runs = new Set(attempts.map(({ run }) => run))
		return [...runs].flatMap((run) => passRate(countOutcomes(attempts.filter((attempt) => attempt.run === run))) ?? [])
	})
	return mean(rates)
}

/**
 * The rows of several runs of an eval that may be declared no longer, by the same rule. Undefined if the runs do not list the same assertions:
 * what a row of one run is in another nobody can tell then.
 */
export function combineRows(runs: GradingRow[][]): GradingRow[] | undefined {
	const [first, ...others] = runs
	if (!first) return undefined
	const definitions = first.map(({ id, text }, at) => ({ id, text, index: at + 1, skip: false }))
	const bound = others.map((rows) => bindRows(definitions, rows, 'refuse'))
	if (bound.some(({ rows, extra }) => rows.size !== first.length || extra.length > 0)) return undefined
	return first.map((row, at) => {
		const same = [row, ...bound.flatMap(({ rows }) => rows.get(at + 1) ?? [])]
		const outcome = combineOutcomes(same)
		return { ...row, outcome, evidence: same.find((each) => each.outcome === outcome)?.evidence ?? '' }
	})
}
