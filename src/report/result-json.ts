import { passRate } from '../core/aggregate.ts'
import { countOutcomes } from '../core/collect.ts'
import type { Reason, Result } from '../decision.ts'
import type { Problem } from '../definition.ts'
import type { Counts, EvalResult, OtherSkill, Outcome, SuiteResult, Verdict } from '../model.ts'
import { toText } from './results.ts'

/** Only ever grows; a reader of version 1 can read every later minor addition. */
const SCHEMA_VERSION = 1

/** result.json: the whole result for machines. Absent measurements are left out. */
export function formatResult(result: Result): string {
	const { decision, suites, provenance } = result
	return toText({
		schemaVersion: SCHEMA_VERSION,
		verdict: decision.verdict,
		title: decision.title,
		reasons: decision.reasons.map(formatReason),
		weakened: result.weakened && { ...result.weakened, found: result.weakened.found.map(formatReason) },
		counts: { error: formatCounts(decision.counts.error), all: formatCounts(decision.counts.all) },
		evals: decision.evals,
		passRate: decision.passRate,
		suites: suites.map((suite, at) => formatSuite(suite, decision.suites[at] ?? 'incomplete')),
		problems: collectProblems(result).map(formatProblem),
		provenance,
	})
}

/** Every problem of the whole result: inputs and definitions, then each suite's. */
export function collectProblems({ problems, suites }: Result): Problem[] {
	return [
		...problems,
		...suites.flatMap((suite) => [...suite.problems, ...suite.evals.flatMap((evaluation) => evaluation.problems)]),
	]
}

function formatReason({ verdict, severity, where, sentence, quotes, change, file, line, hint }: Reason) {
	return { verdict, severity, where, sentence, quotes, change, file, line, hint }
}

function formatCounts({ expected, passed, failed, errors, skipped, unarmed }: Counts) {
	return { expected, passed, failed, errors, skipped, unarmed }
}

function formatSuite(suite: SuiteResult, verdict: Verdict) {
	return {
		skill: suite.suite.skill,
		source: suite.suite.file,
		verdict,
		workspace: suite.suite.workspace,
		passRate: suite.aggregate.passRate?.mean,
		weightedPassRate: suite.weightedPassRate,
		seconds: suite.aggregate.seconds?.mean,
		tokens: suite.aggregate.tokens?.mean,
		baseline: suite.comparison && {
			label: suite.comparison.label,
			passRate: suite.comparison.aggregate.passRate?.mean,
			delta: suite.comparison.delta,
			removed: suite.comparison.removed,
		},
		otherSkill: suite.otherSkill && formatOtherSkill(suite.otherSkill),
		evals: suite.evals.map(formatEval),
	}
}

function formatOtherSkill({ arm, aggregate, delta, noSignal, worse, notMeasured, shared }: OtherSkill) {
	const { passRate: rate, seconds, tokens } = aggregate
	return { arm, passRate: rate?.mean, seconds: seconds?.mean, tokens: tokens?.mean, delta, noSignal, worse, notMeasured, shared }
}

function formatEval(evaluation: EvalResult) {
	return {
		id: evaluation.id,
		name: evaluation.name,
		outcome: outcomeOf(evaluation),
		passRate: passRate(countOutcomes(evaluation.assertions)),
		durationMs: evaluation.timing.durationMs,
		totalTokens: evaluation.timing.totalTokens,
		failure: evaluation.failure?.sentence,
		assertions: evaluation.assertions.map(({ definition, outcome, change, evidence, attempts }) => ({
			id: definition.id,
			index: definition.index,
			text: definition.text,
			severity: definition.severity,
			type: definition.type,
			grader: definition.grader,
			file: definition.file,
			outcome,
			change,
			evidence,
			attempts,
		})),
	}
}

/** The worst of its assertions: not measured, then failed, then passed; skipped only if nothing else is there. */
function outcomeOf({ assertions }: EvalResult): Outcome {
	const has = (outcome: Outcome) => assertions.some((assertion) => assertion.outcome === outcome)
	return (['error', 'fail', 'pass'] as const).find(has) ?? 'skipped'
}

function formatProblem({ code, severity, file, line, column, pointer, message, hint }: Problem) {
	return { code, severity, file, line, column, pointer, message, hint }
}
