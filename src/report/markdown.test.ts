import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileText, shown } from '../../test/support/hostile.ts'
import { clip, code, details, evalName, group, inline, link, percent, plural, pre, showInvisible, table } from './markdown.ts'

/** What a reader of HTML sees of it. */
function decode(html: string): string {
	const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
	return html
		.replace(/<!-- -->|^<(?:pre|code)>|<\/(?:pre|code)>$/g, '')
		.replace(/&(?:#(\d+)|(\w+));/g, (_, number, name) => (number ? String.fromCodePoint(Number(number)) : names[name]!))
}

describe('showInvisible', () => {
	it.each([
		['a right-to-left override', 'a\u202eb', 'a\\u{202e}b'],
		['a zero-width space, a soft hyphen and a word joiner', '\u200b\u00ad\u2060', '\\u{200b}\\u{ad}\\u{2060}'],
		['fillers that count as letters', '\u3164\u115f', '\\u{3164}\\u{115f}'],
		['tag characters, and the selectors that hide text behind a letter', '\u{e0041}\u{e0100}', '\\u{e0041}\\u{e0100}'],
		['separators that some take for line breaks', '\u2028\u2029', '\\u{2028}\\u{2029}'],
		['ANSI, NUL, backspace and C1', '\u001b[31m\u0000\b\u009b', '\ufffd[31m\ufffd\ufffd\ufffd'],
		['half a surrogate pair', 'a\ud83d', 'a\ufffd'],
		['an emoji with its selector, and letters of all scripts', '⚠️ é 漢字 😀', '⚠️ é 漢字 😀'],
		['tabs and line breaks', '\ta\r\nb', '\ta\r\nb'],
	])('%s', (_name, text, expected) => {
		expect(showInvisible(text)).toBe(expected)
	})

	it('changes nothing the second time', () => {
		fc.assert(fc.property(hostileText, (text) => showInvisible(showInvisible(text)) === showInvisible(text)))
	})
})

describe('pre and code', () => {
	it('are one line of well-formed HTML, with the whole text in it', () => {
		fc.assert(
			fc.property(hostileText, (text) => {
				for (const html of [pre(text), code(text), inline(text)]) {
					expect(html).not.toMatch(/[\n\r\u2028\u2029\u0085]/)
					expect(html.isWellFormed()).toBe(true)
				}
				expect(pre(text)).toMatch(/^<pre>[^<>"]*<\/pre>$/)
				expect(decode(pre(text))).toBe(shown(text))
				expect(code(text)).toMatch(/^<code>(?:[^<>&`*[\]\\~|$@]|&#\d+;|&(?:amp|lt|gt);|<!-- -->)*<\/code>$/)
				expect(decode(code(text))).toBe(shown(text).replace(/\s+/g, ' '))
			}),
		)
	})

	it('keep a line break where it was', () => {
		expect(pre('a\r\nb\rc\n')).toBe('<pre>a&#10;b&#10;c&#10;</pre>')
		expect(code(' a\n\t b ')).toBe('<code> a b </code>')
	})
})

describe('inline', () => {
	it.each([
		'passed in the baseline, fails now',
		'"passed" must be true or false; it is 3 (a number)',
		'eval-3: 9 of 10 passed · 41 s → look',
		'feedback on 1,234,567 of 10-20',
		'v0.12.1',
		'"duration_ms" is the number 0: taken as unknown',
		'Ärger mit 漢字?',
		'',
	])('leaves %j as it is', (text) => {
		expect(inline(text)).toBe(text)
	})

	it.each([
		...[
			'@octocat',
			'a@b.example',
			'#12',
			'o/r#1',
			'GH-12',
			'see gh-7',
			'ghsa-abcd-1234-wxyz',
			'by da39a3e',
			'1234567',
			'DA39A3E',
		],
		...[
			'https://evil.test',
			'www.evil.test',
			'a <b>',
			'a & b',
			'`x`',
			'*x*',
			'_x_',
			'~x~',
			'[x](y)',
			'![x](y)',
			'$x$',
			':tada:',
			'a|b',
		],
		...[
			'- x',
			'+ x',
			'1. x',
			'2) x',
			'# x',
			'> x',
			'=== ',
			' x',
			'a\nb',
			'a\tb',
			'\\',
			'a\u200bb',
			'a\u3164b',
			'a\ufffdb',
			'---',
		],
	])('makes code of %j', (text) => {
		expect(inline(text)).toBe(code(text))
	})
})

describe('names', () => {
	it.each(['verify-pr', 'sdlc-workflow:run_evals', 'A skill 1.2', 'eval-10', 'my_skill'])('leaves %j to the letter', (name) => {
		expect(inline(name)).toBe(name)
	})

	it.each(['www.evil.test', 'GH-12', 'da39a3e', 'a _b_ c', 'a:tada:', 'x_'])('makes code of %j', (name) => {
		expect(inline(name)).toBe(code(name))
	})

	it('name an eval after its directory', () => {
		expect(evalName('3')).toBe('eval-3')
		expect(evalName('GH-12')).toBe('<code>eval-GH-12</code>')
	})
})

describe('clip', () => {
	it('counts code points and says how many are missing', () => {
		expect(clip('😀😀😀', 3)).toBe('😀😀😀')
		expect(clip('😀😀😀', 2)).toBe('😀😀… (1 more character)')
		expect(clip('x'.repeat(2345), 1)).toBe('x… (2,344 more characters)')
	})

	it('never cuts a character, nor, being done before escaping, an entity', () => {
		fc.assert(
			fc.property(hostileText, fc.integer({ min: 0, max: 30 }), (text, max) => {
				expect(pre(clip(text, max))).toMatch(/^<pre>(?:[^<>&]|&(?:amp|lt|gt|quot|#10);)*<\/pre>$/)
				expect(clip(text, max).isWellFormed() || !text.isWellFormed()).toBe(true)
			}),
		)
	})
})

describe('numbers and words', () => {
	it('percent', () => {
		expect([percent(0, 5), percent(5, 5), percent(999, 1000), percent(1, 1000), percent(29, 100), percent(5, 8)]).toEqual([
			...['0%', '100%', '99%', '<1%', '29%', '62%'],
		])
		expect([percent(0, 0), percent(Number.NaN, 1), percent(1, Number.NaN)]).toEqual(['n/a', 'NaN%', 'n/a'])
	})

	it('group and plural', () => {
		expect([group(0), group(999), group(1000), group(1234567.9), group(-1234)]).toEqual([
			'0',
			'999',
			'1,000',
			'1,234,567',
			'-1,234',
		])
		expect([plural(1, 'eval'), plural(0, 'eval'), plural(1000, 'eval')]).toEqual(['1 eval', '0 evals', '1,000 evals'])
	})

	it('details and links', () => {
		expect(details('a', 'b')).toBe('<details>\n<summary>a</summary>\n\nb\n\n</details>')
		expect(details('a', 'b', true)).toMatch(/^<details open>\n/)
		expect(link('x', 'https://a.test/?b="c"&d')).toBe('<a href="https://a.test/?b=&quot;c&quot;&amp;d">x</a>')
	})

	it('table', () => {
		expect(
			table(
				[
					['a', 'b'],
					['long', '1'],
				],
				['l', 'r'],
			),
		).toBe('| a | b |\n| :- | -: |\n| long | 1 |')
	})
})
