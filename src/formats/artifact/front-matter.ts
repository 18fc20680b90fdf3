/** YAML between a first line `---` and the next one; the rest is the artifact's own text. */
export type FrontMatter =
	| { kind: 'none'; body: string }
	| { kind: 'open' }
	| { kind: 'yaml'; yaml: string; linesBefore: number; body: string }

/** Only a plain `---` opens it: `---js` and the like are executed by some readers, and never by this one. */
export function splitFrontMatter(text: string): FrontMatter {
	const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
	if (!/^---[ \t]*$/.test(lines[0] ?? '')) return { kind: 'none', body: text }
	const end = lines.findIndex((line, at) => at > 0 && /^(---|\.\.\.)[ \t]*$/.test(line))
	if (end === -1) return { kind: 'open' }
	return { kind: 'yaml', yaml: lines.slice(1, end).join('\n'), linesBefore: 1, body: lines.slice(end + 1).join('\n') }
}
