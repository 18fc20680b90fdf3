import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGrading } from './grading.ts'
import { parseTiming } from './timing.ts'

const read = (document: unknown) => parseGrading(JSON.stringify(document), 'grading.json')
const row = (more: object) => read({ assertion_results: [{ text: 't', passed: true, evidence: 'e', ...more }] })

describe('parseGrading', () => {
	it('reads run-evals and skill-creator', () => {
		for (const key of ['assertion_results', 'expectations']) {
			const { value, problems } = read({
				[key]: [
					{ text: 't', passed: true, evidence: 'e' },
					{ id: 7, text: 'u', passed: false },
				],
				summary: { passed: 1, total: 2 },
			})
			expect(problems).toEqual([])
			expect(value).toEqual({
				rows: [
					{ id: undefined, text: 't', outcome: 'pass', evidence: 'e' },
					{ id: '7', text: 'u', outcome: 'fail', evidence: '' },
				],
				claimed: { passed: 1, total: 2 },
			})
		}
	})

	it.each([
		[null],
		[[]],
		['x'],
		[{}],
		[{ assertion_results: {} }],
		[{ results: [] }],
		[{ assertion_results: [{ text: 'a', passed: true }], expectations: [] }],
	])('refuses %j', (document) => {
		const { value, problems } = read(document)
		expect(value).toBeUndefined()
		expect(problems.map(({ severity }) => severity)).toEqual(['error'])
	})

	it.each([['true'], ['false'], [1], [0], [null], [undefined], [[]], [{}], ['PASS']])('%j is not a result', (passed) => {
		const { value, problems } = row({ passed })
		expect(value?.rows[0]?.outcome).toBe('error')
		expect(problems).toHaveLength(1)
	})

	it('keeps a row of another shape, so that it cannot get lost', () => {
		expect(read({ assertion_results: ['x', null] }).value?.rows.map(({ outcome }) => outcome)).toEqual(['error', 'error'])
		expect(row({ text: undefined }).value?.rows[0]?.outcome).toBe('error')
	})

	it('tells our own "not measured" from "failed", and does not believe a contradiction', () => {
		expect(row({ passed: false, outcome: 'error' }).value?.rows[0]?.outcome).toBe('error')
		expect(row({ passed: true, outcome: 'error' }).value?.rows[0]?.outcome).toBe('error')
		expect(row({ passed: true, outcome: 'fail' }).value?.rows[0]?.outcome).toBe('error')
		expect(row({ passed: false, outcome: 'pass' }).value?.rows[0]?.outcome).toBe('error')
		expect(row({ passed: true, outcome: 'pass' }).value?.rows[0]?.outcome).toBe('pass')
	})

	it('never throws, and never reads a pass that is not a strict true', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 4 }), (document) => {
				for (const { outcome } of read({ assertion_results: document }).value?.rows ?? []) expect(outcome).not.toBe('pass')
			}),
		)
	})
})

describe('parseTiming', () => {
	const timing = (document: unknown) => parseTiming(JSON.stringify(document), 'timing.json')

	it('reads milliseconds, else seconds', () => {
		expect(timing({ duration_ms: 1500, total_tokens: 7, total_duration_seconds: 9 }).value).toEqual({
			durationMs: 1500,
			totalTokens: 7,
		})
		expect(timing({ total_duration_seconds: 9 }).value).toEqual({ durationMs: 9000, totalTokens: undefined })
	})

	it.each([[0], [-1], ['12'], [null], [{}]])('%j is unknown, with a notice', (value) => {
		const read = timing({ duration_ms: value })
		expect(read.value).toEqual({ durationMs: undefined, totalTokens: undefined })
		expect(read.problems.map(({ severity }) => severity)).toEqual(['notice'])
	})

	it('is never a failure', () => {
		for (const text of ['', '{', '[]', 'null', '{"duration_ms":1e999}']) {
			expect(parseTiming(text, 'timing.json').problems.every(({ severity }) => severity === 'notice')).toBe(true)
		}
	})
})
