import { isUnarmed } from '../core/collect.ts'
import type { AssertionResult, EvalResult, Failure } from '../model.ts'
import type { Detail } from './detail.ts'
import { compareIds } from './eval-table.ts'
import { clip, details, evalName, inline, plural, pre, showInvisible } from './markdown.ts'

/** Of what an agent or a tool printed before it gave up. */
const QUOTE_CHARACTERS = 1000

/** `### Failed Assertions`, a fold an eval, as run-evals' readers parse it; undefined if none failed. */
export function renderFailedAssertions(evals: EvalResult[], detail: Detail): string | undefined {
	const isFailed = ({ outcome, definition }: AssertionResult) => outcome === 'fail' && definition.type !== 'capability'
	return renderSection('### Failed Assertions', isFailed, (count) => plural(count, 'failing assertion'), evals, detail)
}

/** What the skill is not yet expected to do always, apart from what it did before. It blocks just so. */
export function renderFailedProbes(evals: EvalResult[], detail: Detail): string | undefined {
	const isFailed = ({ outcome, definition }: AssertionResult) => outcome === 'fail' && definition.type === 'capability'
	return renderSection('### Failed Capability Probes', isFailed, (count) => plural(count, 'failing probe'), evals, detail)
}

/** What turned out not to apply, with the reason. */
export function renderUnarmed(evals: EvalResult[], detail: Detail): string | undefined {
	return renderSection('### Not Applicable', isUnarmed, (count) => plural(count, 'skipped assertion'), evals, detail)
}

/** The same for what has no result; kept apart, because it says nothing about the skill. */
export function renderNotMeasured(evals: EvalResult[], detail: Detail): string | undefined {
	return renderSection(
		'### Not Measured',
		({ outcome }) => outcome === 'error',
		(count) => `${plural(count, 'assertion')} without a result`,
		evals,
		detail,
	)
}

type Summarise = (count: number) => string

function renderSection(
	heading: string,
	isConcerned: (result: AssertionResult) => boolean,
	summarise: Summarise,
	evals: EvalResult[],
	detail: Detail,
): string | undefined {
	const concerned = [...evals].sort(compareIds).flatMap((evaluation) => {
		const results = evaluation.assertions.filter(isConcerned)
		return results.length > 0 ? [renderEval(evaluation, results, summarise, detail)] : []
	})
	return concerned.length > 0 ? [heading, ...concerned].join('\n\n') : undefined
}

function renderEval(evaluation: EvalResult, results: AssertionResult[], summarise: Summarise, detail: Detail): string {
	const summary = `${evalName(evaluation.id)}: ${summarise(results.length)}`
	if (detail.textCharacters === 0)
		return details(summary, `Assertions ${formatNumbers(results.map(({ definition }) => definition.index))}`)
	// A failure of the whole eval is said once, not once an assertion.
	const shared = evaluation.failure ? [renderFailure(evaluation.failure)] : []
	const blocks = results.map((result) => renderAssertion(result, detail, !evaluation.failure))
	return details(summary, [...shared, ...blocks].join('\n\n'))
}

function renderFailure({ sentence, quotes, hint }: Failure): string {
	const lines = [inline(clip(sentence, QUOTE_CHARACTERS)), ...quotes.map((quote) => pre(clip(quote, QUOTE_CHARACTERS)))]
	return [...lines, ...(hint === undefined ? [] : [`→ ${inline(clip(hint, QUOTE_CHARACTERS))}`])].join('\n')
}

function renderAssertion({ definition, evidence, change }: AssertionResult, detail: Detail, withEvidence: boolean): string {
	const id = definition.id === undefined ? '' : ` (${inline(definition.id)})`
	const facts = [
		`severity ${definition.severity}`,
		definition.type === 'capability' ? 'capability probe' : '',
		change ?? '',
	].filter((fact) => fact !== '')
	const lines = [
		`**Assertion** ${definition.index}${id} · ${facts.join(' · ')}`,
		pre(clip(definition.text, detail.textCharacters)),
	]
	if (withEvidence && detail.evidenceCharacters > 0) lines.push(...renderEvidence(evidence, detail.evidenceCharacters))
	return lines.join('\n')
}

export function renderEvidence(evidence: string, maxCharacters: number): string[] {
	return ['**Evidence**', pre(clip(showInvisible(evidence).trim() === '' ? '(none)' : evidence, maxCharacters))]
}

/** `1-3, 7`: short enough to be shown for every assertion that failed. */
export function formatNumbers(numbers: number[], between = ', '): string {
	const ranges: [number, number][] = []
	for (const number of [...numbers].sort((a, b) => a - b)) {
		const last = ranges.at(-1)
		if (last && number === last[1] + 1) last[1] = number
		else ranges.push([number, number])
	}
	return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(between)
}
