import type { BlindComparison, Neighbours, Suggestion, ToolUse } from '../model.ts'
import { clip, details, group, plural, pre } from './markdown.ts'

/** A block that decides nothing must not push aside what does. */
const MAX_LINES = 10
const LINE_CHARACTERS = 200

/** What other tools say of the same results, folded; undefined if they say nothing. All of their text stands in `pre`. */
export function renderNeighbours(neighbours: Neighbours | undefined): string | undefined {
	if (!neighbours) return undefined
	const { toolUses, runs, history, comparisons, suggestions } = neighbours
	const best = history?.currentBest === undefined ? [] : [`current best: ${history.currentBest}`]
	const blocks = [
		renderToolUses(toolUses, runs),
		renderLines('Versions of the skill, newest first:', [...best, ...(history?.versions.map(formatVersion).reverse() ?? [])]),
		renderLines('Blind comparisons:', comparisons.map(formatComparison)),
		renderLines('Suggestions of an analyser:', suggestions.map(formatSuggestion)),
	].filter((block) => block !== undefined)
	return blocks.length > 0 ? details('What other tools say (it decides nothing)', blocks.join('\n\n')) : undefined
}

/** A run that counted nothing is not one without errors. */
function renderToolUses(uses: ToolUse[], runs: number): string | undefined {
	const parts = (['calls', 'errors'] as const).flatMap((key) => {
		const known = uses.flatMap((use) => use[key] ?? [])
		const sum = known.reduce((total, count) => total + count, 0)
		return known.length > 0
			? [`${plural(sum, `tool ${key.slice(0, -1)}`)} in ${group(known.length)} of ${plural(runs, 'run')}`]
			: []
	})
	return parts.length > 0 ? parts.join(' · ') : undefined
}

function renderLines(title: string, lines: string[]): string | undefined {
	if (lines.length === 0) return undefined
	const rest = lines.length > MAX_LINES ? [`and ${lines.length - MAX_LINES} more`] : []
	const shown = lines.slice(0, MAX_LINES).map((line) => clip(line.replace(/\s+/g, ' '), LINE_CHARACTERS))
	return `${title}\n\n${pre([...shown, ...rest].join('\n'))}`
}

function formatVersion({ version, passRate, result }: NonNullable<Neighbours['history']>['versions'][number]): string {
	return [version, passRate === undefined ? undefined : `pass rate ${passRate}`, result]
		.filter((part) => part !== undefined)
		.join(' · ')
}

function formatComparison({ file, winner, a, b }: BlindComparison): string {
	const scores = a === undefined && b === undefined ? '' : ` (A ${a ?? '?'}, B ${b ?? '?'})`
	return `${winner === 'TIE' ? 'tie' : `${winner} wins`}${scores} · ${file}`
}

function formatSuggestion({ priority, category, text }: Suggestion): string {
	return [priority, category, text].filter((part) => part !== undefined).join(' · ')
}
