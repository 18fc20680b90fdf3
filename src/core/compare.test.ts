import { describe, expect, it } from 'vitest'
import type { AssertionDefinition, EvalDefinition } from '../definition.ts'
import type { Baseline, EvalResult, GradingRow, Outcome, Timing } from '../model.ts'
import { collectGrades } from './collect.ts'
import { compareSuite } from './compare.ts'

const define = (texts: string[]): AssertionDefinition[] =>
	texts.map((text, at) => ({
		index: at + 1,
		text,
		severity: 'error',
		type: 'regression',
		weight: 1,
		skip: false,
		grader: 'judge',
		options: {},
		target: { source: 'outputs' },
		pointer: '',
	}))

function makeEval(id: string, outcomes: Record<string, Exclude<Outcome, 'skipped'>>, timing: Timing = {}): EvalResult {
	const definition: EvalDefinition = { id, prompt: 'p', files: [], assertions: define(Object.keys(outcomes)), pointer: '' }
	const grades = new Map(Object.values(outcomes).map((outcome, at) => [at + 1, { outcome, evidence: '' }]))
	return collectGrades(definition, grades, timing, [])
}

const rows = (outcomes: Record<string, GradingRow['outcome']>): GradingRow[] =>
	Object.entries(outcomes).map(([text, outcome]) => ({ text, outcome, evidence: '' }))

function makeBaseline(
	evals: Record<string, Record<string, GradingRow['outcome']>>,
	timing: Timing = {},
	unreadable: string[] = [],
): Baseline {
	const entries = Object.entries(evals).map(([id, outcomes]) => [id, { rows: rows(outcomes), timing }] as const)
	return { label: 'abc', evals: new Map(entries), unreadable, aggregate: {} }
}

const changes = (evals: EvalResult[], baseline: Baseline) =>
	compareSuite(evals, baseline).evals.flatMap(({ assertions }) => assertions.map(({ change }) => change))

describe('compareSuite', () => {
	it.each([
		['pass', 'pass', undefined],
		['pass', 'fail', 'regression'],
		['fail', 'fail', 'pre-existing'],
		['fail', 'pass', 'fixed'],
		['pass', 'error', 'not-comparable'],
		['error', 'fail', 'not-comparable'],
	] as const)('%s then %s is %s', (before, now, change) => {
		expect(changes([makeEval('1', { a: now })], makeBaseline({ 1: { a: before } }))).toEqual([change])
	})

	it('a text that was another is new, and the old one removed', () => {
		const { evals, comparison } = compareSuite(
			[makeEval('1', { 'harder than before': 'fail' })],
			makeBaseline({ 1: { easy: 'pass' } }),
		)
		expect(evals[0]?.assertions[0]?.change).toBe('new')
		expect(comparison.removed).toEqual([{ evalId: '1', text: 'easy' }])
	})

	it('an eval that is not in the baseline is new; one that is unreadable there cannot be compared; one that is gone is removed', () => {
		const { evals, comparison } = compareSuite(
			[makeEval('1', { a: 'fail' }), makeEval('2', { a: 'fail' })],
			makeBaseline({ 3: { b: 'pass' } }, {}, ['2']),
		)
		expect(evals.map(({ assertions }) => assertions[0]?.change)).toEqual(['new', 'not-comparable'])
		expect(comparison.removed).toEqual([{ evalId: '3', text: 'b' }])
	})

	it('compares means over the evals that both have', () => {
		const now = [
			makeEval('1', { a: 'pass', b: 'fail' }, { durationMs: 2000, totalTokens: 300 }),
			makeEval('2', { c: 'fail' }, { durationMs: 9000, totalTokens: 9000 }),
		]
		const { comparison } = compareSuite(
			now,
			makeBaseline({ 1: { a: 'pass', b: 'pass' } }, { durationMs: 1000, totalTokens: 400 }),
		)
		expect(comparison.delta).toEqual({ passRate: -0.5, tokens: -0.25, seconds: 1 })
	})

	it('compares no means where one side did not measure', () => {
		const { comparison } = compareSuite([makeEval('1', { a: 'pass' }, { totalTokens: 5 })], makeBaseline({ 1: { a: 'pass' } }))
		expect(comparison.delta).toEqual({ passRate: 0, tokens: undefined, seconds: undefined })
	})

	it('compares nothing with a summary: no assertion is new, fixed or regressed, no mean has a difference', () => {
		const now = [makeEval('1', { a: 'pass', b: 'fail', c: 'error' }, { durationMs: 5 })]
		const means = { passRate: { mean: 0.5 }, seconds: { mean: 3 } }
		const { evals, comparison } = compareSuite(now, { ...makeBaseline({}), aggregate: means, summaryOnly: true })
		expect(evals[0]?.assertions.map(({ change, outcome }) => [change, outcome])).toEqual([
			['not-comparable', 'pass'],
			['not-comparable', 'fail'],
			['not-comparable', 'error'],
		])
		expect(comparison).toEqual({ label: 'abc', removed: [], aggregate: means, delta: {}, summaryOnly: true })
	})
})
