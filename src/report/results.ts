import { passRate } from '../core/aggregate.ts'
import { countOutcomes, isUnarmed } from '../core/collect.ts'
import { mean, round, sampleDeviation } from '../core/stats.ts'
import type { Arm, OtherArm, Suite } from '../definition.ts'
import { formatFingerprint } from '../formats/fingerprint.ts'
import { isSplit, votesOf } from '../judge/consensus.ts'
import type { Judging } from '../judging.ts'
import type { AssertionResult, EvalResult, Mean, SuiteResult, Timing } from '../model.ts'
import { HOW } from './words.ts'

/** What we write, as the readers of the family want it. Each function gives the text of one file; equal results give equal bytes. */

/** grading.json: the same rows under the names that run-evals and skill-creator read. Skipped assertions have no row among them: other readers know no third answer. */
export function formatGrading(result: EvalResult): string {
	const rows = formatRows(result.assertions)
	const unarmed = result.assertions.filter(isUnarmed)
	return toText({
		assertion_results: rows,
		expectations: rows,
		...(unarmed.length === 0 ? {} : { not_applicable: unarmed.map(formatUnarmed) }),
		summary: formatSummary(result.assertions),
	})
}

function formatUnarmed({ definition: { id, text }, evidence }: AssertionResult) {
	return { ...(id === undefined ? {} : { id }), text, reason: evidence }
}

function formatRows(results: AssertionResult[], describe: (result: AssertionResult) => object = () => ({})) {
	return results.filter(({ outcome }) => outcome !== 'skipped').map((result) => ({ ...formatRow(result), ...describe(result) }))
}

function formatRow({ definition, outcome, evidence }: AssertionResult) {
	return {
		...(definition.id === undefined ? {} : { id: definition.id }),
		text: definition.text,
		passed: outcome === 'pass',
		// Other readers know only true and false; ours must be able to tell "failed" from "not measured".
		...(outcome === 'error' ? { outcome } : {}),
		evidence,
	}
}

function formatSummary(results: AssertionResult[]) {
	const counts = countOutcomes(results)
	const rate = passRate(counts)
	return {
		passed: counts.passed,
		failed: counts.failed,
		...(counts.errors > 0 ? { not_measured: counts.errors } : {}),
		total: counts.expected,
		...(rate === undefined ? {} : { pass_rate: round(rate, 4) }),
	}
}

/** timing.json. What was not measured is left out. */
export function formatTiming({ totalTokens, durationMs }: Timing): string {
	return toText({
		...(totalTokens === undefined ? {} : { total_tokens: totalTokens }),
		...(durationMs === undefined ? {} : { duration_ms: durationMs, total_duration_seconds: round(durationMs / 1000, 3) }),
	})
}

/** feedback.json: a place for a person's remark on each eval. */
export function formatFeedback(ids: string[]): string {
	return toText(Object.fromEntries(ids.map((id) => [`eval-${id}`, ''])))
}

/** eval_metadata.json, kept outside `outputs/` so that no agent reads its own assertions. */
export function formatEvalMetadata({ definition, name, id }: EvalResult): string {
	const assertions = definition.assertions.map(({ text }) => text)
	return toText({ eval_id: toNumericId(id), eval_name: name ?? `eval-${id}`, prompt: definition.prompt, assertions })
}

export type BenchmarkContext = {
	agent: string
	judge: string
	/** Of a judge that was asked in this run. */
	judging?: Judging | undefined
	promptVersion: string
	version: string
}

/**
 * benchmark.json for both readers of the family: skill-creator's viewer takes the first two keys of `run_summary` as its columns,
 * so the configuration comes first and run-evals' flat metrics last.
 */
export function formatBenchmark(
	{ suite, evals, aggregate, otherSkill, fingerprint }: SuiteResult,
	context: BenchmarkContext,
): string {
	const measured = evals.filter(isMeasured)
	const compared = otherSkill?.evals.filter(isMeasured) ?? []
	return toText({
		metadata: {
			skill_name: suite.skill,
			evals_run: evals.map(({ id }) => toNumericId(id)),
			runs_per_configuration: 1,
			agent: context.agent,
			judge: context.judge,
			...(context.judging ? formatJudging(context.judging, evals) : {}),
			prompt_version: context.promptVersion,
			...(suite.oldSkill ? { old_skill_commit: suite.oldSkill.base } : {}),
			generator: `skill-eval-gate ${context.version}`,
			...(fingerprint ? { fingerprint: formatFingerprint(fingerprint) } : {}),
		},
		// Of several attempts an eval has one row, their combined result: its rate is the one that the gate judges.
		runs: [
			...measured.map((each) => formatRun(each, 'with_skill')),
			...compared.map((each) => formatRun(each, otherSkill?.arm ?? 'without_skill')),
		],
		run_summary: {
			with_skill: formatConfiguration(measured),
			...(otherSkill ? formatArms(otherSkill.arm, measured, compared) : {}),
			...metric('pass_rate', formatMean(aggregate.passRate)),
			...metric('time_seconds', formatMean(aggregate.seconds)),
			...metric('tokens', formatMean(aggregate.tokens)),
		},
		notes: [
			'with_skill: mean over runs, sample standard deviation, four decimals; the flat metrics: mean over evals, population standard deviation, two decimals.',
			...listLost(evals, ''),
			...(otherSkill ? [describeArm(otherSkill.arm, suite), ...listLost(otherSkill.evals, ` ${HOW[otherSkill.arm]}`)] : []),
		],
	})
}

