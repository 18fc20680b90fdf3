// @ts-check
/**
 * Shows a comment as GitHub would, and says what in it is live:
 *
 *     node test/render/preview.mjs FILE.md OUT.png [--width 900] [--unfold] [--summary]
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { problemOf } from '../../scripts/install-test-parts.mjs'
import { loadBrowser } from './browser.mjs'
import { findLive, loadCmark, sanitise } from './markdown.mjs'

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		width: { type: 'string', default: '900' },
		unfold: { type: 'boolean', default: false },
		summary: { type: 'boolean', default: false },
	},
})
const [file, out] = positionals
if (!file || !out) throw new Error('usage: node test/render/preview.mjs FILE.md OUT.png [--width 900] [--unfold] [--summary]')

const render = loadCmark({ hardBreaks: !values.summary })
if (!render) throw new Error(problemOf('cmark'))
const browser = await loadBrowser()
if (!browser) throw new Error(problemOf('browser'))

try {
	const html = render(readFileSync(file, 'utf8'))
	const seen = await browser.screenshot(sanitise(html), out, { width: Number(values.width), unfold: values.unfold })
	const { rawText, tables, ...live } = findLive(html)
	console.log(JSON.stringify({ characters: rawText.length, ...live, seen }, undefined, 2))
} finally {
	await browser.close()
}
