import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeEval } from '../../test/support/model.ts'
import type { GradingRow, Outcome } from '../model.ts'
import { combineRows, combineRuns, meanRunRate, meanTiming } from './combine.ts'

const combine = (...runs: Outcome[][]) => {
	const results = runs.map((outcomes, at) => ({ run: at + 1, result: makeEval('1', outcomes) }))
	return combineRuns(results[0]!.result.definition, results)
}

describe('combineRuns', () => {
	it.each<[Outcome[], Outcome]>([
		[['pass'], 'pass'],
		[['pass', 'pass', 'pass'], 'pass'],
		[['pass', 'fail', 'pass'], 'fail'],
		[['fail', 'fail'], 'fail'],
		[['pass', 'error'], 'error'],
		[['fail', 'error'], 'error'],
		[['skipped', 'skipped'], 'skipped'],
	])('%j is %s', (outcomes, expected) => {
		expect(combine(...outcomes.map((outcome) => [outcome])).assertions[0]?.outcome).toBe(expected)
	})

	it('keeps every attempt with its number, and shows the evidence of the first that decided', () => {
		const definition = makeEval('1', ['pass']).definition
		const run = (number: number, outcome: Outcome) => ({
			run: number,
			result: makeEval('1', [{ outcome, evidence: `run ${number}` }]),
		})
		const [failed] = combineRuns(definition, [run(1, 'pass'), run(2, 'fail'), run(3, 'fail')]).assertions
		expect(failed).toMatchObject({ outcome: 'fail', evidence: 'run 2' })
		expect(failed?.attempts).toEqual([
			{ run: 1, outcome: 'pass', evidence: 'run 1' },
			{ run: 2, outcome: 'fail', evidence: 'run 2' },
			{ run: 3, outcome: 'fail', evidence: 'run 3' },
		])
		expect(combineRuns(definition, [run(1, 'pass'), run(2, 'pass')]).assertions[0]?.evidence).toBe('run 1')
		expect(combineRuns(definition, [run(1, 'fail'), run(2, 'error')]).assertions[0]?.evidence).toBe('run 2')
	})

	it('is not a pass without a run, or with a run that has no result for it', () => {
		const whole = makeEval('1', ['pass', 'pass'])
		expect(combineRuns(whole.definition, []).assertions.map(({ outcome }) => outcome)).toEqual(['error', 'error'])
		const short = { ...whole, assertions: whole.assertions.slice(0, 1) }
		const runs = [whole, short].map((result, at) => ({ run: at + 1, result }))
		expect(combineRuns(whole.definition, runs).assertions.map(({ outcome }) => outcome)).toEqual(['pass', 'error'])
	})

	it('keeps the failure and the problems of each run', () => {
		const failure = { sentence: 'grading.json is missing', quotes: [] }
		const problem = { code: 'x', severity: 'error' as const, message: 'm' }
		const results = [makeEval('1', ['pass'], { problems: [problem] }), makeEval('1', ['error'], { failure })]
		const combined = combineRuns(
			results[0]!.definition,
			results.map((result, at) => ({ run: at + 1, result })),
		)
		expect(combined).toMatchObject({ failure, problems: [problem] })
	})

	it('passes exactly if every run of every order does', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom<Outcome>('pass', 'fail', 'error'), { minLength: 1, maxLength: 6 }), (outcomes) => {
				const { outcome } = combine(...outcomes.map((each) => [each])).assertions[0]!
				expect(outcome === 'pass').toBe(outcomes.every((each) => each === 'pass'))
				expect(outcome === 'error').toBe(outcomes.includes('error'))
			}),
		)
	})
})

describe('meanTiming', () => {
	it.each([
		[[], {}],
		[[{}, {}], {}],
		[[{ durationMs: 0.5 }], { durationMs: 0.5 }],
		[[{ durationMs: 30, totalTokens: 7 }, { durationMs: 51 }, {}], { durationMs: 41, totalTokens: 7 }],
	])('of %j is %j', (timings, expected) => {
		expect(meanTiming(timings)).toEqual(expected)
	})
})

describe('meanRunRate', () => {
	it('pools the runs of all evals, as they are, and leaves out what nobody measured', () => {
		const twice = combine(['pass', 'pass', 'skipped'], ['pass', 'fail', 'skipped'])
		const once = combine(['fail'])
		expect(meanRunRate([twice, once])).toBe((1 + 0.5 + 0) / 3)
		expect(meanRunRate([combine(['error'])])).toBeUndefined()
		expect(meanRunRate([])).toBeUndefined()
	})
})

describe('combineRows', () => {
	const rows = (outcomes: Record<string, GradingRow['outcome']>): GradingRow[] =>
		Object.entries(outcomes).map(([text, outcome]) => ({ text, outcome, evidence: `${text} ${outcome}` }))

	it('by the same rule, whatever their order and retyping', () => {
		const combined = combineRows([
			rows({ 'it is — so': 'pass', b: 'pass', c: 'fail' }),
			rows({ c: 'pass', B: 'error', 'it is -- so': 'pass' }),
		])
		expect(combined?.map(({ outcome }) => outcome)).toEqual(['pass', 'error', 'fail'])
		expect(combined?.[2]?.evidence).toBe('c fail')
	})

	it.each([
		['a row more', rows({ a: 'pass' }), rows({ a: 'pass', b: 'pass' })],
		['a row less', rows({ a: 'pass', b: 'pass' }), rows({ a: 'pass' })],
		['another row', rows({ a: 'pass' }), rows({ b: 'pass' })],
	])('%s cannot be compared', (_name, first, second) => {
		expect(combineRows([first, second])).toBeUndefined()
	})

	it('of one run are its own, of none there are none', () => {
		expect(combineRows([rows({ a: 'fail' })])).toEqual(rows({ a: 'fail' }))
		expect(combineRows([])).toBeUndefined()
	})
})
