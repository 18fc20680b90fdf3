import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { problemOf } from '../../scripts/install-test-parts.mjs'
import type { Result } from '../../src/decision.ts'
import type { Problem } from '../../src/definition.ts'
import { renderComment, renderStepSummary } from '../../src/report/comment.ts'
import { byteLength, COMMENT_BYTES } from '../../src/report/fit.ts'
import { code, inline, pre } from '../../src/report/markdown.ts'
import { renderSummary } from '../../src/report/summary.ts'
import { hostileText, shown } from '../support/hostile.ts'
import { makeComparison, makeEval, makeResult, makeSuite, provenance } from '../support/model.ts'
import { findLive, type Live, loadCmark, sanitise } from './markdown.mjs'

const noCmark = problemOf('cmark')
if (noCmark) console.log(`Skipped, hostile text rendered as GitHub does it: ${noCmark}`)

/** Each place of the model that somebody else fills. */
const FIELDS = [
	...['text', 'evidence', 'warning', 'warningEvidence', 'lost', 'lostEvidence', 'id', 'file'],
	...[
		'noteMessage',
		'noteHint',
		'noteFile',
		'errorMessage',
		'errorHint',
		'errorFile',
		'globalMessage',
		'globalHint',
		'globalFile',
	],
	...['sentence', 'quote', 'failureHint', 'failureFile', 'label', 'removed', 'agent', 'judge', 'skillVersion', 'neighbour'],
] as const
type Texts = Record<(typeof FIELDS)[number], string>

const harmless = Object.fromEntries(FIELDS.map((name) => [name, `plain ${name}`])) as Texts
const texts = fc.record(Object.fromEntries(FIELDS.map((name) => [name, hostileText]))) as fc.Arbitrary<Texts>

/** The places that a block of their own shows to the letter. */
const IN_BLOCKS = ['text', 'evidence', 'warning', 'warningEvidence', 'lost', 'lostEvidence', 'quote'] as const
/** And those that a line shows, its white space aside. */
const IN_LINES = [
	...(['id', 'sentence', 'failureHint', 'errorMessage', 'errorHint', 'errorFile'] as const),
	...(['noteMessage', 'noteHint', 'noteFile', 'removed', 'label'] as const),
]

function problem(severity: Problem['severity'], message: string, hint: string, file: string): Problem {
	return { code: 'x', severity, message, hint, file, line: 3, column: 4 }
}

function build(t: Texts, suites: 1 | 2): Result {
	const failing = makeEval(
		'1',
		[
			{ outcome: 'fail', text: t.text, evidence: t.evidence, id: t.id, change: 'regression' },
			{ outcome: 'fail', text: t.warning, evidence: t.warningEvidence, severity: 'warning' },
			{ outcome: 'error', text: t.lost, evidence: t.lostEvidence },
			'pass',
		],
		{
			problems: [problem('warning', t.noteMessage, t.noteHint, t.noteFile)],
			timing: { durationMs: 41_000, totalTokens: 12_345 },
		},
	)
	const failure = { sentence: t.sentence, quotes: [t.quote], hint: t.failureHint, file: t.failureFile, line: 7 }
	const lost = makeEval('2', ['error', 'error'], { failure })
	const first = makeSuite('first', [failing, lost], {
		file: t.file,
		problems: [problem('error', t.errorMessage, t.errorHint, t.errorFile)],
		comparison: makeComparison({ label: t.label, removed: [{ evalId: '1', text: t.removed }], delta: { passRate: -0.25 } }),
	})
	const { neighbour } = t
	first.neighbours = {
		toolUses: [{ calls: 3, errors: 1 }],
		runs: 3,
		history: { currentBest: neighbour, versions: [{ version: neighbour, result: neighbour }] },
		comparisons: [{ file: neighbour, winner: neighbour, a: 1 }],
		suggestions: [{ priority: neighbour, category: neighbour, text: neighbour }],
	}
	const second = makeSuite('second', [makeEval('1', ['pass'])])
	const { agent, judge, skillVersion } = t
	return makeResult(suites === 1 ? [first] : [first, second], {
		problems: [problem('warning', t.globalMessage, t.globalHint, t.globalFile)],
		provenance: { agent, judge, skillVersion },
	})
}

