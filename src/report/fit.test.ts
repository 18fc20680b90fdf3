import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileText } from '../../test/support/hostile.ts'
import { makeEval, makeResult, makeSuite, type Row } from '../../test/support/model.ts'
import type { Result } from '../decision.ts'
import type { SuiteResult } from '../model.ts'
import { renderComment, renderStepSummary } from './comment.ts'
import { FULL, TIERS } from './detail.ts'
import { formatNumbers } from './failed-assertions.ts'
import { renderFailedIds } from './failed-ids.ts'
import { byteLength, COMMENT_BYTES, renderToFit, STEP_SUMMARY_BYTES } from './fit.ts'
import { renderSuite } from './summary.ts'

const bytes = (text: string) => Buffer.byteLength(text)

function expand(numbers: string): number[] {
	return numbers.split(/, ?/).flatMap((range) => {
		const [from = 0, to = from] = range.split('-').map(Number)
		return Array.from({ length: to - from + 1 }, (_, at) => from + at)
	})
}

/** Every `suite/eval/number` that a report names, in its folds or in its list, whatever its tier. */
function readIds(markdown: string, suites: SuiteResult[]): Set<string> {
	const ids = new Set<string>()
	let suite = suites.length === 1 ? suites[0]!.suite.skill : ''
	let id = ''
	for (const line of markdown.split('\n')) {
		suite = /^## Eval Results: (.+)$/.exec(line)?.[1] ?? suite
		id = /^<summary>eval-(\S+): \d+ (?:failing assertions?|assertions? without a result)<\/summary>$/.exec(line)?.[1] ?? id
		const [, numbers] = /^\*\*Assertion\*\* (\d+)/.exec(line) ?? /^Assertions? ([\d, -]+)$/.exec(line) ?? []
		for (const number of numbers === undefined ? [] : expand(numbers)) ids.add(`${suite}/${id}/${number}`)
		const [, name, list] = /^\*\*([\w-]+)\*\* ((?:eval-)?[\w.-]+:.*)$/.exec(line) ?? []
		for (const entry of list?.split(/ · | (?=\S+:)/) ?? []) {
			const [key = '', own = ''] = entry.split(/: ?/)
			for (const number of expand(own)) ids.add(`${name}/${key.replace(/^eval-/, '')}/${number}`)
		}
	}
	return ids
}

function expectedIds(suites: SuiteResult[]): Set<string> {
	const ids = suites.flatMap(({ suite, evals }) =>
		evals.flatMap(({ id, assertions }) =>
			assertions
				.filter(({ outcome }) => outcome === 'fail' || outcome === 'error')
				.map(({ definition }) => `${suite.skill}/${id}/${definition.index}`),
		),
	)
	return new Set(ids)
}

