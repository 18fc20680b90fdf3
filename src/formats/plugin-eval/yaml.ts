import { LineCounter, parseDocument } from 'yaml'
import type { Problem } from '../../definition.ts'
import { isObject } from '../json.ts'

export type Mapping = { value: Record<string, unknown>; problems: [] } | { value?: undefined; problems: Problem[] }

/**
 * A YAML mapping, 1.2 core: no aliases (they can be made to expand without end), no tags, no key twice. An empty text is an empty mapping.
 * `firstLine` is where the text begins in its file.
 */
export function parseMapping(text: string, file: string, firstLine = 1): Mapping {
	const lines = new LineCounter()
	const options = { lineCounter: lines, schema: 'core', uniqueKeys: true, strict: true, prettyErrors: false } as const
	const document = parseDocument(text, options)
	const fail = (message: string, line?: number): Mapping => {
		return {
			problems: [{ code: 'plugin-case-yaml', severity: 'error', file, line, message: `this is not usable YAML: ${message}` }],
		}
	}
	const [fault] = [...document.errors, ...document.warnings]
	if (fault) return fail(fault.message, lines.linePos(fault.pos[0]).line + firstLine - 1)
	try {
		const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? {}
		return isObject(value) ? { value, problems: [] } : fail('it must be a mapping of keys to values')
	} catch {
		return fail('aliases are not read')
	}
}

export type Split = { matter?: string | undefined; body: string; bodyLine: number }

/** Front matter between two lines `---` at the very beginning, and what follows. An unclosed one is none. */
export function splitFrontMatter(text: string): Split {
	const match = /^---[ \t]*\r?\n((?:[\s\S]*?\n)??)---[ \t]*(?:\r?\n|$)/.exec(text)
	if (!match) return { body: text, bodyLine: 1 }
	return { matter: match[1] ?? '', body: text.slice(match[0].length), bodyLine: match[0].split('\n').length }
}
