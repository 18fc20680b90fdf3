import fc from 'fast-check'

/** What people and models put where a report will show it; each acts somewhere if it is shown naively. */
const FRAGMENTS = [
	...['@octocat', '@org/team-a', '&#64;octocat', 'a@b.example', 'mailto:a@b.example', 'xmpp:a@b.example'],
	...['#12', 'fixes #12', 'org/repo#1', 'GH-12', 'gh-7', 'user@da39a3e', 'GHSA-abcd-1234-wxyz', 'da39a3e', '1234567'],
	...['da39a3ee5e6b4b0d3255bfef95601890afd80709', 'o/r@da39a3ee5e6b4b0d3255bfef95601890afd80709'],
	...['https://evil.test/a', 'http://evil.test', 'www.evil.test', 'WWW.evil.test', 'ftp://evil.test', '<https://evil.test>'],
	...[
		'![](https://evil.test/p)',
		'[all passed](https://evil.test)',
		'[x]: https://evil.test',
		'[x]',
		'[^1]',
		'\n\n[^1]: @octocat',
	],
	...['<img src=https://evil.test/p>', '<a href="https://evil.test">x</a>', '<h1>forged</h1>', '<details>', '</details>'],
	...[
		'<summary>',
		'</summary>',
		'<pre>',
		'</pre>',
		'<code>',
		'</code>',
		'</code></pre>',
		'</sub>',
		'</b>',
		'<!--',
		'-->',
		'--!>',
	],
	...[
		'<!-- skill-eval-gate:1 {"key":"x"} -->',
		'<script>x()</script>',
		'<template>@octocat</template>',
		'<plaintext>',
		'<![CDATA[',
	],
	...['`', '``', '```', '`'.repeat(40), '`'.repeat(90), '~~~', '```\n## forged\n```', '\\', '\\`', '\\@octocat'],
	...[
		'|',
		'||',
		'\n| a | b |\n|--|--|\n| 1 | 2 |\n',
		'\n# forged',
		'\n\n## forged\n',
		'\nforged\n===\n',
		'\n---\n',
		'\n> q',
		'\n- [ ] x',
	],
	...[
		'\n',
		'\n\n',
		'\r',
		'\r\n',
		'\r\n\r\n',
		'\t',
		'    x',
		' ',
		'  \n',
		'\u00a0',
		'\u3000',
		'\u2028',
		'\u2029',
		'\u0085',
		'\v',
		'\f',
	],
	...[
		'\u202egnp.exe',
		'\u2066',
		'\u2069',
		'\u200b',
		'\u200d',
		'\u2060',
		'\ufeff',
		'\u00ad',
		'\u034f',
		'\u3164',
		'\u115f',
		'\u206a',
	],
	...['\u{e0041}', '\u{e0100}', '\ufffa', '\u180e', '\u{1d173}'],
	...['\u001b[31m', '\u001b]8;;https://evil.test\u0007x\u001b]8;;\u0007', '\u0000', '\b\b\b', '\u007f', '\u009b31m'],
	...['\ud800', '\udc00', 'a\udfff', '\u{1f600}', '👨‍👩‍👧', '⚠️', 'é', 'e\u0301', '漢字'],
	...[
		'$x$',
		'$$\\frac{1}{2}$$',
		'$`x`$',
		':tada:',
		':+1:',
		'**b**',
		'_i_',
		'__b__',
		'*',
		'_',
		'~~s~~',
		'&lt;',
		'&amp;',
		'&',
		'&#10;',
	],
	...[
		'"',
		"'",
		'<',
		'>',
		'…',
		'::error::x',
		'##[error]x',
		'%0A',
		'{{ x }}',
		'$\u007b{ x }}',
		'?a=1&b=2',
		'../../etc/passwd',
		'C:\\x',
	],
]

const fragment = fc.oneof(
	{ weight: 2, arbitrary: fc.constantFrom('word', ' ', 'the report', '1.', '- ', '# ') },
	{ weight: 6, arbitrary: fc.constantFrom(...FRAGMENTS) },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
	{ weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
)

/** Hostile text, one in thirty with a very long line in it. */
export const hostileText = fc
	.tuple(fc.array(fragment, { minLength: 1, maxLength: 8 }), fc.integer({ min: 0, max: 29 }))
	.map(([parts, dice]) => (dice === 29 ? [...parts, 'x<&"\u{1f600} '.repeat(300)] : parts).join(''))

/** First and last of each range of code points that nobody sees, written out here so that the code's own list is checked. */
const UNSEEN = [
	...[0xad, 0xad, 0x34f, 0x34f, 0x61c, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180f, 0x200b, 0x200f, 0x2028, 0x202e],
	...[0x2060, 0x206f, 0x3164, 0x3164, 0xfe00, 0xfe0d, 0xfeff, 0xfeff, 0xffa0, 0xffa0, 0xfff0, 0xfffb, 0x1bca0, 0x1bca3],
	...[0x1d173, 0x1d17a, 0xe0000, 0xe0fff],
]

/** What every report has to show of such a text: what cannot be seen stands there as an escape or as a replacement character. */
export function shown(text: string): string {
	return [...text.replace(/\r\n|\r/g, '\n')]
		.map((character) => {
			const code = character.codePointAt(0)!
			if (code >= 0xd800 && code <= 0xdfff) return '\ufffd'
			if ((code < 0x20 && character !== '\n' && character !== '\t') || (code >= 0x7f && code <= 0x9f)) return '\ufffd'
			const unseen = UNSEEN.some((first, at) => at % 2 === 0 && first <= code && code <= UNSEEN[at + 1]!)
			return unseen ? `\\u{${code.toString(16)}}` : character
		})
		.join('')
}
