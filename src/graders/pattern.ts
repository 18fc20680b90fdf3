import { RE2JS } from 're2js'
import type { Span } from './excerpt.ts'

/** A pattern that can be searched for, or why it cannot; `part` says which option is at fault. */
export type Pattern =
	| { ok: true; find: (text: string) => Span | undefined }
	| { ok: false; part: 'pattern' | 'flags'; message: string; hint: string }

const FLAGS = new Map([
	['i', RE2JS.CASE_INSENSITIVE],
	['m', RE2JS.MULTILINE],
	['s', RE2JS.DOTALL],
	['u', 0],
])
const SYNTAX = 'Patterns are RE2: https://github.com/google/re2/wiki/Syntax'
const MAX_PATTERN = 5_000
const MAX_PROGRAM = 10_000
// Matching is linear, but up to 25 ns for each instruction and character: this is some 25 s.
const MAX_WORK = 1e9

/**
 * Compiles an author's pattern with the flags i, m, s, u for the linear-time engine RE2. `find` gives the leftmost match, in UTF-16
 * offsets, and throws for a text that would take too long.
 */
export function compilePattern(pattern: string, flags = ''): Pattern {
	const unknown = [...flags].find((flag) => !FLAGS.has(flag))
	if (unknown !== undefined) return { ok: false, part: 'flags', ...explainFlag(unknown) }
	if (pattern === '') return refuse('the pattern is empty', 'write what the text must match')
	if (pattern.length > MAX_PATTERN) {
		return refuse(`the pattern is longer than ${MAX_PATTERN} characters`, 'use several assertions')
	}
	// As separate halves they match nothing, so that a negative check would always pass.
	if (/\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\x\{0*[dD][89a-fA-F][0-9a-fA-F]{2}\}/.test(pattern)) {
		return refuse('half of a surrogate pair is not a character', String.raw`write the character itself, or \x{1F600}`)
	}
	const bits = [...flags].reduce((sum, flag) => sum | (FLAGS.get(flag) ?? 0), 0)
	const compiled = compileEither(pattern, bits)
	if (!(compiled instanceof RE2JS)) return refuse(...explainRefusal(compiled, pattern))
	if (compiled.programSize() > MAX_PROGRAM) {
		return refuse('the pattern is too large', 'use smaller repeat counts, or several assertions')
	}
	return { ok: true, find: (text) => findFirst(compiled, text) }
}

/** For ajv's `code.regExp`: `pattern` of a JSON Schema, in ECMAScript spelling, on the same engine; throws for what it cannot run. */
export const schemaRegExp = Object.assign(
	(pattern: string, _flags: string) => {
		// An empty pattern matches everything, which a schema may say.
		const compiled = compilePattern(pattern || '(?:)')
		if (!compiled.ok) {
			throw new Error(`the pattern ${JSON.stringify(pattern)} cannot be used: ${compiled.message}; ${compiled.hint}`)
		}
		return { test: (text: string) => compiled.find(text) !== undefined, toString: () => pattern }
	},
	{ code: 'schemaRegExp' },
)

function refuse(message: string, hint: string): Pattern {
	return { ok: false, part: 'pattern', message, hint }
}

function explainFlag(flag: string): { message: string; hint: string } {
	if (flag === 'g') return { message: 'the flag g has no meaning here: one match is enough', hint: 'leave g out' }
	return { message: `the flag ${JSON.stringify(flag)} is not known`, hint: 'the flags are i, m, s and u' }
}

/** RE2's own spelling first, then with `\u00e9` as `\x{00e9}`; re2js' own translation is not used, it turns `\k` into `k`. */
function compileEither(pattern: string, bits: number): RE2JS | Error {
	try {
		return RE2JS.compile(pattern, bits)
	} catch (error) {
		try {
			return RE2JS.compile(respellEscapes(pattern), bits)
		} catch {
			return error instanceof Error ? error : new Error(String(error))
		}
	}
}

function respellEscapes(pattern: string): string {
	return pattern.replace(/\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\}|.)/gs, (whole, four?: string, braced?: string) => {
		const digits = four ?? braced
		return digits === undefined ? whole : `\\x{${digits}}`
	})
}

function findFirst(compiled: RE2JS, text: string): Span | undefined {
	if (!(compiled.programSize() * text.length <= MAX_WORK)) {
		throw new Error(`this pattern takes too long on a text of ${text.length} characters; use a smaller pattern`)
	}
	const matcher = compiled.matcher(text)
	return matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined
}

function explainRefusal(error: Error, pattern: string): [string, string] {
	const reason = error.message.replace(/^error parsing regexp: /, '')
	if (/\(\?<?[=!]/.test(pattern) && /\(\?/.test(reason)) {
		return [
			'look-ahead and look-behind are not supported, because patterns run in linear time (RE2)',
			'use two assertions: regex for what must be there, not-regex for what must not',
		]
	}
	if (/^invalid escape sequence: `\\[1-9k]/.test(reason)) {
		return [
			'back-references are not supported, because patterns run in linear time (RE2)',
			'write the repeated part out, or list the alternatives',
		]
	}
	if (reason.startsWith('invalid repeat count')) {
		return ['repeats of more than 1000, nested ones multiplied, are not supported', 'use * or + or a smaller count']
	}
	if (/\(\?>|nested repetition/.test(reason)) {
		return [
			`possessive repeats and atomic groups are not supported: ${reason}`,
			'use a plain repeat: nothing is tried twice here anyway',
		]
	}
	return [`the pattern cannot be read: ${reason}`, SYNTAX]
}
