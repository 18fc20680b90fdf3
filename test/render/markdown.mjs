// @ts-check
/** A comment as GitHub makes it: its own parser, its sanitiser's rules, and what its filters would then bring to life. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { partsRoot, problemOf } from '../../scripts/install-test-parts.mjs'

/** @typedef {{ type: string, tagName?: string, value?: string, properties?: Record<string, unknown>, children?: Tree[], content?: Tree }} Tree */
/** @typedef {{ href: string, text: string }} Link */
/** @typedef {{ level: number, text: string }} Heading */
/**
 * @typedef {object} Live
 * @property {string[]} mentions people and teams that would be told
 * @property {string[]} references issues, pull requests, commits and advisories that would be linked (and would get a link back)
 * @property {Link[]} links
 * @property {string[]} images
 * @property {Heading[]} headings
 * @property {number} details
 * @property {string[]} summaries
 * @property {string[]} open the summaries of the details that are not folded
 * @property {string[][][]} tables the text of each cell of each row of each table
 * @property {string} rawText all text that is left, in code or not
 */

const extensions = { table: true, strikethrough: true, autolink: true, tagfilter: true, tasklist: true }
const fromParts = createRequire(`${partsRoot}package.json`)
const hast = problemOf('cmark') ? undefined : await loadHast()

async function loadHast() {
	const load = (/** @type {string} */ name) => import(pathToFileURL(fromParts.resolve(name)).href)
	const [{ fromHtml }, { sanitize }, { toHtml }] = await Promise.all(
		['hast-util-from-html', 'hast-util-sanitize', 'hast-util-to-html'].map(load),
	)
	return { fromHtml, sanitize, toHtml }
}

/**
 * GitHub's parser. In a comment it makes each newline a `<br>`, in a job summary or a file it does not.
 * @param {{ hardBreaks?: boolean }} [options]
 * @returns {((markdown: string) => string) | undefined}
 */
export function loadCmark({ hardBreaks = true } = {}) {
	if (problemOf('cmark')) return undefined
	const { renderHtmlSync } = fromParts('cmark-gfm')
	const options = { unsafe: true, githubPreLang: true, footnotes: true, hardbreaks: hardBreaks, extensions }
	return (markdown) => renderHtmlSync(markdown, options)
}

/** @param {string} html */
export function sanitise(html) {
	return /** @type {string} */ (parts().toHtml(sanitisedTree(html)))
}

/**
 * @param {string} html
 * @returns {Tree}
 */
function sanitisedTree(html) {
	const { fromHtml, sanitize } = parts()
	return sanitize(unwrapTemplates(fromHtml(html, { fragment: true })))
}

function parts() {
	if (!hast) throw new Error(problemOf('cmark'))
	return hast
}

/**
 * What stands in a `<template>` is no child of it for our parser, and would be lost; for an older parser it is text like any other.
 * @param {Tree} node
 * @returns {Tree}
 */
function unwrapTemplates(node) {
	const children = (node.content ?? node).children?.map(unwrapTemplates)
	return children ? { ...node, children } : node
}

/**
 * Everything that acts or shows, errs towards too much: an oracle that misses a mention is worse than one that sees a ghost.
 * Give it the parser's output: it sanitises by itself, and sees that `x<!-- -->@y` is two texts for GitHub, the second a mention.
 * @param {string} html
 * @returns {Live}
 */
export function findLive(html) {
	const tree = sanitisedTree(html)
	/** @type {Live} */
	const live = {
		mentions: [],
		references: [],
		links: [],
		images: [],
		headings: [],
		details: 0,
		summaries: [],
		open: [],
		tables: [],
		rawText: textOf(tree),
	}
	walk(tree, false, live)
	return live
}

/** GitHub's published mention, issue and commit filters skip the text in these, and in no others: not in `tt`, not in `kbd`. */
const inert = new Set(['pre', 'code', 'a'])

/**
 * @param {Tree} node
 * @param {boolean} dead
 * @param {Live} live
 */
function walk(node, dead, live) {
	if (node.type === 'text' && !dead) readText(node.value ?? '', live)
	if (node.type === 'element') readElement(node, live)
	for (const child of node.children ?? []) walk(child, dead || inert.has(node.tagName ?? ''), live)
}

const mention = /(?<!\w)@[a-z0-9][\w-]*(?:\/[a-z0-9][\w.-]*)?/gi
const references = [
	/(?<!\w)(?:[\w-]+(?:\/[\w.-]+)?)?#\d+\b/g,
	/(?<!\w)gh-\d+\b/gi,
	/(?<![\w#])(?:[\w-]+(?:\/[\w.-]+)?@)?[0-9a-f]{7,40}\b/gi,
	/(?<!\w)ghsa(?:-[0-9a-z]{4}){3}\b/gi,
]
/** The parser links these in Markdown; what is left of them stands in raw HTML, where it is not known that GitHub never does. */
const bareLink = /(?<!\w)(?:https?:\/\/|www\.)[^\s<]+/gi

/**
 * @param {string} text
 * @param {Live} live
 */
function readText(text, live) {
	live.mentions.push(...(text.match(mention) ?? []))
	live.references.push(...references.flatMap((pattern) => text.match(pattern) ?? []))
	live.links.push(...(text.match(bareLink) ?? []).map((href) => ({ href, text: href })))
}

/**
 * @param {Tree} node
 * @param {Live} live
 */
function readElement(node, live) {
	const { tagName = '', properties = {} } = node
	if (tagName === 'a' && properties.href !== undefined) live.links.push({ href: String(properties.href), text: textOf(node) })
	if (tagName === 'img') live.images.push(String(properties.src ?? ''))
	if (tagName === 'source') live.images.push(String(properties.srcSet ?? ''))
	if (/^h[1-6]$/.test(tagName)) live.headings.push({ level: Number(tagName[1]), text: textOf(node).trim() })
	if (tagName === 'summary') live.summaries.push(textOf(node).trim())
	if (tagName === 'table') live.tables.push(rowsOf(node))
	if (tagName === 'details') {
		live.details += 1
		const summary = node.children?.find((child) => child.tagName === 'summary')
		if (properties.open) live.open.push(summary ? textOf(summary).trim() : '')
	}
}

/** @param {Tree} table */
function rowsOf(table) {
	const rows = childrenOf(table, ['tr'])
	return rows.map((row) => childrenOf(row, ['td', 'th']).map((cell) => textOf(cell).trim()))
}

/**
 * The nearest descendants of these names, not those of a table within.
 * @param {Tree} node
 * @param {string[]} wanted
 * @returns {Tree[]}
 */
function childrenOf(node, wanted) {
	return (node.children ?? []).flatMap((child) => {
		if (wanted.includes(child.tagName ?? '')) return [child]
		return child.tagName === 'table' ? [] : childrenOf(child, wanted)
	})
}

/**
 * @param {Tree} node
 * @returns {string}
 */
function textOf(node) {
	return node.type === 'text' ? (node.value ?? '') : (node.children ?? []).map(textOf).join('')
}
