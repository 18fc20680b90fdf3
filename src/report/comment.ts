import type { Provenance, Reason, Result, SuiteResult } from '../model.ts'
import { renderBlobLink } from './address.ts'
import { formatLabel } from './aggregate-lines.ts'
import type { Detail } from './detail.ts'
import { formatNumbers } from './failed-assertions.ts'
import { COMMENT_BYTES, renderToFit, STEP_SUMMARY_BYTES } from './fit.ts'
import { clip, code, details, inline, link, plural, pre, skillName, table } from './markdown.ts'
import { renderSuite } from './summary.ts'
import { describeChanges, describeSuite, icon } from './words.ts'

/**
 * The pull request comment. First line the marker, second the verdict; then what blocks, with evidence; then the suites.
 * At most 60,000 bytes: detail goes before any id that failed does.
 */
export function renderComment(result: Result, key: string): string {
	const marker = renderMarker(key)
	return renderToFit(
		(detail) => `${marker}\n${renderBody(result, detail)}`,
		() => `${marker}\n${renderShortest(result)}`,
		COMMENT_BYTES,
	)
}

/** The same without a marker, with a step summary's limit. */
export function renderStepSummary(result: Result): string {
	return renderToFit(
		(detail) => renderBody(result, detail),
		() => renderShortest(result),
		STEP_SUMMARY_BYTES,
	)
}

/** The comment's first line. The key is JSON, with what could end an HTML comment written as escapes. */
export function renderMarker(key: string): string {
	const json = JSON.stringify({ key }).replace(/[-<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
	return `<!-- skill-eval-gate:1 ${json} -->`
}

function renderBody(result: Result, detail: Detail): string {
	const { decision, suites, provenance } = result
	const single = suites.length === 1 ? suites[0] : undefined
	return [
		`### ${icon(decision.verdict)} ${decision.title}`,
		...renderLeading(decision.reasons, detail, provenance),
		...(detail.textCharacters === 0 ? [renderIds(suites)] : []),
		...(single ? [renderSuite(single, detail)] : renderSuites(suites, detail)),
		`---\n${renderFooter(provenance)}`,
	].join('\n\n')
}

/** What blocks, before any table. */
function renderLeading(reasons: Reason[], detail: Detail, provenance: Provenance): string[] {
	const shown = reasons.slice(0, detail.leading).map((reason) => renderReason(reason, detail, provenance))
	const rest = reasons.length - shown.length
	return rest > 0 && detail.leading > 0 ? [...shown, `and ${plural(rest, 'more reason')}, listed below`] : shown
}

function renderReason(reason: Reason, detail: Detail, provenance: Provenance): string {
	const facts = [
		reason.where === '' ? '' : `**${inline(reason.where)}**`,
		inline(reason.sentence),
		renderPlace(reason, provenance),
	]
	const [text, ...evidence] = reason.quotes
	const lines = [facts.filter((fact) => fact !== '').join(' · ')]
	if (text !== undefined) lines.push(pre(clip(text, detail.textCharacters)))
	if (detail.evidenceCharacters > 0) lines.push(...evidence.map((quote) => pre(clip(quote, detail.evidenceCharacters))))
	if (reason.hint !== undefined) lines.push(`→ ${inline(reason.hint)}`)
	return lines.join('\n')
}

function renderPlace({ file, line }: Reason, provenance: Provenance): string {
	if (file === undefined) return ''
	const label = code(line === undefined ? file : `${file}:${line}`)
	return provenance.blobUrl === undefined ? label : renderBlobLink(label, provenance.blobUrl, file, line)
}

/** One row a suite, then each suite's own summary: open where it blocks. */
function renderSuites(suites: SuiteResult[], detail: Detail): string[] {
	if (suites.length === 0) return []
	const compared = suites.some(({ comparison }) => comparison)
	const header = ['Suite', 'Passed', 'Failed', 'Not measured', ...(compared ? ['Against the baseline'] : [])]
	const rows = suites.map((suite) => [
		skillName(suite.suite.skill),
		`${suite.counts.all.passed}/${suite.counts.all.expected}`,
		String(suite.counts.all.failed),
		String(suite.counts.all.errors),
		...(compared ? [describeComparison(suite)] : []),
	])
	const overview = table([header, ...rows], ['l', 'r', 'r', 'r', ...(compared ? (['l'] as const) : [])])
	return [overview, ...suites.map((suite) => renderFolded(suite, detail))]
}

function describeComparison(suite: SuiteResult): string {
	if (!suite.comparison) return 'no baseline yet'
	return `${describeChanges(suite).join(', ') || 'no change'} against ${formatLabel(suite.comparison.label)}`
}

function renderFolded(suite: SuiteResult, detail: Detail): string {
	const { verdict, sentence } = describeSuite(suite)
	return details(`<b>${skillName(suite.suite.skill)}</b>: ${sentence}`, renderSuite(suite, detail), verdict !== 'pass')
}

/** Every id that failed or was not measured, as short as can be; one line a suite. Real suites need a few hundred characters. */
function renderIds(suites: SuiteResult[]): string {
	const room = Math.floor(COMMENT_BYTES / 2 / Math.max(1, suites.length))
	const lines = suites.flatMap((suite) => {
		const parts = suite.evals.flatMap(({ id, assertions }) => {
			const numbers = assertions
				.filter(({ outcome }) => outcome === 'fail' || outcome === 'error')
				.map(({ definition }) => definition.index)
			return numbers.length > 0 ? [`eval-${id}: ${formatNumbers(numbers)}`] : []
		})
		return parts.length > 0 ? [`**${skillName(suite.suite.skill)}** ${code(clip(parts.join(' · '), room))}`] : []
	})
	return ['Failed or not measured, by number (their texts did not fit here):', ...lines].join('\n\n')
}

/** When even that is too long: the verdict, the totals and the ids. */
function renderShortest(result: Result): string {
	const { decision, suites, provenance } = result
	const blocks = [`### ${icon(decision.verdict)} ${decision.title}`, renderIds(suites), renderFooter(provenance)]
	return blocks.join('\n\n')
}

function renderFooter({ commit, run, agent, judge, version }: Provenance): string {
	const parts = [
		commit === undefined ? '' : `commit ${code(commit.slice(0, 7))}`,
		run === undefined ? '' : link(`run ${inline(run.number)}, attempt ${inline(run.attempt)}`, run.url),
		`agent ${inline(agent)}`,
		`judge ${inline(judge)}`,
		`Skill Eval Gate ${version}`,
	]
	return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`
}
