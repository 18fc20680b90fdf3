import type { Decision, Provenance, Result } from '../decision.ts'
import type { SuiteResult, Verdict } from '../model.ts'
import { formatLabel } from './aggregate-lines.ts'
import type { Detail } from './detail.ts'
import { renderFailedIds } from './failed-ids.ts'
import { byteLength, COMMENT_BYTES, renderToFit, STEP_SUMMARY_BYTES } from './fit.ts'
import { code, details, inline, link, table } from './markdown.ts'
import { renderNotes } from './notes.ts'
import { renderReasons } from './reasons.ts'
import { renderSuite } from './summary.ts'
import { renderWeakening } from './weakening.ts'
import { describeChanges, describeCounts, icon } from './words.ts'

const SHORTENED =
	'Not everything fits here: the rest is in the summary of this job, else in its files `summary.md` and `result.json`.'

/**
 * The pull request comment. First line the marker, second the verdict; then what blocks, with evidence; then the suites.
 * At most 60,000 bytes: detail goes before any id that failed does.
 */
export function renderComment(result: Result, key: string): string {
	const marker = renderMarker(key)
	return `${marker}\n${renderWithin(result, COMMENT_BYTES - byteLength(marker) - 1)}`
}

/** The same without a marker, with a step summary's limit. */
export function renderStepSummary(result: Result): string {
	return renderWithin(result, STEP_SUMMARY_BYTES)
}

/** The same for a check run, whose summary has nearly a comment's limit. */
export function renderCheckSummary(result: Result): string {
	return renderWithin(result, COMMENT_BYTES)
}

/** The comment's first line. The key is JSON, with what could end an HTML comment written as escapes. */
export function renderMarker(key: string): string {
	const json = JSON.stringify({ key }).replace(/[<>&]|-(?=-)/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
	return `<!-- skill-eval-gate:1 ${json} -->`
}

function renderWithin(result: Result, budgetBytes: number): string {
	return renderToFit(
		(detail) => renderBody(result, detail),
		(bytes) => renderShortest(result, bytes),
		budgetBytes,
	)
}

/** A suite and what the gate says of it alone. */
type Judged = { suite: SuiteResult; verdict: Verdict }

function pairVerdicts({ suites, decision }: Result): Judged[] {
	return suites.map((suite, at) => ({ suite, verdict: decision.suites[at] ?? 'incomplete' }))
}

function renderBody(result: Result, detail: Detail): string {
	const { decision, problems, provenance } = result
	const suites = pairVerdicts(result)
	const single = suites.length === 1 ? suites[0] : undefined
	return [
		renderTitle(decision),
		renderWeakening(result.weakened, detail, provenance),
		...renderReasons(decision.reasons, detail, provenance, suites.length > 0),
		detail.evidenceCharacters === 0 ? SHORTENED : undefined,
		...(single ? [renderSuite(single.suite, single.verdict, detail)] : renderSuites(suites, detail)),
		detail.notes ? renderNotes(problems) : undefined,
		`---\n${renderFooter(provenance)}`,
	]
		.filter((block) => block !== undefined)
		.join('\n\n')
}

function renderTitle({ verdict, title }: Decision): string {
	return `### ${icon(verdict)} ${title}`
}

/** One row a suite, then each suite's own summary: open where it blocks. */
function renderSuites(suites: Judged[], detail: Detail): string[] {
	return suites.length === 0 ? [] : [renderOverview(suites), ...suites.map((judged) => renderFolded(judged, detail))]
}

function renderOverview(suites: Judged[]): string {
	const compared = suites.some(({ suite }) => suite.comparison)
	const header = ['Suite', 'Passed', 'Failed', 'Not measured', ...(compared ? ['Against the baseline'] : [])]
	const rows = suites.map(({ suite, verdict }) => [
		`${icon(verdict)} ${inline(suite.suite.skill)}`,
		`${suite.counts.all.passed}/${suite.counts.all.expected}`,
		String(suite.counts.all.failed),
		String(suite.counts.all.errors),
		...(compared ? [describeComparison(suite)] : []),
	])
	return table([header, ...rows], ['l', 'r', 'r', 'r', ...(compared ? (['l'] as const) : [])])
}

function describeComparison(suite: SuiteResult): string {
	if (!suite.comparison) return 'no baseline yet'
	return `${describeChanges(suite).join(', ') || 'no change'} against ${formatLabel(suite.comparison.label)}`
}

function renderFolded({ suite, verdict }: Judged, detail: Detail): string {
	const summary = `${icon(verdict)} <b>${inline(suite.suite.skill)}</b>: ${describeCounts(suite.counts)}`
	return details(summary, renderSuite(suite, verdict, detail), verdict !== 'pass')
}

/** When even the shortest tier is too long: the verdict, the totals and the ids that failed, as many as there is room for. */
function renderShortest(result: Result, budgetBytes: number): string {
	const overview = result.suites.length > 1 ? renderOverview(pairVerdicts(result)) : ''
	const head = [renderTitle(result.decision), SHORTENED, ...(byteLength(overview) < budgetBytes / 2 ? [overview] : [])]
	const foot = `---\n${renderFooter(result.provenance)}`
	const frameBytes = byteLength([...head, '', foot].join('\n\n'))
	return [...head, renderFailedIds(result.suites, budgetBytes - frameBytes), foot].filter((block) => block !== '').join('\n\n')
}

function renderFooter({ commit, run, agent, judge, version }: Provenance): string {
	const parts = [
		commit === undefined ? '' : `commit ${code(commit.slice(0, 7))}`,
		run === undefined ? '' : link(`run ${inline(run.number)}, attempt ${inline(run.attempt)}`, run.url),
		agent === 'none' ? '' : `agent ${inline(agent)}`,
		judge === 'none' ? '' : `judge ${inline(judge)}`,
		`Skill Eval Gate ${version}`,
	]
	return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`
}
