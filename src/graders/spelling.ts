/** Names that authors bring from other tools, and what they are called here. */
const ALIASES = new Map([
	...['llm', 'ai', 'llm-judge', 'llm-rubric', 'rubric', 'model', 'model-graded'].map((alias) => [alias, 'judge'] as const),
	...[
		'contains-all',
		'icontains',
		'includes',
		'substring',
		'string-contains',
		'output-contains',
		'file-contains',
		'must-include',
	].map((alias) => [alias, 'contains'] as const),
	...['not-contains-any', 'excludes', 'output-not-contains', 'file-not-contains', 'must-not-include'].map(
		(alias) => [alias, 'not-contains'] as const,
	),
	...['regexp', 'regex-match', 'matches', 'pattern', 'output-matches', 'contains-any'].map((alias) => [alias, 'regex'] as const),
	...['not-matches', 'output-not-matches', 'regex-not-match'].map((alias) => [alias, 'not-regex'] as const),
	...['equal', 'exact', 'exact-match', 'string-match'].map((alias) => [alias, 'equals'] as const),
	...['exists'].map((alias) => [alias, 'file-exists'] as const),
	...['not-exists', 'file-absent'].map((alias) => [alias, 'file-not-exists'] as const),
	...['schema', 'jsonschema', 'is-json', 'valid-json'].map((alias) => [alias, 'json-schema'] as const),
	...['script', 'shell', 'exec', 'run', 'code', 'program', 'exit-success'].map((alias) => [alias, 'command'] as const),
])

/** The one of `known` that was probably meant: `_` for `-`, a name from another tool, or at most two slips; undefined if none is near. */
export function guessName(name: string, known: readonly string[]): string | undefined {
	const plain = name
		.trim()
		.toLowerCase()
		.replace(/[_\s]+/g, '-')
		.slice(0, 64)
	const alias = ALIASES.get(plain)
	if (known.includes(plain)) return plain
	if (alias !== undefined && known.includes(alias)) return alias
	const ranked = known.map((candidate) => ({ candidate, distance: countEdits(plain, candidate) }))
	const nearest = ranked.sort((a, b) => a.distance - b.distance)[0]
	return nearest && nearest.distance <= Math.min(2, Math.floor(plain.length / 3)) ? nearest.candidate : undefined
}

/** Levenshtein distance, in UTF-16 units. */
function countEdits(from: string, to: string): number {
	let row = Array.from({ length: to.length + 1 }, (_, at) => at)
	for (let i = 0; i < from.length; i++) {
		const next = [i + 1]
		for (let j = 0; j < to.length; j++) {
			const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
			next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
		}
		row = next
	}
	return row[to.length] ?? 0
}
