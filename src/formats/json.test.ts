import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from './json.ts'

const faults = (text: string) =>
	parseJson(text, 'x.json').problems.map(({ code, line, column, message }) => `${line}:${column} ${code} ${message}`)

describe('parseJson', () => {
	it('keeps the place of every value', () => {
		const document = parseJson('{\n  "a": [1,\r\n    {"b/c": 2}]\n}', 'x.json').value
		expect(document?.value).toEqual({ a: [1, { 'b/c': 2 }] })
		expect(document?.locate(['a', 1, 'b/c'])).toEqual({ pointer: '/a/1/b~1c', line: 3, column: 13 })
		expect(document?.locate(['a', 7, 'gone'])).toEqual({ pointer: '/a/7/gone', line: 2, column: 8 })
	})

	it.each([
		['', '1:1 json-empty the file is empty'],
		['{"a": 1,}', '1:9 json-syntax a key in double quotes is expected here (a trailing comma, perhaps)'],
		['{\n"a": "x\ny"}', '2:6 json-syntax this text has no closing quote (or a line break inside that is not written as \\n)'],
		[
			'{"a": "he said "no""}',
			'1:17 json-syntax this word is not valid JSON (it needs quotes, or a quote before it is not escaped)',
		],
		['{"a": [1, 2', '1:12 json-syntax the file ends before its closing bracket: it is cut off'],
		['{"a": 2026-01-01}', '1:11 json-syntax a comma is expected here (or a quote before it is not escaped)'],
		['{"a": NaN}', '1:7 json-syntax this word is not valid JSON (it needs quotes, or a quote before it is not escaped)'],
		['// no\n{}', '1:1 json-syntax JSON has no comments'],
		['{} {}', '1:4 json-syntax there is text after the end of the document'],
		['{"a": 1,\n "b": {"c": 1, "c": 2}}', '2:16 json-duplicate-key the key "c" appears twice in one object'],
		['{"a": "cut \\ud83d"}', '1:7 json-surrogate this text holds half of a surrogate pair: it was cut inside a character'],
	])('says where and what is wrong with %j', (text, fault) => {
		expect(faults(text)[0]).toBe(fault)
	})

	it('refuses a depth that would overflow whoever walks the value', () => {
		for (const depth of [101, 200_000])
			expect(faults('['.repeat(depth))).toEqual(['1:1 json-depth the file is nested more than 100 levels deep'])
		expect(parseJson(`${'['.repeat(100)}${']'.repeat(100)}`, 'x').value).toBeDefined()
	})

	it('reads what JSON.parse reads and nothing else', () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 4 }), (text) => {
				const read = parseJson(text, 'x')
				const duplicates = read.problems.some(({ code }) => code === 'json-duplicate-key')
				if (!duplicates) expect(read.value?.value).toEqual(JSON.parse(text))
			}),
		)
	})

	it('never reads a file that was cut off', () => {
		const text = JSON.stringify({ a: [1, 'two \u00e9 {', { b: null }], c: true })
		for (let length = 0; length < text.length; length++) expect(parseJson(text.slice(0, length), 'x').value).toBeUndefined()
	})

	it('does not let a key reach the prototype', () => {
		const value = parseJson('{"__proto__": {"polluted": 1}}', 'x').value?.value as object
		expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
		expect(({} as { polluted?: number }).polluted).toBeUndefined()
	})
})
