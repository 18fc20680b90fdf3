import type { Decision, Reason } from '../decision.ts'
import type { Problem, Severity } from '../definition.ts'
import type { AssertionResult, Counts, EvalResult, SuiteResult, Verdict } from '../model.ts'
import { isExpected, passRate } from './aggregate.ts'
import { isUnarmed } from './collect.ts'
import { sumCounts } from './plan.ts'

export type GateInput = {
	/** About inputs and definitions: an `error` among them makes the gate invalid. */
	problems: Problem[]
	suites: SuiteResult[]
	/** From the definitions, counted before anything ran; whatever the suites hold is measured against it. */
	expected: { all: number; error: number }
	/** Ways in which head asks less than base and which nobody has approved. */
	weakened?: Reason[] | undefined
	/** Pass although nothing can block; the title says so. */
	allowEmpty: boolean
}

const ORDER: Verdict[] = ['invalid', 'incomplete', 'fail']

/**
 * The verdict, with its own explanation. It passes only if nothing here speaks against it:
 * the first of invalid, incomplete, fail that has a reason is the verdict, and every reason is kept.
 */
export function decide({ problems, suites, expected, weakened = [], allowEmpty }: GateInput): Decision {
	const counts = {
		all: sumCounts(suites.map((suite) => suite.counts.all)),
		error: sumCounts(suites.map((suite) => suite.counts.error)),
	}
	const evals = {
		expected: suites.flatMap((suite) => suite.evals.filter(isExpected)).length,
		graded: suites.reduce((sum, suite) => sum + suite.evalsGraded, 0),
	}
	const invalid = problems.filter(isError).map((problem) => problemReason('invalid', '', problem))
	const bySuite = suites.map(suiteReasons)
	const found = [...invalid, ...weakened, ...(invalid.length === 0 ? lossReasons(counts, expected) : []), ...bySuite.flat()]
	const empty = found.length === 0 ? emptyReasons(counts.error, allowEmpty) : []
	const reasons = sortReasons([...found, ...empty])
	const verdict = reasons[0]?.verdict ?? (isProven(counts, expected, evals, allowEmpty) ? 'pass' : 'incomplete')
	const own = bySuite.map((each): Verdict => sortReasons([...each, ...empty])[0]?.verdict ?? 'pass')
	return {
		verdict,
		title: describe(verdict, reasons, counts, evals),
		reasons,
		counts,
		evals,
		passRate: passRate(counts.all),
		suites: own,
	}
}

function sortReasons(reasons: Reason[]): Reason[] {
	return reasons.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
}

/** Said the positive way round, so that a count that is NaN or a rule forgotten above ends as incomplete. */
function isProven(
	{ all, error }: Decision['counts'],
	expected: GateInput['expected'],
	evals: Decision['evals'],
	allowEmpty: boolean,
): boolean {
	const complete =
		all.expected + all.unarmed === expected.all &&
		error.expected + error.unarmed === expected.error &&
		evals.graded <= evals.expected
	const measured = error.passed === error.expected && error.failed === 0 && error.errors === 0
	return complete && measured && (allowEmpty || error.passed > 0)
}

/** A result that got lost between the plan and here must not look like one that was never asked for. */
function lossReasons({ all }: Decision['counts'], expected: GateInput['expected']): Reason[] {
	const results = all.expected + all.unarmed
	if (results === expected.all) return []
	const sentence = `the definitions declare ${plural(expected.all, 'assertion')}, and there are results for ${results}`
	return [{ ...blank('incomplete'), sentence }]
}

function emptyReasons(error: Counts, allowEmpty: boolean): Reason[] {
	if (allowEmpty || error.expected > 0) return []
	const skipped = error.skipped > 0 ? ` (${error.skipped} skipped)` : ''
	const sentence = `there is no assertion of severity error to measure${skipped}, so nothing could block`
	return [{ ...blank('invalid'), sentence, hint: 'add one, or set allow-empty: true if this is meant' }]
}

function suiteReasons(suite: SuiteResult): Reason[] {
	const { skill } = suite.suite
	const own = suite.problems.filter(isError).map((problem) => problemReason('incomplete', skill, problem))
	return [...own, ...suite.evals.flatMap((evaluation) => evalReasons(suite, evaluation))]
}

function evalReasons(suite: SuiteResult, evaluation: EvalResult): Reason[] {
	const where = `${suite.suite.skill} eval-${evaluation.id}`
	const blocking = evaluation.assertions.filter(({ definition }) => definition.severity === 'error')
	const failed = blocking.filter(({ outcome }) => outcome === 'fail').map((result) => failureReason(suite, where, result))
	const problems = evaluation.problems.filter(isError).map((problem) => problemReason('incomplete', where, problem))
	const lost = blocking.filter(({ outcome }) => outcome === 'error')
	const { failure } = evaluation
	if (!failure && isUnmeasured(evaluation)) problems.push(unmeasuredReason(where, evaluation, suite))
	if (failure && lost.length > 0) {
		const sentence = `${failure.sentence}: ${plural(lost.length, 'blocking assertion')} not measured`
		return [{ ...blank('incomplete'), ...failure, where, sentence }]
	}
	return [
		...problems,
		...lost.map((result) => assertionReason('incomplete', suite, where, result, 'was not measured')),
		...failed,
	]
}

