import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problemOf } from '../../scripts/install-test-parts.mjs'
import { renderComment, renderStepSummary } from '../../src/report/comment.ts'
import { makeComparison, makeEval, makeResult, makeSuite } from '../support/model.ts'
import { type Browser, loadBrowser } from './browser.mjs'
import { findLive, loadCmark, sanitise } from './markdown.mjs'

const noCmark = problemOf('cmark')
const noBrowser = noCmark ?? problemOf('browser')
if (noCmark) console.log(`Skipped, reading comments as GitHub does: ${noCmark}`)
if (noBrowser) console.log(`Skipped, looking at comments in a browser: ${noBrowser}`)

const failure = { sentence: 'the agent ended with exit status 1', quotes: ['Error: 401 '.repeat(40)], hint: 'check the key' }
const planner = makeSuite(
	'planner',
	[
		makeEval('1', [
			'pass',
			{ outcome: 'fail', change: 'regression' },
			{ outcome: 'fail', severity: 'warning', change: 'pre-existing' },
		]),
		makeEval('2', ['error', 'error'], { failure }),
	],
	{
		comparison: makeComparison({ removed: [{ evalId: '1', text: 'closes @octocat’s #12' }] }),
		problems: [{ code: 'x', severity: 'notice', file: 'results/planner/benchmark.json', message: 'it says 1, the gradings 0.5' }],
	},
)
const writer = makeSuite('writer', [makeEval('1', ['pass']), makeEval('2', ['pass', 'pass'])])
const result = makeResult([planner, writer], {
	problems: [
		{ code: 'x', severity: 'warning', file: 'evals/planner/evals.json', line: 3, message: 'the key "serverity" is not known' },
	],
})

describe.skipIf(noCmark)('a comment as it is read', () => {
	const live = findLive(loadCmark()!(renderComment(result, 'ci.yml/evals')))

	it('has the verdict, then what was meant, and addresses nobody', () => {
		expect(live).toMatchObject({ mentions: [], references: [], images: [] })
		expect(live.headings.map(({ level, text }) => `${level} ${text.replace(/ ·.*/, '')}`)).toEqual([
			'3 ⚠️ not everything was measured, and 1 assertion failed',
			...['2 Eval Results: planner', '3 Failed Assertions', '3 Not Measured', '2 Eval Results: writer'],
		])
		expect(live.links.map(({ text }) => text)).toEqual(['evals/planner/evals.json:12', 'run 812, attempt 1'])
	})

	it('unfolds what blocks, and nothing else', () => {
		expect(live.open).toEqual(['⚠️ planner: 1 of 5 assertions passed, 1 failed, 1 failed without blocking, 2 not measured'])
		expect(live.summaries).toEqual([
			live.open[0],
			...['eval-1: 2 failing assertions', 'eval-2: 2 assertions without a result', 'What else was noticed (2)'],
			...['✅ writer: 3 of 3 assertions passed', 'What else was noticed (1)'],
		])
	})

	it('has a row a suite and, in each suite, a row an eval', () => {
		expect(live.tables).toEqual([
			[
				['Suite', 'Passed', 'Failed', 'Not measured', 'Against the baseline'],
				['⚠️ planner', '1/5', '2', '2', '1 regression, 1 failing as before, 1 removed against 4be1c07'],
				['✅ writer', '3/3', '0', '0', 'no baseline yet'],
			],
			[
				['Eval', 'Passed', 'Failed', 'Pass Rate'],
				['eval-1', '1/3', '2', '33%'],
				['eval-2', '0/2', '0', 'n/a'],
			],
			[
				['Eval', 'Passed', 'Failed', 'Pass Rate'],
				['eval-1', '1/1', '0', '100%'],
				['eval-2', '2/2', '0', '100%'],
			],
		])
	})

	it('is the same in a job summary, which breaks lines another way', () => {
		const { rawText: _comment, ...expected } = live
		const { rawText: _summary, ...summary } = findLive(loadCmark({ hardBreaks: false })!(renderStepSummary(result)))
		expect(summary).toEqual(expected)
	})
})

describe.skipIf(noBrowser)('a comment as it is seen', () => {
	let browser: Browser
	beforeAll(async () => {
		browser = (await loadBrowser())!
	})
	afterAll(() => browser?.close())

	it.each([900, 360])('is no wider than its box of %i pixels', async (width) => {
		const html = sanitise(loadCmark()!(renderComment(result, 'k')))
		const seen = await browser.screenshot(html, undefined, { width })
		expect(seen).toMatchObject({
			details: 6,
			open: 1,
			overflow: false,
			tables: [
				[5, 5, 5],
				[4, 4, 4],
				[4, 4, 4],
			],
		})
		// A long line of evidence is scrolled in its own block.
		expect(seen.scrolling).toContainEqual(expect.stringMatching(/^Error: 401/))
	})
})
