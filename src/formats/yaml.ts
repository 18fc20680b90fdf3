import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { Problem, Read } from '../definition.ts'
import type { JsonDocument, Path } from './json.ts'
import { toPointer } from './json.ts'

/** Larger than any front matter or policy that a person writes. */
const MAX_CHARACTERS = 1_000_000

/**
 * Safe YAML 1.2: no duplicate keys, no tags, no aliases (they can be made to expand without end); nothing in it is ever executed.
 * In: the text, the name to show, the code of its problems, and how many lines of the file stand before it.
 * Out: the value with places as in the file, or every fault. An empty text is `null`.
 */
export function parseYaml(text: string, file: string, code: string, linesBefore = 0): Read<JsonDocument> {
	const fault = (message: string, line = 1, column = 1): Problem => {
		return { code, severity: 'error', file, line: line + linesBefore, column, message: `this is not usable YAML: ${message}` }
	}
	if (text.length > MAX_CHARACTERS) return { problems: [fault(`it is longer than ${MAX_CHARACTERS} characters`)] }
	const lines = new LineCounter()
	const document = parseDocument(text, {
		lineCounter: lines,
		schema: 'core',
		uniqueKeys: true,
		strict: true,
		prettyErrors: false,
	})
	const faults = [...document.errors, ...document.warnings]
	if (faults.length > 0) {
		return {
			problems: faults.map(({ message, pos }) => {
				const { line, col } = lines.linePos(pos[0])
				return fault(message, line, col)
			}),
		}
	}
	const read = readValue(document)
	if ('refused' in read) return { problems: [fault(read.refused)] }
	const locate = (path: Path) => {
		const { line, column } = placeOf(document.contents, path, lines)
		return { pointer: toPointer(path), line: line + linesBefore, column }
	}
	return { value: { value: read.value, locate }, problems: [] }
}

function readValue(document: ReturnType<typeof parseDocument>): { value: unknown } | { refused: string } {
	try {
		return { value: document.toJS({ maxAliasCount: 0 }) }
	} catch {
		return { refused: 'it uses an alias (*name); write the value out' }
	}
}

/** The node at the path, or the closest one above it; of a pair the place of its key. */
function placeOf(root: unknown, path: Path, lines: LineCounter): { line: number; column: number } {
	let node: unknown = root
	let start = (node as Node | null)?.range?.[0] ?? 0
	for (const part of path) {
		const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part)) : undefined
		const next = pair ? pair.value : isSeq(node) ? node.items[Number(part)] : undefined
		const place = ((pair?.key ?? next) as Node | null | undefined)?.range
		if (!place) break
		start = place[0]
		node = next
	}
	const { line, col } = lines.linePos(start)
	return { line: Math.max(1, line), column: Math.max(1, col) }
}
