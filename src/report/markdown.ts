import { markdownTable } from 'markdown-table'

/**
 * All escaping, and nowhere else. Text from definitions, outputs, graders and file names is hostile: it may hold Markdown, HTML,
 * mentions, references, links and control characters. It stands only in `pre` and `code`, which GitHub's filters leave alone.
 */

/** Characters that change what is read without being seen: bidirectional controls, zero-width, filler and tag characters. Emoji keep their variation selectors. */
const INVISIBLE = /(?![\ufe0e\ufe0f])[\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
/** What acts inside a line, even between HTML tags: emphasis, links, images, code spans, cells, mathematics, and the beginnings of bare addresses. */
const ACTIVE = /[&<>`*[\]\\~|$@]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?=\/\/)|(?<=www)\./gi
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Letters and marks that no rule of Markdown takes for anything else, wherever in a line they stand. */
const PLAIN = /^[\p{L}\p{N}("'“‘][\p{L}\p{N} ,.;:?!%()'’"“”‘/…·+=→−-]*$/u
/** What GitHub links or replaces although it is made of plain letters: addresses, issues, advisories, commits, emoji; and a list's number. */
const REFERENCE = /www\.|:\/\/|:[\w+-]+:|\bgh-\d|\bghsa-|\b[0-9a-f]{7,40}\b|^\d+[.)](?: |$)/i

/** At most so many code points, with a word about the rest. Cut before escaping, so that no entity is cut. */
export function clip(text: string, maxCharacters: number): string {
	if (text.length <= maxCharacters) return text
	const characters = [...text]
	if (characters.length <= maxCharacters) return text
	return `${characters.slice(0, maxCharacters).join('')}… (${plural(characters.length - maxCharacters, 'more character')})`
}

/** A block of its own. It must begin its line: after other text its content would be read as Markdown. */
export function pre(text: string): string {
	return `<pre>${escapeHtml(text).replace(/\r\n|\r|\n/g, '&#10;')}</pre>`
}

/** Inside a line. What stands between the tags is still read as Markdown, so every character that means something there is an entity. */
export function code(text: string): string {
	const escaped = showInvisible(text).replace(/\s+/g, ' ').replace(ACTIVE, escapeActive)
	return `<code>${escaped}</code>`
}

/** An address of mail is recognised after entities have been decoded; only something that stands between its parts prevents it. */
function escapeActive(character: string): string {
	return `${character === '@' ? '<!-- -->' : ''}${ENTITIES[character] ?? `&#${character.charCodeAt(0)};`}`
}

/** A sentence or a name in a line: as it is where nothing in it can be more than letters, else as code. */
export function inline(text: string): string {
	return text === '' || isPlain(text) ? text : code(text)
}

function isPlain(text: string): boolean {
	// Within a word an underscore is no emphasis.
	const words = text.replace(/(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])/g, '-')
	return PLAIN.test(words) && !REFERENCE.test(words) && showInvisible(text) === text
}

/** An eval as everybody names it, after its directory. */
export function evalName(id: string): string {
	return inline(`eval-${id}`)
}

/** A link to a place of ours. In: what the label is as HTML, and the address with its parts already encoded. */
export function link(label: string, address: string): string {
	return `<a href="${escapeHtml(address)}">${label}</a>`
}

/** A table. What comes in here holds no pipe and no line break. */
export function table(rows: string[][], align: ('l' | 'r' | '')[]): string {
	return markdownTable(rows, { align, padding: true, alignDelimiters: false })
}

/** A fold. The blank lines are needed: only after one is Markdown read inside. */
export function details(summary: string, body: string, open = false): string {
	return `<details${open ? ' open' : ''}>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`
}

/** Of a whole, rounded down: 100% only if nothing is missing, 0% only if nothing passed. */
export function percent(part: number, whole: number): string {
	if (!(whole > 0)) return 'n/a'
	const floor = Math.floor((part * 100) / whole)
	return floor === 0 && part > 0 ? '<1%' : `${floor}%`
}

/** With commas. */
export function group(value: number): string {
	return String(Math.trunc(value)).replace(/\B(?=(\d{3})+$)/g, ',')
}

export function plural(count: number, noun: string): string {
	return `${group(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The text with everything in it that cannot be seen made visible, and no half of a surrogate pair. */
export function showInvisible(text: string): string {
	return text
		.toWellFormed()
		.replace(CONTROL, '\ufffd')
		.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

function escapeHtml(text: string): string {
	return showInvisible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
