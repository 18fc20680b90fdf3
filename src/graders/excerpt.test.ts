import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countOf, describeFiles, excerptAt, lastLines, lineAt, quote, shorten } from './excerpt.ts'
import { otherFile, textFile } from './testing.ts'

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

describe('lineAt', () => {
	test.each([
		['', 0, 1],
		['a\nb', 1, 1],
		['a\nb', 2, 2],
		['a\r\nb', 2, 1],
		['a\r\nb', 3, 2],
		['a\rb', 2, 2],
		['a\r\r\n\nb', 5, 4],
		['a\n', 99, 2],
	])('%j at %i is line %i', (text, offset, line) => expect(lineAt(text, offset)).toBe(line))
})

describe('excerptAt', () => {
	test.each([
		['one\ntwo three\nfour', 8, 13, 'two three'],
		['one\r\ntwo\r\nthree', 5, 8, 'two'],
		['one\rtwo\rthree', 4, 7, 'two'],
		['a\r\nb', 2, 3, 'a'],
		['\nb', 0, 1, ''],
		['ab\ncd', 1, 4, 'ab'],
		['', 0, 0, ''],
	])('of %j from %i to %i is %j', (text, start, end, excerpt) => expect(excerptAt(text, { start, end })).toBe(excerpt))

	test('keeps the match in the middle of a long line', () => {
		const text = `${'a'.repeat(500)}MATCH${'b'.repeat(500)}`
		const excerpt = excerptAt(text, { start: 500, end: 505 })
		expect(excerpt).toMatch(/^…a{77}MATCHb{78}…$/)
	})

	test('uses the whole width at either end of a line', () => {
		expect(excerptAt(`M${'b'.repeat(500)}`, { start: 0, end: 1 })).toBe(`M${'b'.repeat(159)}…`)
		expect(excerptAt(`${'a'.repeat(500)}M`, { start: 500, end: 501 })).toBe(`…${'a'.repeat(159)}M`)
	})

	test('never splits a surrogate pair, never grows over its limit', () => {
		const letters = fc.constantFrom('a', '😀', '𝒳', 'é', '\n', '\r\n', ' ')
		return fc.assert(
			fc.property(
				fc.array(letters, { maxLength: 60 }),
				fc.nat(80),
				fc.nat(80),
				fc.integer({ min: 2, max: 20 }),
				(parts, a, b, limit) => {
					const text = parts.join('')
					const start = Math.min(a, text.length)
					const excerpt = excerptAt(text, { start, end: Math.min(text.length, start + b) }, limit)
					expect(excerpt).not.toMatch(LONE_SURROGATE)
					expect(excerpt).not.toMatch(/[\r\n]/)
					expect(excerpt.replaceAll('…', '').length).toBeLessThanOrEqual(limit)
					expect(text).toContain(excerpt.replaceAll('…', ''))
				},
			),
		)
	})
})

test('shorten cuts between code points', () => {
	expect(shorten('a😀b', 2)).toBe('a…')
	expect(shorten('a😀b', 3)).toBe('a😀…')
	expect(shorten('a😀b', 4)).toBe('a😀b')
})

test('quote shows line ends and quotes', () => expect(quote('a\n"b"')).toBe(String.raw`"a\n\"b\""`))

describe('lastLines', () => {
	test.each([
		['one\ntwo\n\n', 500, 'one\ntwo'],
		['one\r\ntwo', 3, 'two'],
		['one\ntwo', 5, 'two'],
		['abcdef', 3, '…def'],
		['a😀b', 2, '…b'],
		['', 5, ''],
	])('of %j within %i is %j', (text, limit, tail) => expect(lastLines(text, limit)).toBe(tail))
})

describe('describeFiles', () => {
	test.each([
		[[], 'no files'],
		[[textFile('a.md', 'x')], '1 text file, 1 byte: a.md'],
		[
			[textFile('a.md', 'é'), textFile('b.md', ''), otherFile('c', 'binary')],
			'2 text files, 1 binary file, 9 bytes: a.md, b.md, c',
		],
		[[otherFile('l', 'link'), otherFile('p', 'special')], '1 symbolic link, 1 special file, 14 bytes: l, p'],
	])('case %#', (files, sentence) => expect(describeFiles(files)).toBe(sentence))

	test('names five files at most', () => {
		const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => textFile(path, 'x'.repeat(1000)))
		expect(describeFiles(files)).toBe('6 text files, 6,000 bytes: a, b, c, d, e, …')
	})
})

test('countOf groups digits', () =>
	expect([countOf(999, 'byte'), countOf(1234567, 'byte')]).toEqual(['999 bytes', '1,234,567 bytes']))
