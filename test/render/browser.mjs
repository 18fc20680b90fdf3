// @ts-check
/** A sanitised comment in a real browser, in a box like GitHub's: a picture to look at, and what only a layout can tell. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { browserPath, partsRoot, problemOf } from '../../scripts/install-test-parts.mjs'

/**
 * @typedef {object} Seen
 * @property {number} details
 * @property {number} open details that were unfolded in the picture
 * @property {number[][]} tables the number of cells of each row of each table
 * @property {boolean} overflow whether anything is wider than the box, with all details unfolded
 * @property {string[]} scrolling the start of each block that has to be scrolled sideways within itself
 * @property {number} height of the picture
 */
/** @typedef {{ width?: number, unfold?: boolean }} Options `width` is the box's in pixels */
/**
 * @typedef {object} Browser
 * @property {(html: string, path?: string, options?: Options) => Promise<Seen>} screenshot
 * @property {() => Promise<void>} close
 */

const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
]

const margin = 16

// Text, since the project's own types know no DOM.
const unfoldAll = `for (const details of document.querySelectorAll('details')) details.open = true`
const measure = `(() => {
	const all = (selector, root = document.querySelector('.markdown-body')) => [...root.querySelectorAll(selector)]
	return {
		details: all('details').length,
		open: all('details[open]').length,
		tables: all('table').map((table) => [...table.rows].map((row) => row.cells.length)),
		height: document.documentElement.scrollHeight,
	}
})()`
const measureWidths = `(() => {
	const wide = (element) => element.scrollWidth > element.clientWidth
	const body = document.querySelector('.markdown-body')
	return {
		overflow: wide(document.documentElement) || wide(body),
		scrolling: [...body.querySelectorAll('pre, table')].filter(wide).map((block) => block.textContent.trim().slice(0, 60)),
	}
})()`

/** @returns {Promise<Browser | undefined>} */
export async function loadBrowser() {
	if (problemOf('browser')) return undefined
	const fromParts = createRequire(`${partsRoot}package.json`)
	const css = readFileSync(fromParts.resolve('github-markdown-css/github-markdown-light.css'), 'utf8')
	const browser = await fromParts('playwright-core').chromium.launch({ executablePath: browserPath(), args: flags })
	return {
		close: () => browser.close(),
		async screenshot(html, path, { width = 900, unfold = false } = {}) {
			// Hostile text is shown here: nothing of it may run or reach out.
			const viewport = { width: width + 2 * margin, height: 600 }
			const page = await browser.newPage({ viewport, javaScriptEnabled: false, offline: true, colorScheme: 'light' })
			try {
				await page.setContent(commentPage(html, css, width))
				if (unfold) await page.evaluate(unfoldAll)
				if (path) await page.screenshot({ path, fullPage: true })
				const seen = await page.evaluate(measure)
				await page.evaluate(unfoldAll)
				return { ...seen, ...(await page.evaluate(measureWidths)) }
			} finally {
				await page.close()
			}
		},
	}
}

/**
 * @param {string} html
 * @param {string} css
 * @param {number} width
 */
function commentPage(html, css, width) {
	return `<!doctype html><meta charset="utf-8"><style>${css}
		body { margin: ${margin}px; background: #fff }
		.comment { box-sizing: border-box; width: ${width}px; border: 1px solid #d1d9e0; border-radius: 6px }
		.by { padding: 8px 16px; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; background: #f6f8fa; color: #59636e;
			font: 14px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif }
		.markdown-body { padding: 16px; font-size: 14px; border-radius: 0 0 6px 6px }
	</style><div class="comment"><div class="by"><b>github-actions</b> commented</div><div class="markdown-body">${html}</div></div>`
}
