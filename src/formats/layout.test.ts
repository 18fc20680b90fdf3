import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchEvals, numberRuns, parseEvalId, pickIteration } from './layout.ts'

describe('pickIteration', () => {
	it.each([
		[[], [], []],
		[['iteration-9', 'iteration-10', 'iteration-1'], ['iteration-10'], []],
		[['iteration-2-gpt-5.4-mini', 'iteration-1'], ['iteration-2-gpt-5.4-mini'], []],
		[['iteration-7', 'iteration-7-rerun', 'iteration-6'], ['iteration-7', 'iteration-7-rerun'], []],
		[['iteration-master', 'iteration-1'], ['iteration-1'], ['iteration-master']],
		[
			['iteration-master', 'iteration-', 'iteration-7b', 'iteration--1'],
			[],
			['iteration-master', 'iteration-', 'iteration-7b', 'iteration--1'],
		],
		[['iteration-0'], ['iteration-0'], []],
		[['iteration-02', 'iteration-2'], ['iteration-02', 'iteration-2'], []],
		[['iteration-99999999999'], [], ['iteration-99999999999']],
	])('%j', (names, latest, unnumbered) => {
		expect(pickIteration(names)).toEqual({ latest, unnumbered })
	})
})

describe('matchEvals', () => {
	it.each([
		['eval-1', ['1', '10'], ['1']],
		['eval-10', ['1', '10'], ['10']],
		['eval-1-table-extraction', ['1', '10'], ['1']],
		['eval-10-x', ['1'], []],
		['eval-1x', ['1'], []],
		['eval-', ['1'], []],
		['1', ['1'], []],
		['eval-top-chart', ['top', 'top-chart'], ['top-chart']],
		['eval-top-chart-x', ['top', 'top-chart'], ['top', 'top-chart']],
		['eval-cafe\u0301', ['caf\u00e9'], ['caf\u00e9']],
		['EVAL-1', ['1'], []],
	])('%s of %j', (name, ids, expected) => {
		expect(matchEvals(name, ids)).toEqual(expected)
	})
})

describe('numberRuns', () => {
	it.each([
		[['run-1']],
		[['run-10', 'run-2', 'run-1', 'run-3', 'run-4', 'run-5', 'run-6', 'run-7', 'run-8', 'run-9']],
		[['run-0', 'run-1']],
		[[]],
	])('tells %j apart', (names) => {
		const read = numberRuns(names)
		const numbers = 'runs' in read ? read.runs.map(({ run }) => run) : []
		expect(numbers).toEqual(names.map((name) => Number(name.slice(4))).sort((a, b) => a - b))
	})

	it.each([
		[['run-1', 'run-3'], 'run-2 is missing, run-3 is there'],
		[['run-2'], 'run-1 is missing, run-2 is there'],
		[['run-1', 'run-a'], '"run-a" has no number'],
		[['run-1', 'run-01'], '"run-1" and "run-01" have the same number'],
		[['run--1'], '"run--1" has no number'],
		[['run-1', 'run-2-old'], '"run-2-old" has no number'],
	])('refuses %j', (names, fault) => {
		expect(numberRuns(names)).toEqual({ fault })
	})

	it('refuses more than a hundred', () => {
		const names = Array.from({ length: 101 }, (_, at) => `run-${at + 1}`)
		expect(numberRuns(names)).toEqual({ fault: 'there are 101 runs; at most 100 are read' })
		expect(numberRuns(names.slice(1))).toEqual({ fault: 'run-1 is missing, run-2 is there' })
		expect(numberRuns(names.slice(0, 100))).toHaveProperty('runs.length', 100)
	})

	it('no run is ever lost: either all are numbered without a gap, or there is a fault', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { maxLength: 9 }), (numbers) => {
				const read = numberRuns(numbers.map((number) => `run-${number}`))
				const isWhole =
					numbers.length === 0 ||
					(Math.min(...numbers) <= 1 && Math.max(...numbers) - Math.min(...numbers) === numbers.length - 1)
				expect('runs' in read ? read.runs.length : undefined).toBe(isWhole ? numbers.length : undefined)
			}),
		)
	})
})

describe('parseEvalId', () => {
	it.each([
		['{"eval_id": 1}', '1'],
		['{"eval_id": 0}', '0'],
		['{"eval_id": "top-chart"}', 'top-chart'],
		['{"eval_id": null}', undefined],
		['{"note": "a diary"}', undefined],
		['[]', undefined],
	])('of %s is %j', (text, value) => {
		expect(parseEvalId(text, 'm')).toEqual({ value, problems: [] })
	})

	it.each([
		'',
		'{',
		'{"eval_id": 1, "eval_id": 2}',
		'{"eval_id": 1.5}',
		'{"eval_id": true}',
		'{"eval_id": ""}',
		'{"eval_id": [1]}',
		'{"eval_id": 1,}',
	])('refuses %s', (text) => {
		const { value, problems } = parseEvalId(text, 'm')
		expect(value).toBeUndefined()
		expect(problems).toMatchObject([{ severity: 'error', file: 'm', line: 1 }])
	})
})
