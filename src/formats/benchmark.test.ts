import { describe, expect, it } from 'vitest'
import { parseBenchmark } from './benchmark.ts'

const read = (runSummary: unknown) => parseBenchmark(JSON.stringify({ run_summary: runSummary }), 'benchmark.json')

describe('parseBenchmark', () => {
	it("reads run-evals' flat form", () => {
		const flat = { pass_rate: { mean: 0.89, stddev: 0.1 }, time_seconds: { mean: 30 }, tokens: { mean: 2900 } }
		expect(read(flat)).toEqual({
			value: { means: { passRate: { mean: 0.89 }, seconds: { mean: 30 }, tokens: { mean: 2900 } }, over: 'evals' },
			problems: [],
		})
	})

	it("reads skill-creator's with_skill, never its delta nor the other arm", () => {
		const { value, problems } = read({
			delta: { pass_rate: 0.9 },
			without_skill: { pass_rate: { mean: 0.1 } },
			with_skill: { pass_rate: { mean: 0.85 } },
		})
		expect(problems).toEqual([])
		expect(value).toEqual({ means: { passRate: { mean: 0.85 } }, over: 'runs' })
		expect(read({ without_skill: { pass_rate: { mean: 1 } }, delta: { pass_rate: { mean: 1 } } }).value).toBeUndefined()
		expect(read({ old_skill: { pass_rate: { mean: 1 } } }).value).toBeUndefined()
	})

	it('prefers the flat block, and never falls back from one that cannot be used', () => {
		const nested = { pass_rate: { mean: 1 } }
		expect(read({ with_skill: nested, pass_rate: { mean: 0.5 } }).value?.means.passRate).toEqual({ mean: 0.5 })
		expect(read({ with_skill: nested, pass_rate: 0.5 }).value).toBeUndefined()
	})

	it.each([78.3, 1.0000001, -0.1, '100%', '3/3', '+40pp', '0.9', null, true, [0.9], { mean: 0.9 }])(
		'a mean of %j is refused with the reason',
		(mean) => {
			for (const summary of [{ pass_rate: { mean } }, { with_skill: { pass_rate: { mean } } }]) {
				const { value, problems } = read(summary)
				expect(value).toBeUndefined()
				expect(problems).toMatchObject([{ code: 'benchmark-pass-rate', severity: 'error', line: 1 }])
				expect(problems[0]?.message).toMatch(/pass_rate\.mean" must be a number from 0 to 1; it is /)
			}
		},
	)

	it.each([undefined, null, 0.9, '100%', [], 'the skill does better'])('a pass rate that is %j is refused', (rate) => {
		expect(read({ pass_rate: rate })).toMatchObject({ problems: [{ code: 'benchmark-pass-rate', severity: 'error' }] })
		expect(read({ with_skill: { pass_rate: rate } }).value).toBeUndefined()
	})

	it.each([undefined, null, [], 'prose', 0.9, [{ configuration: 'with_skill', mean_pass_rate: 1 }]])(
		'a summary that is %j is refused',
		(summary) => {
			const { value, problems } = read(summary)
			expect(value).toBeUndefined()
			expect(problems).toMatchObject([{ code: 'benchmark-shape', severity: 'error' }])
		},
	)

	it.each([
		'',
		'[]',
		'null',
		'{"run_summary": {"pass_rate": {"mean": NaN}}}',
		'{"run_summary": {"pass_rate": {"mean": 0, "mean": 1}}}',
		'{"run_summary": {"pass_rate": {"mean": 1e999}}}',
	])('%j is refused', (text) => {
		const { value, problems } = parseBenchmark(text, 'b')
		expect(value).toBeUndefined()
		expect(problems[0]).toMatchObject({ severity: 'error', file: 'b', line: 1 })
	})

	it.each(['0', '-3', 'null', '"30"', '[30]', '1e999'])('a time whose mean is %s is unknown, not 0', (mean) => {
		const text = `{"run_summary": {"pass_rate": {"mean": 0}, "time_seconds": {"mean": ${mean}}, "tokens": {"mean": 5}}}`
		const { value, problems } = parseBenchmark(text, 'b')
		expect(value?.means).toEqual({ passRate: { mean: 0 }, seconds: undefined, tokens: { mean: 5 } })
		expect(problems).toMatchObject([{ code: 'benchmark-value', severity: 'notice' }])
	})
})
