import { countOutcomes } from '../core/collect.ts'
import type { Reason, Result } from '../decision.ts'
import type { Arm } from '../definition.ts'
import type { EvalResult } from '../model.ts'
import { clip } from './markdown.ts'
import { formatProblem } from './notes.ts'
import { collectProblems } from './result-json.ts'
import { HOW, icon } from './words.ts'

/** `3/12 verify-pr eval-4: 9 of 10 passed · 41 s`, printed when a run has been graded. */
export function renderProgress(
	done: number,
	total: number,
	{ skill, arm }: { skill: string; arm: Arm },
	evaluation: EvalResult,
): string {
	const { passed, expected, errors } = countOutcomes(evaluation.assertions)
	const outcome = evaluation.failure
		? `not measured: ${evaluation.failure.sentence}`
		: `${passed} of ${expected} passed${errors > 0 ? `, ${errors} not measured` : ''}`
	const { durationMs, totalTokens } = evaluation.timing
	const facts = [
		outcome,
		durationMs === undefined ? '' : `${Math.round(durationMs / 100) / 10} s`,
		totalTokens === undefined ? '' : `${totalTokens} tokens`,
	]
	const which = arm === 'with_skill' ? '' : ` ${HOW[arm]}`
	return `${done}/${total} ${skill} eval-${evaluation.id}${which}: ${facts.filter((fact) => fact !== '').join(' · ')}`
}

/** What a person reads at the end of a log: every problem, every reason with its evidence, the verdict last. Untrusted text is in it. */
export function renderLog(result: Result): string[] {
	const { decision } = result
	const notes = collectProblems(result)
		.filter(({ severity }) => severity !== 'error')
		.map((problem) => `${problem.severity}: ${formatProblem(problem)}`)
	const reasons = decision.reasons.flatMap((reason) => [
		`${icon(reason.verdict)} ${formatReason(reason)}`,
		...reason.quotes.map((quote) => indent(clip(quote, 500))),
		...(reason.hint === undefined ? [] : [`    → ${reason.hint}`]),
	])
	const { found, blocks, because } = result.weakened ?? { found: [], blocks: true }
	const weaker = blocks ? [] : found.map((reason) => `warning: ${formatReason(reason)} (it does not block: ${because})`)
	return [...weaker, ...notes, ...reasons, `${icon(decision.verdict)} ${decision.verdict}: ${decision.title}`]
}

/** `reporter eval-1: sentence [file:line]` */
function formatReason({ where, sentence, file, line }: Reason): string {
	const place = file === undefined ? '' : ` [${file}${line === undefined ? '' : `:${line}`}]`
	return `${where === '' ? '' : `${where}: `}${sentence}${place}`
}

function indent(text: string): string {
	return text
		.split(/\r\n|\r|\n/)
		.map((line) => `    ${line}`)
		.join('\n')
}
