import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problemOf } from '../../scripts/install-test-parts.mjs'
import { type Browser, loadBrowser } from './browser.mjs'
import { findLive, type Live, loadCmark, sanitise } from './markdown.mjs'

const noCmark = problemOf('cmark')
const noBrowser = noCmark ?? problemOf('browser')
if (noCmark) console.log(`Skipped, rendering as GitHub does it: ${noCmark}`)
if (noBrowser) console.log(`Skipped, looking at comments in a browser: ${noBrowser}`)

const nothing: Omit<Live, 'rawText'> = {
	mentions: [],
	references: [],
	links: [],
	images: [],
	headings: [],
	details: 0,
	summaries: [],
	open: [],
	tables: [],
}
const sha = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'

/** Naive Markdown and what it brings to life. */
const alive: [string, Partial<Live>][] = [
	['ask @octocat, @org/team-a', { mentions: ['@octocat', '@org/team-a'] }],
	['(@a-b) "@c" mail@example is no mention', { mentions: ['@a-b', '@c'] }],
	['&#64;octocat and \\@hubot', { mentions: ['@octocat', '@hubot'] }],
	['x<!-- -->@octocat', { mentions: ['@octocat'] }],
	['<template>@octocat</template>', { mentions: ['@octocat'] }],
	['<tt>@octocat</tt> <kbd>@hubot</kbd>', { mentions: ['@octocat', '@hubot'] }],
	['fixes #12, GH-3, o/r#4, user#5', { references: ['#12', 'o/r#4', 'user#5', 'GH-3'] }],
	[`by ${sha} or o/r@da39a3e`, { references: [sha, 'o/r@da39a3e'] }],
	['see GHSA-abcd-1234-wxyz', { references: ['GHSA-abcd-1234-wxyz'] }],
	['[all passed](https://evil.test/a)', { links: [{ href: 'https://evil.test/a', text: 'all passed' }] }],
	['go to www.evil.test', { links: [{ href: 'http://www.evil.test', text: 'www.evil.test' }] }],
	['<div>\nhttps://evil.test\n</div>', { links: [{ href: 'https://evil.test', text: 'https://evil.test' }] }],
	['<a href="//evil.test">x</a><a href="javascript:x()">y</a>', { links: [{ href: '//evil.test', text: 'x' }] }],
	['![](https://evil.test/p?d=1)', { images: ['https://evil.test/p?d=1'] }],
	['<IMG src=https://evil.test/p onerror=x()>', { images: ['https://evil.test/p'] }],
	['quote\n## All evals passed', { headings: [{ level: 2, text: 'All evals passed' }] }],
	['All passed\n===', { headings: [{ level: 1, text: 'All passed' }] }],
	['<h3>forged</h3>', { headings: [{ level: 3, text: 'forged' }] }],
	[
		'| a | b |\n|--|--|\n| 1 \\| 2 | @x |',
		{
			tables: [
				[
					['a', 'b'],
					['1 | 2', '@x'],
				],
			],
			mentions: ['@x'],
		},
	],
	['<details open><summary>a</summary></details><details></details>', { details: 2, summaries: ['a'], open: ['a'] }],
	['text[^1]\n\n[^1]: @octocat', { mentions: ['@octocat'] }],
	// Escaping alone, a tag that starts no block, and a fence that its content closes: ways to believe oneself safe.
	['evidence: &lt;b&gt; @octocat', { mentions: ['@octocat'] }],
	['evidence <pre>x\n\n## forged</pre>', { headings: [{ level: 2, text: 'forged' }] }],
	['evidence <pre>![](https://evil.test/p)</pre>', { images: ['https://evil.test/p'] }],
	['```\n```\n## forged\n```', { headings: [{ level: 2, text: 'forged' }] }],
]

const hostile = [
	...alive.map(([markdown]) => markdown),
	'</pre>\n\n# forged @octocat',
	'</code></pre></details>\n\n@octocat #12',
	'<!-- the rest is gone',
	'<pre><code>',
	`${'`'.repeat(40)}\n@octocat`,
	'&lt;/pre&gt;&#10;&#10;@octocat',
	'a\r\n\r\n## forged\n\n\n@octocat',
	'<script>x()</script><style>*{display:none}</style><plaintext>',
	'\u2028## forged\u2029@octocat\u0085#12',
]

function inPre(text: string): string {
	const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '&#10;', '\r': '&#13;' }
	return `<pre>${text.replace(/[&<>\n\r]/g, (character) => entities[character]!)}</pre>`
}