function formatJudging({ model, promptVersion, runs }: Judging, evals: EvalResult[]) {
	const votes = evals.flatMap(({ assertions }) => assertions.flatMap(votesOf))
	return {
		...(model === undefined ? {} : { judge_model: model }),
		judge_prompt_version: promptVersion,
		judge_runs: runs,
		judge_rows: votes.length,
		judge_cached_rows: votes.filter(({ cached }) => cached).length,
		judge_split_rows: votes.filter(isSplit).length,
	}
}

/** The judge's agreement on a row: the votes of the larger side, of the runs that were requested. */
function formatAgreement(assertion: AssertionResult) {
	const votes = votesOf(assertion)
	const runs = votes.reduce((sum, each) => sum + each.runs, 0)
	const agreeing = votes.reduce((sum, { passed, failed }) => sum + Math.max(passed, failed), 0)
	return runs > votes.length ? { judge_agreement: round(agreeing / runs, 4) } : {}
}

function formatRun({ id, name, assertions, timing }: EvalResult, configuration: Arm) {
	const { passed, failed, ...rest } = formatSummary(assertions)
	return {
		eval_id: toNumericId(id),
		eval_name: name ?? `eval-${id}`,
		configuration,
		run_number: 1,
		result: {
			...(rest.pass_rate === undefined ? {} : { pass_rate: rest.pass_rate }),
			passed,
			failed,
			total: rest.total,
			...(rest.not_measured === undefined ? {} : { not_measured: rest.not_measured }),
			...metric('time_seconds', timing.durationMs === undefined ? undefined : round(timing.durationMs / 1000, 3)),
			...metric('tokens', timing.totalTokens),
		},
		expectations: formatRows(assertions, formatAgreement),
	}
}

function describeArm(arm: OtherArm, { oldSkill }: Suite): string {
	const where = arm === 'old_skill' && oldSkill ? ` of commit ${oldSkill.base}` : ''
	return `${arm}: the same evals by the same agent ${HOW[arm]}${where}; delta: with_skill minus ${arm}. It decides nothing.`
}

function listLost(evals: EvalResult[], how: string): string[] {
	return evals
		.filter((evaluation) => !isMeasured(evaluation))
		.map(({ id }) => `eval-${id} was not measured${how} and is in no mean.`)
}

function isMeasured({ assertions }: EvalResult): boolean {
	return passRate(countOutcomes(assertions)) !== undefined
}

/** The other arm and the difference, as texts with a sign; there is no difference from what was not measured. */
function formatArms(arm: OtherArm, withSkill: EvalResult[], without: EvalResult[]) {
	const [own, other] = [formatConfiguration(withSkill), formatConfiguration(without)]
	const subtract = (name: 'pass_rate' | 'time_seconds' | 'tokens', digits: number) => {
		const [mine, its] = [own[name], other[name]]
		return metric(name, mine && its && formatSigned(mine.mean - its.mean, digits))
	}
	return {
		[arm]: other,
		delta: { ...subtract('pass_rate', 2), ...subtract('time_seconds', 1), ...subtract('tokens', 0) },
	}
}

/** skill-creator writes its deltas so; nothing is `+0.00`, never `-0.00`. */
function formatSigned(value: number, digits: number): string {
	const text = Math.abs(value).toFixed(digits)
	return `${value < 0 && Number(text) > 0 ? '-' : '+'}${text}`
}

function formatConfiguration(
	evals: EvalResult[],
): Partial<Record<'pass_rate' | 'time_seconds' | 'tokens', ReturnType<typeof formatSample>>> {
	const seconds = evals.map(({ timing }) => (timing.durationMs === undefined ? undefined : timing.durationMs / 1000))
	return {
		...metric('pass_rate', formatSample(evals.map(({ assertions }) => passRate(countOutcomes(assertions))))),
		...metric('time_seconds', formatSample(seconds)),
		...metric('tokens', formatSample(evals.map(({ timing }) => timing.totalTokens))),
	}
}

/** A metric that nothing measured is left out: null or 0 in its place breaks or misleads the readers. */
function metric<T>(name: string, value: T | undefined): Record<string, T> {
	return value === undefined ? {} : { [name]: value }
}

function formatMean(value: Mean | undefined) {
	return value && { mean: round(value.mean, 2), stddev: round(value.deviation, 2) }
}

function formatSample(values: (number | undefined)[]) {
	const known = values.filter((value) => value !== undefined)
	const middle = mean(known)
	if (middle === undefined) return undefined
	return {
		mean: round(middle, 4),
		stddev: round(sampleDeviation(known) ?? 0, 4),
		min: round(Math.min(...known), 4),
		max: round(Math.max(...known), 4),
	}
}

/** `007` stays a text, because no number names its directory. */
function toNumericId(id: string): number | string {
	return /^-?\d{1,15}$/.test(id) && String(Number(id)) === id ? Number(id) : id
}

/** Evidence that was cut inside a character would make a file that our own reader refuses. */
export function toText(value: unknown): string {
	return `${JSON.stringify(value, (_key, each) => (typeof each === 'string' ? each.toWellFormed() : each), 2)}\n`
}