/** What a stranger's text may change: the file in an address, and the text of the cell with the baseline's label. */
function structure({ rawText, links, tables, ...live }: Live) {
	return {
		...live,
		links: links.map(({ href }) => [provenance.blobUrl!, provenance.run!.url].find((own) => href.startsWith(own)) ?? href),
		tables: tables.map((rows) => rows.map((row) => row.map((cell) => cell.replace(/ against .*$/s, ' against')))),
	}
}

const blank = (text: string) => text.replace(/\s+/g, ' ')

describe.skipIf(noCmark)('hostile text', () => {
	const comment = loadCmark()!
	const document = loadCmark({ hardBreaks: false })!
	const key = 'ci.yml/evals'

	it('is alive nowhere in a comment, and is all there', () => {
		fc.assert(
			fc.property(texts, fc.constantFrom(1 as const, 2 as const), (hostile, suites) => {
				const result = build(hostile, suites)
				// Of what is too long for a comment whole blocks go: another structure, and the tests of the tiers look at it.
				fc.pre(byteLength(renderStepSummary(result)) < COMMENT_BYTES - 1000)
				const live = findLive(comment(renderComment(result, key)))
				expect(structure(live)).toEqual(structure(findLive(comment(renderComment(build(harmless, suites), key)))))
				expect(live).toMatchObject({ mentions: [], references: [], images: [] })
				expectShown(live, hostile)
			}),
			{ numRuns: 150 },
		)
	})

	it('stands nowhere but in blocks and in code', () => {
		const canary = 'Zq7x'
		fc.assert(
			fc.property(texts, fc.constantFrom(1 as const, 2 as const), (hostile, suites) => {
				const marked = Object.fromEntries(FIELDS.map((name) => [name, `${hostile[name]} <${canary}>`])) as Texts
				const html = sanitise(comment(renderComment(build(marked, suites), key)))
				expect(html).toContain(canary)
				expect(html.replace(/<(pre|code)>.*?<\/\1>|<a href="[^"]*">/gs, '')).not.toContain(canary)
			}),
			{ numRuns: 75 },
		)
	})

	it('is alive nowhere in a job summary', () => {
		fc.assert(
			fc.property(texts, fc.constantFrom(1 as const, 2 as const), (hostile, suites) => {
				const live = findLive(document(renderStepSummary(build(hostile, suites))))
				expect(structure(live)).toEqual(structure(findLive(document(renderStepSummary(build(harmless, suites))))))
				expectShown(live, hostile)
			}),
			{ numRuns: 75 },
		)
	})

	it('is alive nowhere in summary.md, shown as a file or as a comment', () => {
		fc.assert(
			fc.property(texts, fc.constantFrom(comment, document), (hostile, render) => {
				const summary = (t: Texts) => {
					const { suites, provenance: circumstances } = build(t, 1)
					return findLive(render(renderSummary(suites[0]!, circumstances, 'fail')))
				}
				const live = summary(hostile)
				expect(structure(live)).toEqual(structure(summary(harmless)))
				expect(live.links).toEqual([])
				expectShown(live, hostile)
			}),
			{ numRuns: 75 },
		)
	})

	function expectShown({ rawText }: Live, hostile: Texts) {
		for (const name of IN_BLOCKS) {
			// The parser drops a line break at the beginning of a block; long texts are cut by the tiers.
			const visible = [...shown(hostile[name]).replace(/^\n/, '')].slice(0, 150).join('')
			if (visible.trim() === '') continue
			if (!rawText.includes(visible)) expect.fail(`${name} is not shown to the letter: ${JSON.stringify(visible)}`)
		}
		for (const name of IN_LINES) {
			const visible = [...blank(shown(hostile[name])).trim()].slice(0, 150).join('')
			if (!blank(rawText).includes(visible)) expect.fail(`${name} is not shown: ${JSON.stringify(visible)}`)
		}
	}

	const nothing = { mentions: [], references: [], links: [], images: [], headings: [], details: 0, summaries: [], tables: [] }

	it('stands in a block to the letter', () => {
		fc.assert(
			fc.property(hostileText, (text) => {
				const { rawText, ...live } = findLive(comment(`line\n${pre(text)}\nline`))
				expect(live).toMatchObject(nothing)
				expect(rawText).toBe(`line\n${shown(text).replace(/^\n/, '')}\nline\n`)
			}),
			{ numRuns: 500 },
		)
	})

	it.each([
		['code', code],
		['inline', inline],
	])('stands in a line, in bold, in brackets, in a cell and in a link, with %s()', (_name, write) => {
		const around = (text: string) =>
			`**${text}** (${text}) · [x] ${text}\n\n| a |\n|--|\n| ${text} |\n\n<a href="https://o.test">${text}</a>`
		fc.assert(
			fc.property(hostileText, (text) => {
				const { rawText, tables, links, ...live } = findLive(comment(around(write(text))))
				expect({ ...live, links: [], tables: [] }).toMatchObject(nothing)
				expect(links.map(({ href }) => href)).toEqual(['https://o.test'])
				expect(tables.map((rows) => rows.map((row) => row.length))).toEqual([[1, 1]])
				const visible = blank(shown(text)).trim()
				expect(blank(rawText).split(visible).length - 1, rawText).toBeGreaterThanOrEqual(5)
			}),
			{ numRuns: 500 },
		)
	})

	it('names of skills and evals, as they are validated, are names only', () => {
		const letters = fc.string({ unit: fc.constantFrom(...'abcdefGH0123 ._-:'), minLength: 1, maxLength: 20 })
		const parts = fc.constantFrom(
			'www.evil.test',
			'GH-12',
			'da39a3e',
			'1234567',
			'a_b_c',
			'_x_',
			':tada:',
			'. ',
			'ghsa-abcd-1234-wxyz',
			'1.',
		)
		const word = fc.array(fc.oneof(letters, parts), { minLength: 1, maxLength: 4 }).map((words) => words.join(''))
		const skill = word.filter((name) => /^[A-Za-z0-9][A-Za-z0-9 ._:-]{0,99}$/.test(name))
		const id = word.filter((name) => /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/.test(name))
		fc.assert(
			fc.property(skill, id, (name, evalId) => {
				const suites = [makeSuite(name, [makeEval(evalId, ['fail', 'error'])]), makeSuite('other', [makeEval('1', ['pass'])])]
				const live = findLive(comment(renderComment(makeResult(suites), key)))
				expect(live).toMatchObject({ mentions: [], references: [] })
				expect(live.links.map(({ href }) => href)).toEqual(
					expect.not.arrayContaining([expect.not.stringMatching(/^https:\/\/github\.com\/o\/r\//)]),
				)
				expect(live.headings.map(({ text }) => blank(text))).toContain(blank(`Eval Results: ${name}`).trim())
				expect(live.summaries).toContain(`eval-${evalId}: 1 failing assertion`)
				expect(live.tables[1]![1]![0]).toBe(`eval-${evalId}`)
			}),
			{ numRuns: 300 },
		)
	})

	it('is only as much HTML as was meant: the sanitiser finds nothing to take away', () => {
		fc.assert(
			fc.property(texts, (hostile) => {
				const html = sanitise(comment(renderComment(build(hostile, 2), key)))
				expect(html).not.toMatch(/<(img|script|template|plaintext|h1|del|input|section|iframe)\b/i)
			}),
			{ numRuns: 50 },
		)
	})
})