function expectWhole(markdown: string) {
	expect(markdown.isWellFormed()).toBe(true)
	expect(markdown.match(/<details/g)?.length).toBe(markdown.match(/<\/details>/g)?.length)
	expect(markdown.match(/<pre>/g)?.length).toBe(markdown.match(/<\/pre>/g)?.length)
	expect(markdown.match(/<(?!\/?(?:details|summary|pre|code|b|sub|a)(?: open| href="[^"]*")?>|!-- )/)).toBeNull()
	expect(markdown.match(/&(?!(?:amp|lt|gt|quot|#\d+);)/)).toBeNull()
}

function expectFits(result: Result) {
	for (const [markdown, budget] of [
		[renderComment(result, 'ci.yml/evals'), COMMENT_BYTES],
		[renderStepSummary(result), STEP_SUMMARY_BYTES],
	] as const) {
		expect(bytes(markdown)).toBeLessThanOrEqual(budget)
		expectWhole(markdown)
		expect(markdown).toContain(`${result.decision.title}\n\n`)
		expect(markdown).toContain('Skill Eval Gate 1.2.3</sub>')
		expect(readIds(markdown, result.suites)).toEqual(expectedIds(result.suites))
	}
}

const failing = (evidence: string, text = 'an assertion'): Row => ({ outcome: 'fail', evidence, text })
const suiteOf = (skill: string, evals: number, rows: (at: number) => (Row | 'pass' | 'fail' | 'error')[]) =>
	makeSuite(
		skill,
		Array.from({ length: evals }, (_, at) => makeEval(String(at + 1), rows(at))),
	)

describe('a report of any size', () => {
	it('the limits are below those of GitHub', () => {
		expect(COMMENT_BYTES).toBeLessThanOrEqual(60_000)
		expect(STEP_SUMMARY_BYTES).toBeLessThanOrEqual(1_000_000)
	})

	it.each([
		['plain', 'x'],
		['four bytes each', '😀'],
		['six bytes each as an entity', '"'],
		['eight bytes each as an escape', '\u202e'],
		['nothing but half characters', '\ud83d'],
		['line breaks', '\n'],
	])('fits with 500 failing assertions of 2 kB: %s', (_name, character) => {
		const evidence = character.repeat(2000)
		expectFits(makeResult([suiteOf('verify-pr', 20, () => Array(25).fill(failing(evidence, evidence.slice(0, 600))))]))
	})

	it('fits with 500 failing assertions, all in one eval or each in its own', () => {
		const row = failing('x'.repeat(2000))
		expectFits(makeResult([suiteOf('verify-pr', 1, () => Array(500).fill(row))]))
		expectFits(makeResult([suiteOf('verify-pr', 500, () => [row])]))
	})

	it('counts the marker, however long its key is', () => {
		const result = makeResult([suiteOf('s', 6, () => [failing('x'.repeat(4000))])])
		expect(bytes(renderComment(result, 'k'))).toBeGreaterThan(45_000)
		const comment = renderComment(result, 'k'.repeat(20_000))
		expect(bytes(comment)).toBeLessThanOrEqual(COMMENT_BYTES)
		expect(readIds(comment, result.suites)).toEqual(expectedIds(result.suites))
	})

	it('fits with 60 suites', () => {
		const suites = Array.from({ length: 60 }, (_, at) =>
			suiteOf(`skill-${at}`, 8, () => [failing('x'.repeat(500)), 'error', 'pass']),
		)
		expectFits(makeResult(suites))
	})

	const patterns: [string, (number: number, at: number) => boolean][] = [
		['all', () => true],
		['every second', (number, at) => (number + at) % 2 === 0],
		['pairs', (number) => number % 3 !== 0],
		['one', (number, at) => number === at % 46],
	]

	it.each(patterns)('names every id of 169 evals of 46 assertions in three suites: %s failed', (_name, isFailed) => {
		const rows = (at: number) =>
			Array.from({ length: 46 }, (_, number) => (isFailed(number + 1, at) ? (number % 5 === 0 ? 'error' : 'fail') : 'pass'))
		const suites = ['planner', 'writer', 'reviewer'].map((skill) => suiteOf(skill, 169, rows))
		expectFits(makeResult(suites))
		expectFits(makeResult(suites.slice(0, 1)))
	})

	it('says what it leaves out, and names every id in each tier', () => {
		const suite = suiteOf('s', 3, () => [failing('e'.repeat(12_000), 't'.repeat(12_000)), 'error', 'pass', 'fail'])
		const texts = [FULL, ...TIERS].map((detail) => renderSuite(suite, 'fail', detail))
		for (const [at, text] of texts.entries()) {
			expect(readIds(text, [suite])).toEqual(expectedIds([suite]))
			expectWhole(text)
			if (at > 0) expect(bytes(text)).toBeLessThan(bytes(texts[at - 1]!))
		}
		const comment = renderComment(makeResult([suiteOf('s', 300, () => [failing('e'.repeat(2000))])]), 'k')
		expect(comment).toContain('\n\nNot everything fits here: ')
		expect(comment).toContain(`<pre>${'e'.repeat(300)}`)
	})

	it('keeps to its limit even if not every id fits, drops whole evals and says how many', () => {
		const suites = Array.from({ length: 8 }, (_, at) =>
			suiteOf(`skill-${at}`, 169, (e) => Array.from({ length: 46 }, (_, n) => ((n + e) % 2 ? 'pass' : 'fail'))),
		)
		const comment = renderComment(makeResult(suites), 'k')
		expect(bytes(comment)).toBeLessThanOrEqual(COMMENT_BYTES)
		const named = readIds(comment, suites)
		expect(named.size).toBeGreaterThan(10_000)
		const all = expectedIds(suites)
		expect([...named].filter((id) => !all.has(id))).toEqual([])
		const evals = new Set([...named].map((id) => id.replace(/\/\d+$/, '')))
		expect(comment).toContain(`and ${(8 * 169 - evals.size).toLocaleString('en')} more evals\n`)
		const enormous = Array.from({ length: 1000 }, (_, at) => suiteOf(`skill-with-a-long-name-${at}`, 1, () => ['fail']))
		expect(bytes(renderComment(makeResult(enormous), 'k'))).toBeLessThanOrEqual(COMMENT_BYTES)
	})
})

describe('renderToFit', () => {
	it('gives the first tier that fits, else the last resort with the budget', () => {
		fc.assert(
			fc.property(fc.array(fc.nat(300), { minLength: TIERS.length, maxLength: TIERS.length }), fc.nat(300), (sizes, budget) => {
				const text = renderToFit(
					(detail) => '😀'.repeat(sizes[TIERS.indexOf(detail)]!),
					(bytes) => `last ${bytes}`,
					budget,
				)
				const fitting = sizes.find((size) => size * 4 <= budget)
				expect(text).toBe(fitting === undefined ? `last ${budget}` : '😀'.repeat(fitting))
			}),
		)
	})

	it('keeps to any budget, with whole blocks', () => {
		const row = fc.record({
			outcome: fc.constantFrom('fail' as const, 'error' as const, 'pass' as const),
			text: hostileText,
			evidence: hostileText,
		})
		const evals = fc.array(fc.array(row, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 })
		fc.assert(
			fc.property(evals, fc.integer({ min: 300, max: 20_000 }), (rows, budget) => {
				const suite = makeSuite(
					's',
					rows.map((each, at) => makeEval(String(at + 1), each)),
				)
				const text = renderToFit(
					(detail) => renderSuite(suite, 'fail', detail),
					(room) => renderFailedIds([suite], room),
					budget,
				)
				expect(bytes(text)).toBeLessThanOrEqual(budget)
				expectWhole(text)
				expect(readIds(text, [suite])).toEqual(expectedIds([suite]))
			}),
		)
	})

	it('counts bytes', () => {
		expect([byteLength('a'), byteLength('é'), byteLength('漢'), byteLength('😀'), byteLength('\ud83d')]).toEqual([1, 2, 3, 4, 3])
	})
})

describe('renderFailedIds', () => {
	const suite = suiteOf('s', 12, () => ['fail', 'error', 'pass', 'fail'])

	it('writes them for people if there is room, else shorter, else as many as there is room for', () => {
		expect(renderFailedIds([suite], 10_000)).toBe(
			`Failed or not measured, by number:\n\n**s** ${Array.from({ length: 12 }, (_, at) => `eval-${at + 1}: 1-2, 4`).join(' · ')}`,
		)
		expect(renderFailedIds([suite], 280)).toMatch(
			/^Failed or not measured, as eval:assertions\n\n\*\*s\*\* 1:1-2,4 2:1-2,4 .* 12:1-2,4$/,
		)
		expect(renderFailedIds([suite], 200)).toMatch(/\*\*s\*\* 1:1-2,4 .*\n\nand \d more evals?$/)
	})

	it('keeps to any budget, and loses none without a word', () => {
		fc.assert(
			fc.property(fc.integer({ min: 110, max: 700 }), fc.integer({ min: 1, max: 5 }), (budget, count) => {
				const suites = Array.from({ length: count }, (_, at) => ({ ...suite, suite: { ...suite.suite, skill: `skill-${at}` } }))
				const text = renderFailedIds(suites, budget)
				expect(bytes(text)).toBeLessThanOrEqual(budget)
				const omitted = Number(/and (\d+) more eval/.exec(text)?.[1] ?? 0)
				expect(readIds(text, suites).size + omitted * 3).toBe(count * 36)
			}),
		)
	})
})

describe('formatNumbers', () => {
	it('writes ranges', () => {
		expect(formatNumbers([7, 1, 2, 3, 9, 10])).toBe('1-3, 7, 9-10')
		expect(formatNumbers([4])).toBe('4')
		expect(formatNumbers([])).toBe('')
	})

	it('loses no number', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (numbers) => {
				expect(expand(formatNumbers(numbers))).toEqual([...numbers].sort((a, b) => a - b))
			}),
		)
	})
})
