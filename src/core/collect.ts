import type { AssertionDefinition, EvalDefinition, Problem } from '../definition.ts'
import type { Grading } from '../formats/grading.ts'
import type { AssertionResult, Counts, EvalResult, Failure, Grade, Outcome, Timing } from '../model.ts'
import { bindRows } from './bind.ts'

/** One eval's result from the grades of its run, by assertion index; an assertion without a grade was not measured. */
export function collectGrades(
	definition: EvalDefinition,
	grades: Map<number, Grade>,
	timing: Timing,
	problems: Problem[],
): EvalResult {
	const result = (assertion: AssertionDefinition) => toResult(assertion, grades.get(assertion.index) ?? NOT_GRADED)
	return { id: definition.id, name: definition.name, definition, assertions: definition.assertions.map(result), timing, problems }
}

/** One eval of which nothing was measured: every assertion that was expected is an error, with the reason as evidence. */
export function collectFailure(definition: EvalDefinition, failure: Failure, timing: Timing, problems: Problem[]): EvalResult {
	const grade: Grade = { outcome: 'error', evidence: failure.sentence }
	const grades = new Map(definition.assertions.map(({ index }) => [index, grade]))
	return { ...collectGrades(definition, grades, timing, problems), failure }
}

/**
 * One eval's result from a grading that something else wrote.
 * A declared assertion without a row was not measured; a row without a declared assertion, or a self-made summary that contradicts the rows, is said.
 */
export function collectRows(
	definition: EvalDefinition,
	grading: Grading,
	timing: Timing,
	file: string,
	found: Problem[],
): EvalResult {
	const bound = bindRows(definition.assertions, grading.rows, 'accept')
	const missing = definition.assertions.filter(({ index, skip }) => !skip && !bound.rows.has(index))
	const problems = [...found]
	const say = (code: string, severity: Problem['severity'], message: string, hint?: string) =>
		problems.push({ code, severity, file, message, hint })
	const counts = `the grading has ${grading.rows.length} rows for ${definition.assertions.length} declared assertions`
	if (missing.length > 0)
		say(
			'grading-missing',
			'warning',
			`${counts}: there is no result for assertion ${missing.map(({ index }) => index).join(', ')}`,
		)
	if (bound.extra.length > 0) {
		const extra =
			bound.extra.length === 1 ? 'one row belongs to none of them' : `${bound.extra.length} rows belong to none of them`
		say('grading-extra', 'error', `${counts}: ${extra}`, 'grade the eval again with the assertions of today')
	}
	if (bound.reworded.length > 0) {
		const some = bound.reworded.join(', ')
		say('grading-reworded', 'notice', `the grader reworded assertion ${some}; bound by position, because the counts agree`)
	}
	const grades = new Map([...bound.rows].map(([index, row]): [number, Grade] => [index, row]))
	const result = collectGrades(definition, grades, timing, problems)
	sayContradiction(grading, say)
	return result
}

function sayContradiction(
	{ claimed, rows }: Grading,
	say: (code: string, severity: Problem['severity'], message: string) => void,
): void {
	const measured = rows.filter(({ outcome }) => outcome !== 'skipped').length
	const passed = rows.filter(({ outcome }) => outcome === 'pass').length
	const differs = (claim: number | undefined, count: number) => claim !== undefined && claim !== count
	if (!claimed || !(differs(claimed.passed, passed) || differs(claimed.total, measured))) return
	const claim = `${claimed.passed ?? '?'} of ${claimed.total ?? '?'} passed`
	say(
		'grading-summary',
		'notice',
		`the grader's own summary says ${claim}, its rows say ${passed} of ${measured}: the rows count`,
	)
}

const NOT_GRADED: Grade = { outcome: 'error', evidence: 'there is no result for this assertion' }

function toResult(definition: AssertionDefinition, grade: Grade): AssertionResult {
	const { outcome, evidence } = definition.skip ? { outcome: 'skipped' as const, evidence: 'skipped by its definition' } : grade
	const votes = definition.skip ? undefined : grade.votes
	return { definition, outcome, evidence, attempts: [{ run: 1, outcome, evidence, ...(votes ? { votes } : {}) }] }
}

/** Counts by outcome; `expected` leaves out the skipped ones. */
export function countOutcomes(results: (Pick<AssertionResult, 'outcome'> & Partial<AssertionResult>)[]): Counts {
	const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length
	const skipped = count('skipped')
	const unarmed = results.filter(isUnarmed).length
	return {
		expected: results.length - skipped,
		passed: count('pass'),
		failed: count('fail'),
		errors: count('error'),
		skipped,
		unarmed,
	}
}

/** It was to be measured, and there was nothing for it to judge. */
export function isUnarmed({ outcome, definition }: Pick<AssertionResult, 'outcome'> & Partial<AssertionResult>): boolean {
	return outcome === 'skipped' && definition !== undefined && !definition.skip
}

/** Something of it was measured, and nothing that applies is without a true or false. */
export function isGraded({ assertions }: EvalResult): boolean {
	const measured = assertions.some(({ outcome }) => outcome === 'pass' || outcome === 'fail')
	return measured && assertions.every(({ outcome }) => outcome !== 'error')
}
