import type { View } from '../graders/session/view.ts'

const TEXT_CHARACTERS = 2000
const INPUT_CHARACTERS = 500
/** More than this is cut in the middle, which is said: how a session begins and how it ends says most. */
const TOTAL_CHARACTERS = 150_000
const HEAD_SHARE = 0.6

/** What a judge reads of a session: who said what and which tools were called, in order. Results of tools are not in it. */
export function renderTranscript(view: View): string {
	const lines = [
		...view.prompts.map(({ at, text }) => ({ at, line: `[#${at}] user: ${clip(text, TEXT_CHARACTERS)}` })),
		...view.texts.map(({ at, text }) => ({ at, line: `[#${at}] assistant: ${clip(text, TEXT_CHARACTERS)}` })),
		...view.toolCalls.map(({ at, name, input, nested, result }) => {
			const by = nested ? 'sub-agent tool' : 'tool'
			const end = result === undefined || result === 'ok' ? '' : ` (${result})`
			return { at, line: `[#${at}] ${by} ${name}${end}: ${clip(JSON.stringify(input) ?? '', INPUT_CHARACTERS)}` }
		}),
	].toSorted((a, b) => a.at - b.at)
	const head = `Session of ${view.agent}, ${view.label}, ${lines.length} entries. Not recorded: ${view.unrecorded.join(', ') || 'nothing'}.`
	return [head, ...cutMiddle(lines.map(({ line }) => line))].join('\n')
}

function cutMiddle(lines: string[]): string[] {
	const total = lines.reduce((sum, { length }) => sum + length + 1, 0)
	if (total <= TOTAL_CHARACTERS) return lines
	const first = take(lines, TOTAL_CHARACTERS * HEAD_SHARE)
	const last = take(lines.slice(first.length).reverse(), TOTAL_CHARACTERS * (1 - HEAD_SHARE)).reverse()
	const left = lines.length - first.length - last.length
	return [...first, `[… ${left} entries are left out here …]`, ...last]
}

function take(lines: string[], limit: number): string[] {
	const taken: string[] = []
	let used = 0
	for (const line of lines) {
		used += line.length + 1
		if (used > limit) break
		taken.push(line)
	}
	return taken
}

function clip(text: string, limit: number): string {
	return text.length <= limit ? text : `${text.slice(0, limit)} […${text.length - limit} characters left out]`.toWellFormed()
}
