import type { EvalResult, SuiteResult } from '../model.ts'
import { compareIds } from './eval-table.ts'
import { formatNumbers } from './failed-assertions.ts'
import { byteLength } from './fit.ts'
import { evalName, inline, plural } from './markdown.ts'

/** How an eval and its numbers are written; the compact way is for results that hardly fit. */
type Style = { legend: string; between: string; write: (id: string, numbers: number[]) => string }

const STYLES: Style[] = [
	{
		legend: 'Failed or not measured, by number:',
		between: ' · ',
		write: (id, numbers) => `${evalName(id)}: ${formatNumbers(numbers)}`,
	},
	{
		legend: 'Failed or not measured, as eval:assertions',
		between: ' ',
		write: (id, numbers) => `${inline(id)}:${formatNumbers(numbers, ',')}`,
	},
]
/** For the word about evals that had no room. */
const REST_BYTES = 60

/** Every assertion that failed or was not measured, a paragraph a suite. What has no room goes as whole evals, with a word about it. */
export function renderFailedIds(suites: SuiteResult[], budgetBytes: number): string {
	const tried = STYLES.map((style) => renderInStyle(suites, style, budgetBytes - REST_BYTES))
	const { blocks, omitted } = tried.find((attempt) => attempt.omitted === 0) ?? tried.at(-1) ?? { blocks: [], omitted: 0 }
	return [...blocks, ...(omitted > 0 ? [`and ${plural(omitted, 'more eval')}`] : [])].join('\n\n')
}

function renderInStyle(suites: SuiteResult[], style: Style, budgetBytes: number): { blocks: string[]; omitted: number } {
	const blocks = [style.legend]
	let room = budgetBytes - byteLength(style.legend)
	let omitted = 0
	for (const { suite, evals } of suites) {
		const entries = [...evals].sort(compareIds).flatMap((evaluation) => writeEntry(evaluation, style))
		const name = `**${inline(suite.skill)}**`
		const shown: string[] = []
		room -= byteLength(name) + 3
		for (const entry of entries) {
			room -= byteLength(entry) + byteLength(style.between)
			if (room < 0) omitted += 1
			else shown.push(entry)
		}
		if (shown.length > 0) blocks.push(`${name} ${shown.join(style.between)}`)
	}
	return { blocks, omitted }
}

function writeEntry({ id, assertions }: EvalResult, { write }: Style): string[] {
	const numbers = assertions
		.filter(({ outcome }) => outcome === 'fail' || outcome === 'error')
		.map(({ definition }) => definition.index)
	return numbers.length > 0 ? [write(id, numbers)] : []
}
