import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Problem, Read } from '../definition.ts'

/** Deeper values make JSON.stringify and recursive checks throw (measured from 10,000 levels on); no real file comes near. */
const MAX_DEPTH_LEVELS = 100

export type Path = (string | number)[]
export type Position = { pointer: string; line: number; column: number }
/** A parsed file that still knows where each value stands. */
export type JsonDocument = { value: unknown; locate: (path: Path) => Position }

/**
 * Strict JSON (RFC 8259): no comments, no trailing commas, no duplicate keys, at most 100 levels.
 * In: the text and the name to show. Out: the value with positions, or every fault with line and column.
 */
export function parseJson(text: string, file: string): Read<JsonDocument> {
	const lineStarts = findLineStarts(text)
	const fault = (code: string, offset: number, message: string, hint?: string): Problem => {
		return { code, severity: 'error', file, ...positionAt(lineStarts, offset), message, hint }
	}
	if (text.trim() === '') return { problems: [fault('json-empty', 0, 'the file is empty', 'write a JSON document into it')] }
	if (measureDepth(text) > MAX_DEPTH_LEVELS) {
		return { problems: [fault('json-depth', 0, `the file is nested more than ${MAX_DEPTH_LEVELS} levels deep`)] }
	}
	const errors: ParseError[] = []
	const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
	const first = errors[0]
	const strict = parseStrictly(text)
	if (first || !tree || !strict.ok) {
		const sentence = first ? (SYNTAX[printParseErrorCode(first.error)] ?? 'this is not valid JSON') : 'this is not valid JSON'
		return {
			problems: [fault('json-syntax', first?.offset ?? 0, sentence, 'repair the file by hand; a partial file is never read')],
		}
	}
	const faults = [
		...findDuplicateKeys(tree).map((key) =>
			fault('json-duplicate-key', key.offset, `the key ${quoteKey(key)} appears twice in one object`),
		),
		...findHalfCharacters(tree).map(({ offset }) =>
			fault('json-surrogate', offset, 'this text holds half of a surrogate pair: it was cut inside a character'),
		),
	]
	if (faults.length > 0) return { problems: faults }
	const locate = (path: Path) => {
		return { pointer: toPointer(path), ...positionAt(lineStarts, nearestNode(tree, path).offset) }
	}
	return { value: { value: strict.value, locate }, problems: [] }
}

/** RFC 6901. */
export function toPointer(path: Path): string {
	return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** A value that is neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a value is, in a reader's words: `a list`, `null`, `the text "yes"`. */
export function describeValue(value: unknown): string {
	if (value === undefined) return 'missing'
	if (value === null) return 'null'
	if (Array.isArray(value)) return 'a list'
	if (typeof value === 'object') return 'an object'
	if (typeof value === 'string') return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`
	return `the ${typeof value} ${String(value)}`
}

const SYNTAX: Record<string, string> = {
	InvalidSymbol: 'this word is not valid JSON (it needs quotes, or a quote before it is not escaped)',
	InvalidNumberFormat: 'this number is not written as JSON writes numbers',
	PropertyNameExpected: 'a key in double quotes is expected here (a trailing comma, perhaps)',
	ValueExpected: 'a value is expected here (a trailing comma, perhaps)',
	ColonExpected: 'a colon is expected here',
	CommaExpected: 'a comma is expected here (or a quote before it is not escaped)',
	CloseBraceExpected: 'the file ends before its closing brace: it is cut off',
	CloseBracketExpected: 'the file ends before its closing bracket: it is cut off',
	EndOfFileExpected: 'there is text after the end of the document',
	InvalidCommentToken: 'JSON has no comments',
	UnexpectedEndOfComment: 'JSON has no comments',
	UnexpectedEndOfString: 'this text has no closing quote (or a line break inside that is not written as \\n)',
	UnexpectedEndOfNumber: 'this number is cut off',
	InvalidUnicode: 'this \\u escape is not valid',
	InvalidEscapeCharacter: 'this backslash escape is not valid',
	InvalidCharacter: 'this character must be escaped inside a text',
}

function parseStrictly(text: string): { ok: true; value: unknown } | { ok: false } {
	try {
		return { ok: true, value: JSON.parse(text) }
	} catch {
		return { ok: false }
	}
}

/** By characters, because the tree parser recurses and would overflow the stack on hostile depth. */
function measureDepth(text: string): number {
	let depth = 0
	let deepest = 0
	let inString = false
	for (let at = 0; at < text.length; at++) {
		const character = text[at]
		if (inString && character === '\\') at++
		else if (character === '"') inString = !inString
		else if (!inString && (character === '{' || character === '[')) deepest = Math.max(deepest, ++depth)
		else if (!inString && (character === '}' || character === ']')) depth--
	}
	return deepest
}

/** The key nodes that repeat an earlier key of their object; JSON.parse would silently keep the last. */
function findDuplicateKeys(node: Node): Node[] {
	const children = node.children ?? []
	if (node.type !== 'object') return children.flatMap(findDuplicateKeys)
	const seen = new Set<string>()
	return children.flatMap((property) => {
		const [key, value] = property.children ?? []
		const repeated = key !== undefined && seen.has(key.value)
		if (key) seen.add(key.value)
		return [...(repeated ? [key] : []), ...(value ? findDuplicateKeys(value) : [])]
	})
}

/** Texts that are not well-formed: written out, such a character would become another one. */
function findHalfCharacters(node: Node): Node[] {
	if (node.type === 'string') return (node.value as string).isWellFormed() ? [] : [node]
	return (node.children ?? []).flatMap(findHalfCharacters)
}

function quoteKey(node: Node): string {
	return JSON.stringify(getNodeValue(node))
}

/** The node at the path, or the closest one above it that exists. */
function nearestNode(tree: Node, path: Path): Node {
	for (let length = path.length; length > 0; length--) {
		const node = findNodeAtLocation(tree, path.slice(0, length))
		if (node) return node
	}
	return tree
}

function findLineStarts(text: string): number[] {
	return [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((match) => match.index + match[0].length)]
}

function positionAt(lineStarts: number[], offset: number): { line: number; column: number } {
	let line = 0
	for (let high = lineStarts.length - 1; line < high; ) {
		const middle = Math.ceil((line + high) / 2)
		if ((lineStarts[middle] ?? 0) <= offset) line = middle
		else high = middle - 1
	}
	return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 }
}