describe.skipIf(noCmark)('the oracle', () => {
	const render = loadCmark()!

	it.each(alive)('sees what is alive in %j', (markdown, expected) => {
		expect(findLive(render(markdown))).toMatchObject(expected)
	})

	it.each(hostile)('sees nothing in the escaped text %j, and all of it', (text) => {
		const { rawText, ...live } = findLive(render(inPre(text)))
		expect(live).toEqual(nothing)
		expect(rawText).toBe(`${text}\n`)
	})

	it('sees the same around escaped text, wherever it begins a line and whatever its parts', () => {
		const part = fc.oneof(fc.constantFrom(...hostile, '\n', '\n\n', ' ', '<', '&', '\t', '    '), fc.string({ unit: 'grapheme' }))
		const before = fc.constantFrom('', '**Evidence**\n', '- ', '1. a\n   - ', '> ', '<details>\n<summary>a</summary>\n')
		const around = (start: string, text: string) => ({ ...findLive(render(`${start}${inPre(text)}\n\n## ours`)), rawText: '' })
		fc.assert(
			fc.property(before, fc.array(part), (start, texts) => {
				expect(around(start, texts.join(''))).toEqual(around(start, 'x'))
				expect(around(start, 'x').headings).toEqual([{ level: 2, text: 'ours' }])
			}),
		)
	})

	it('sees nothing in code and links', () => {
		const { links, rawText, ...live } = findLive(render('`@a #1` <code>@b</code> [@c #2](#x)\n\n    @d\n\n```\n@e #3\n```'))
		expect({ ...live, links: [] }).toEqual(nothing)
		expect(links).toEqual([{ href: '#x', text: '@c #2' }])
		expect(rawText).toContain('@e #3')
	})

	it('takes from HTML what GitHub takes from it', () => {
		const html = sanitise(
			render('<p class="x" style="color:red" onclick="x()" align="right">a</p>\n\n<script>x()</script><svg>b</svg>'),
		)
		expect(html).toContain('<p align="right">a</p>')
		expect(html).toContain('&#x3C;script>')
		expect(html).not.toMatch(/style=|onclick|class=|<svg|<script/)
	})

	it('breaks lines as comments do, and not as job summaries do', () => {
		expect(render('a\nb')).toBe('<p>a<br />\nb</p>\n')
		expect(loadCmark({ hardBreaks: false })!('a\nb')).toBe('<p>a\nb</p>\n')
	})
})

describe.skipIf(noBrowser)('the browser', () => {
	const folder = mkdtempSync(join(tmpdir(), 'render-'))
	let browser: Browser

	beforeAll(async () => {
		browser = (await loadBrowser())!
	})
	afterAll(async () => {
		await browser?.close()
		rmSync(folder, { recursive: true, force: true })
	})

	it('counts what is shown and takes a picture of it', async () => {
		const table = '| a | b |\n|--|--|\n| 1 | 2 |\n\n<table><tr><td>1</td></tr></table>\n'
		const html = sanitise(loadCmark()!(`<details open><summary>x</summary>\n\n${table}\n</details>\n<details></details>`))
		const path = join(folder, 'comment.png')
		const seen = await browser.screenshot(html, path)
		expect(seen).toMatchObject({ details: 2, open: 1, tables: [[2, 2], [1]], overflow: false, scrolling: [] })
		const png = readFileSync(path)
		expect(png.subarray(1, 4).toString()).toBe('PNG')
		expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([932, seen.height])
	})

	it('sees what is too wide, also in what is folded', async () => {
		const wide = '<details><summary>x</summary><div style="width: 1000px">wide</div></details>'
		expect(await browser.screenshot(wide)).toMatchObject({ open: 0, overflow: true })
		expect(await browser.screenshot(wide, undefined, { width: 1100 })).toMatchObject({ overflow: false })
		const line = `<pre>${'long line '.repeat(40)}</pre>`
		expect(await browser.screenshot(line)).toMatchObject({ overflow: false, scrolling: [expect.stringMatching(/^long line/)] })
	})

	it('runs nothing of what it shows, and reaches out to nobody', async () => {
		let asked = 0
		const server = createServer((_, response) => response.end(String(++asked))).listen(0, '127.0.0.1')
		await once(server, 'listening')
		const { port } = server.address() as AddressInfo
		const script = `<script>document.currentScript.after(document.createElement('details'))</script>`
		const seen = await browser.screenshot(`<p>a</p>${script}<img src="http://127.0.0.1:${port}/p">`)
		server.close()
		expect(seen).toMatchObject({ details: 0, height: 600 })
		expect(asked).toBe(0)
	})
})
