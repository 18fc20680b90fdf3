import { markdownTable } from 'markdown-table'

/**
 * All escaping, and nowhere else. Text from definitions, outputs, graders and file names is hostile: it may hold Markdown, HTML,
 * mentions, references, links and control characters. It stands only in `pre` and `code`, which GitHub's filters leave alone.
 */

/** Characters that change what is read without being seen: bidirectional controls, zero-width and tag characters. */
const INVISIBLE = /[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** At most so many code points, with a word about the rest. Cut before escaping, so that no entity is cut. */
export function clip(text: string, maxCharacters: number): string {
	const characters = [...text]
	if (characters.length <= maxCharacters) return text
	return `${characters.slice(0, maxCharacters).join('')}… (${group(characters.length - maxCharacters)} more characters)`
}

/** A block of its own. It must begin its line: after other text its content would be read as Markdown. */
export function pre(text: string): string {
	return `<pre>${escapeHtml(text).replace(/\r\n|\r|\n/g, '&#10;')}</pre>`
}

/** Inside a line. */
export function code(text: string): string {
	return `<code>${escapeHtml(text).replace(/\s+/g, ' ')}</code>`
}

/** A sentence in a line: as it is where nothing in it can be more than letters, else as code. */
export function inline(text: string): string {
	const isPlain = /^[\p{L}\p{N} ,.;:%()'’/…·+-]*$/u.test(text) && !/www\.|:\/\/|^\s|\d{7}|[0-9a-f]{7}/i.test(text)
	return isPlain ? text : code(text)
}

/** A validated skill name in a heading or a cell. `www.` is the one thing in it that would become a link. */
export function skillName(name: string): string {
	return name.replace(/www\./gi, (found) => `${found.slice(0, -1)}&#46;`)
}

/** A link to a place of ours. In: what the label is as HTML, and the address with its parts already encoded. */
export function link(label: string, address: string): string {
	return `<a href="${escapeHtml(address)}">${label}</a>`
}

/** A table of validated cells: what comes in here holds no pipe and no line break. */
export function table(rows: string[][], align: ('l' | 'r' | '')[]): string {
	return markdownTable(
		rows.map((row) => row.map((cell) => cell.replace(/\|/g, '&#124;').replace(/\s+/g, ' '))),
		{ align, padding: true, alignDelimiters: false },
	)
}

/** A fold. The blank lines are needed: only after one is Markdown read inside. */
export function details(summary: string, body: string, open = false): string {
	return `<details${open ? ' open' : ''}>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`
}

/** Of a whole, rounded down: 100% only if nothing is missing, 0% only if nothing passed. */
export function percent(part: number, whole: number): string {
	if (!(whole > 0)) return 'n/a'
	const floor = Math.floor((part / whole) * 100)
	return floor === 0 && part > 0 ? '<1%' : `${floor}%`
}

/** With commas. */
export function group(value: number): string {
	return String(Math.trunc(value)).replace(/\B(?=(\d{3})+$)/g, ',')
}

export function plural(count: number, noun: string): string {
	return `${group(count)} ${noun}${count === 1 ? '' : 's'}`
}

function escapeHtml(text: string): string {
	return text
		.replace(CONTROL, '\ufffd')
		.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
}
