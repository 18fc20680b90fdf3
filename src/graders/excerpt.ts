import type { OutputFile } from '../model.ts'

/** A part of a text: offsets in UTF-16 units, `end` not included. */
export type Span = { start: number; end: number }

const NAMES_SHOWN = 5
const KINDS = { text: 'text file', binary: 'binary file', link: 'symbolic link', special: 'special file' } as const

/** The text with every CRLF and lone CR as LF. */
export function normalizeLines(text: string): string {
	return text.replace(/\r\n?/g, '\n')
}

/** The line, from 1, that an offset is in; LF, CRLF and CR end a line and belong to it. */
export function lineAt(text: string, offset: number): number {
	let line = 1
	for (let at = 0; at < Math.min(offset, text.length); at++) {
		const code = text.charCodeAt(at)
		if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) line++
	}
	return line
}

/** The line in which the span starts, at most `limit` UTF-16 units of it around the span, `…` where something was left out. */
export function excerptAt(text: string, span: Span, limit = 160): string {
	const line = lineBounds(text, span.start)
	const matchEnd = Math.min(Math.max(span.end, span.start), line.end)
	const spare = Math.max(0, limit - (matchEnd - span.start))
	const start = Math.max(line.start, Math.min(span.start - Math.floor(spare / 2), line.end - limit))
	return cutText(text, line, { start, end: start + limit })
}

/** The first `limit` UTF-16 units of a text, cut between code points, `…` where something was left out. */
export function shorten(text: string, limit = 160): string {
	return cutText(text, { start: 0, end: text.length }, { start: 0, end: limit })
}

/** The last lines of what a process printed, at most `limit` UTF-16 units; a longer last line is cut in front. */
export function lastLines(text: string, limit: number): string {
	const printed = normalizeLines(text).trim()
	if (printed.length <= limit) return printed
	const firstBreak = printed.indexOf('\n', printed.length - limit - 1)
	if (firstBreak !== -1) return printed.slice(firstBreak + 1).trimStart()
	return cutText(printed, { start: 0, end: printed.length }, { start: printed.length - limit, end: printed.length })
}

/** A value as a JSON string, so that line ends and quotes in it can be seen; shortened. */
export function quote(value: string): string {
	return JSON.stringify(shorten(value, 80))
}

/** `1 file`, `1,234 files`. */
export function countOf(count: number, noun: string): string {
	return `${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** `3 text files, 1 binary file, 1,234 bytes: a.md, b.md, …`, with at most five names; `no files` for none. Names are untrusted. */
export function describeFiles(files: readonly OutputFile[]): string {
	if (files.length === 0) return 'no files'
	const kinds = Object.entries(KINDS).flatMap(([kind, noun]) => {
		const count = files.filter((file) => file.kind === kind).length
		return count > 0 ? [countOf(count, noun)] : []
	})
	const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
	return `${[...kinds, countOf(bytes, 'byte')].join(', ')}: ${listNames(files.map((file) => file.path))}`
}

/** At most five names, `…` for the rest. */
export function listNames(names: readonly string[]): string {
	return [...names.slice(0, NAMES_SHOWN), ...(names.length > NAMES_SHOWN ? ['…'] : [])].join(', ')
}

/** What an entry is, in words: `symbolic link`. */
export function nameKind(file: OutputFile): string {
	return KINDS[file.kind]
}

function groupDigits(count: number): string {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

function lineBounds(text: string, offset: number): Span {
	const insideCrLf = text[offset] === '\n' && text[offset - 1] === '\r'
	const at = insideCrLf ? offset - 1 : offset
	// lastIndexOf takes a negative position for 0.
	const start = at === 0 ? 0 : Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1
	const ends = [text.indexOf('\n', at), text.indexOf('\r', at)].filter((end) => end !== -1)
	return { start, end: Math.min(text.length, ...ends) }
}

function cutText(text: string, whole: Span, part: Span): string {
	const start = part.start <= whole.start ? whole.start : part.start + (splitsPair(text, part.start) ? 1 : 0)
	const end = part.end >= whole.end ? whole.end : part.end - (splitsPair(text, part.end) ? 1 : 0)
	const before = start > whole.start ? '…' : ''
	const after = end < whole.end ? '…' : ''
	return `${before}${text.slice(start, end)}${after}`
}

function splitsPair(text: string, at: number): boolean {
	return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1))
}