/** Everything that was expected of it turned out not to apply: whoever renames the skill must not get a pass for it. */
function isUnmeasured({ assertions }: EvalResult): boolean {
	const isBlocking = (result: AssertionResult) => isUnarmed(result) && result.definition.severity === 'error'
	return assertions.some(isBlocking) && assertions.every(({ outcome }) => outcome === 'skipped')
}

function unmeasuredReason(where: string, { assertions }: EvalResult, suite: SuiteResult): Reason {
	const first = assertions.find(isUnarmed)
	const sentence = 'every assertion of this eval was skipped, so that nothing was measured'
	const place = { file: first?.definition.file ?? suite.suite.file, line: first?.definition.line }
	return { ...blank('incomplete'), where, sentence, quotes: first ? [first.evidence] : [], ...place }
}

function failureReason(suite: SuiteResult, where: string, result: AssertionResult): Reason {
	const sentences: Partial<Record<string, string>> = {
		regression: 'passed in the baseline, fails now',
		'pre-existing': 'failed in the baseline too',
		new: 'fails, and is not in the baseline',
		'not-comparable': 'fails, and cannot be compared with the baseline',
	}
	const sentence = sentences[result.change ?? ''] ?? 'fails'
	const probe = result.definition.type === 'capability' ? 'capability probe: ' : ''
	return assertionReason('fail', suite, where, result, `${probe}${sentence}`)
}

function assertionReason(
	verdict: Reason['verdict'],
	suite: SuiteResult,
	where: string,
	result: AssertionResult,
	sentence: string,
): Reason {
	const { definition, evidence } = result
	return {
		verdict,
		severity: definition.severity,
		where: `${where} assertion ${definition.index}`,
		sentence,
		quotes: [definition.text, evidence],
		change: result.change,
		file: definition.file ?? suite.suite.file,
		line: definition.line,
	}
}

function problemReason(verdict: Reason['verdict'], where: string, { message, file, line, hint }: Problem): Reason {
	return { ...blank(verdict), where, sentence: message, file, line, hint }
}

function blank(verdict: Reason['verdict']): Reason {
	return { verdict, severity: 'error', where: '', sentence: '', quotes: [] }
}

function isError({ severity }: { severity: Severity }): boolean {
	return severity === 'error'
}

function describe(verdict: Verdict, reasons: Reason[], counts: Decision['counts'], evals: Decision['evals']): string {
	const own = reasons.filter((reason) => reason.verdict === verdict).length
	if (verdict === 'invalid') return `${plural(own, 'problem')} to mend before anything can be judged`
	const measured = `${evals.graded} of ${plural(evals.expected, 'eval')} graded`
	const tally = `${describePassed(counts)} · ${measured}`
	if (verdict === 'pass') return counts.all.expected === 0 ? 'nothing to measure, and allow-empty is set' : tally
	if (verdict === 'fail') return `${describeFailures(reasons)} · ${tally}`
	const failures = reasons.filter((reason) => reason.verdict === 'fail' && !reason.weakening).length
	return `not everything was measured${failures > 0 ? `, and ${plural(failures, 'assertion')} failed` : ''} · ${tally}`
}

function describeFailures(reasons: Reason[]): string {
	const regressions = reasons.filter(({ change }) => change === 'regression').length
	const weaker = reasons.filter(({ weakening }) => weakening).length
	const others = reasons.length - regressions - weaker
	const parts = [
		weaker > 0 ? plural(weaker, 'weaker check') : '',
		regressions > 0 ? plural(regressions, 'regression') : '',
		others > 0 ? plural(others, regressions > 0 ? 'other failed assertion' : 'failed assertion') : '',
	].filter((part) => part !== '')
	return `${parts.join(' and ')} ${reasons.length === 1 ? 'blocks' : 'block'} this merge`
}

function describePassed({ all, error }: Decision['counts']): string {
	const skipped = all.skipped > 0 ? `, ${all.skipped} skipped` : ''
	const tolerated = all.failed - error.failed
	const warnings = tolerated > 0 ? `, ${tolerated} failed without blocking` : ''
	const lost = all.errors > 0 ? `, ${all.errors} not measured` : ''
	return `${all.passed} of ${plural(all.expected, 'assertion')} passed${warnings}${lost}${skipped}`
}

function plural(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`
}
