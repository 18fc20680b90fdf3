import { describe, expect, test } from 'vitest'
import { compilePattern, schemaRegExp } from './pattern.ts'

function find(pattern: string, text: string, flags = '') {
	const compiled = compilePattern(pattern, flags)
	if (!compiled.ok) throw new Error(compiled.message)
	const span = compiled.find(text)
	return span && text.slice(span.start, span.end)
}

describe('compilePattern finds', () => {
	test.each([
		['b+', 'abbc', '', 'bb'],
		['B', 'abc', 'i', 'b'],
		['(?i)B', 'abc', '', 'b'],
		['^b', 'a\nb', '', undefined],
		['^b', 'a\nb', 'm', 'b'],
		['a$', 'a\n', '', undefined],
		['a.b', 'a\nb', '', undefined],
		['a.b', 'a\nb', 's', 'a\nb'],
		['a.b', 'a\nb', 'ms', 'a\nb'],
		['😀.', 'x😀é', 'u', '😀é'],
		[String.raw`\Qa/b\E`, 'a/b', '', 'a/b'],
		[String.raw`\u00e9`, 'é', '', 'é'],
		[String.raw`[\u0041-\u0043]+`, 'xABCD', '', 'ABC'],
		[String.raw`\u{1F600}`, 'a😀', '', '😀'],
		[String.raw`\\\u0041`, String.raw`\A`, '', String.raw`\A`],
		[String.raw`\Qu\u0041\E`, String.raw`u\u0041`, '', String.raw`u\u0041`],
		['(?<n>a)', 'a', '', 'a'],
		['(?P<n>a)', 'a', '', 'a'],
		['a{1000}', 'a'.repeat(1000), '', 'a'.repeat(1000)],
	])('case %#: %s', (pattern, text, flags, expected) => expect(find(pattern, text, flags)).toBe(expected))
})

describe('compilePattern refuses', () => {
	test.each([
		['a(?=b)', '', 'pattern', /look-ahead and look-behind are not supported/, /not-regex/],
		['a(?!b)', '', 'pattern', /look-ahead and look-behind/, /two assertions/],
		['(?<=a)b', '', 'pattern', /look-ahead and look-behind/, /two assertions/],
		['(?<!a)b', '', 'pattern', /look-ahead and look-behind/, /two assertions/],
		[String.raw`(a)\1`, '', 'pattern', /back-references are not supported/, /repeated part/],
		[String.raw`(?<n>a)\k<n>`, '', 'pattern', /back-references/, /repeated part/],
		['a{1001}', '', 'pattern', /repeats of more than 1000/, /smaller count/],
		['(a{100}){100}', '', 'pattern', /repeats of more than 1000/, /smaller count/],
		['a++', '', 'pattern', /possessive/, /plain repeat/],
		['(?>a)', '', 'pattern', /atomic groups/, /plain repeat/],
		[String.raw`a\Z`, '', 'pattern', /cannot be read: invalid escape sequence: `\\Z`/, /RE2/],
		[String.raw`\h\u0041`, '', 'pattern', /cannot be read: invalid escape sequence/, /RE2/],
		['(', '', 'pattern', /missing closing \)/, /RE2/],
		['[z-a]', '', 'pattern', /cannot be read/, /RE2/],
		['', '', 'pattern', /empty/, /must match/],
		['a'.repeat(5001), '', 'pattern', /longer than 5000/, /several/],
		['('.repeat(5000), '', 'pattern', /cannot be read/, /RE2/],
		[String.raw`\pL{1000}`.repeat(20), '', 'pattern', /too large/, /smaller/],
		[String.raw`\uD83D\uDE00`, '', 'pattern', /surrogate pair/, /1F600/],
		['a', 'g', 'flags', /flag g has no meaning/, /leave g out/],
		['a', 'iy', 'flags', /flag "y" is not known/, /i, m, s/],
		['a', '😀', 'flags', /not known/, /i, m, s/],
	])('case %# with %j', (pattern, flags, part, message, hint) => {
		const compiled = compilePattern(pattern, flags)
		if (compiled.ok) expect.fail('it compiles')
		expect(compiled.part).toBe(part)
		expect(compiled.message).toMatch(message)
		expect(compiled.hint).toMatch(hint)
	})
})

test('patterns that blow up elsewhere take linear time', () => {
	const started = performance.now()
	expect(find('(a+)+$', `${'a'.repeat(100_000)}!`)).toBeUndefined()
	expect(find('(a|a)*b', 'a'.repeat(100_000))).toBeUndefined()
	expect(find(String.raw`(\w+\s?)*!$`, 'a'.repeat(100_000))).toBeUndefined()
	expect(performance.now() - started).toBeLessThan(5_000)
})

test('a text that would take too long is not searched', () => {
	const text = 'a'.repeat(1_000_000)
	expect(() => find('(?:a?){1000}$', text)).toThrow(/takes too long on a text of 1000000 characters/)
})

describe('schemaRegExp', () => {
	test('speaks ECMAScript and stays linear', () => {
		expect(schemaRegExp(String.raw`^\u00e9\/\d$`, 'u').test('é/1')).toBe(true)
		expect(schemaRegExp('^(a+)+$', 'u').test(`${'a'.repeat(100_000)}!`)).toBe(false)
		expect(schemaRegExp('', 'u').test('')).toBe(true)
	})

	test('throws for what it cannot run', () => {
		expect(() => schemaRegExp('(?=a)', 'u')).toThrow(/"\(\?=a\)" cannot be used: look-ahead/)
	})

	test('is told apart by its pattern', () => expect(String(schemaRegExp('a|b', 'u'))).toBe('a|b'))
})
