import { isExpected } from '../core/aggregate.ts'
import type { OtherArm } from '../definition.ts'
import type { Change, SuiteResult, Verdict } from '../model.ts'
import { plural } from './markdown.ts'

const ICONS: Record<Verdict, string> = { pass: '✅', fail: '❌', incomplete: '⚠️', invalid: '⛔' }

/** Unicode marks, because shortcodes stay text in some of the places where a summary is read. */
export function icon(verdict: Verdict): string {
	return ICONS[verdict]
}

/** A suite's numbers in a sentence. */
export function describeSuite(suite: SuiteResult): string {
	const { all, error } = suite.counts
	const expected = suite.evals.filter(isExpected).length
	const tolerated = all.failed - error.failed
	const parts = [
		`${all.passed} of ${plural(all.expected, 'assertion')} passed`,
		tolerated > 0 ? `${tolerated} failed without blocking` : '',
		all.errors > 0 ? `${all.errors} not measured` : '',
		all.skipped > 0 ? `${all.skipped} skipped` : '',
		...describeChanges(suite),
		`${suite.evalsGraded} of ${plural(expected, 'eval')} graded`,
	]
	return parts.filter((part) => part !== '').join(' · ')
}

/** A suite in a few words. */
export function describeCounts({ all, error }: SuiteResult['counts']): string {
	const tolerated = all.failed - error.failed
	const parts = [
		`${all.passed} of ${plural(all.expected, 'assertion')} passed`,
		error.failed > 0 ? `${error.failed} failed` : '',
		tolerated > 0 ? `${tolerated} failed without blocking` : '',
		all.errors > 0 ? `${all.errors} not measured` : '',
	]
	return parts.filter((part) => part !== '').join(', ')
}

/** `1 regression`, `2 fixed`: what differs from the baseline, worst first. */
export function describeChanges({ evals, comparison }: SuiteResult): string[] {
	if (!comparison) return []
	const results = evals.flatMap(({ assertions }) => assertions)
	const count = (change: Change, outcome?: string) =>
		results.filter((result) => result.change === change && (outcome === undefined || result.outcome === outcome)).length
	const failing = (change: Change) => count(change, 'fail')
	return [
		failing('regression') > 0 ? plural(failing('regression'), 'regression') : '',
		failing('new') > 0 ? `${failing('new')} new and failing` : '',
		failing('pre-existing') > 0 ? `${failing('pre-existing')} failing as before` : '',
		count('fixed') > 0 ? `${count('fixed')} fixed` : '',
		comparison.removed.length > 0 ? `${comparison.removed.length} removed` : '',
	].filter((part) => part !== '')
}

/** How another arm is named in a sentence. */
export const HOW: Record<OtherArm, string> = { without_skill: 'without the skill', old_skill: 'with the old skill' }
