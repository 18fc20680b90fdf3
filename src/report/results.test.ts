import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileText } from '../../test/support/hostile.ts'
import { makeEval, makeSuite } from '../../test/support/model.ts'
import { collectRows } from '../core/collect.ts'
import { parseGrading } from '../formats/grading.ts'
import { parseTiming } from '../formats/timing.ts'
import type { EvalResult, Outcome } from '../model.ts'
import { formatBenchmark, formatEvalMetadata, formatFeedback, formatGrading, formatTiming } from './results.ts'

const context = { agent: 'claude', judge: 'none', promptVersion: '2', version: '1.2.3' }
const benchmarkOf = (evals: EvalResult[]) => JSON.parse(formatBenchmark(makeSuite('verify-pr', evals), context))

/** Two of three, one of four, both: the means and deviations below are worked out by hand. */
const measured = [
	makeEval('1', ['pass', 'pass', 'fail'], { timing: { durationMs: 12_345, totalTokens: 1000 }, name: 'first' }),
	makeEval('2', ['pass', 'fail', 'fail', 'fail'], { timing: { durationMs: 20_000 } }),
	makeEval('10', ['pass', 'pass'], { timing: { totalTokens: 2500 } }),
]
const lost = makeEval('rename', ['error', 'error'])

describe('benchmark.json', () => {
	it('has the configuration first and the flat metrics last, because a viewer goes by the order', () => {
		expect(Object.keys(benchmarkOf(measured).run_summary)).toEqual(['with_skill', 'pass_rate', 'time_seconds', 'tokens'])
		expect(Object.keys(benchmarkOf(measured))).toEqual(['metadata', 'runs', 'run_summary', 'notes'])
	})

	it('has the sample deviation and four decimals for the configuration, the population deviation and two decimals flat', () => {
		// Rates 2/3, 1/4, 1: mean 23/36; squares of the differences sum to 0.282407...
		// Seconds 12.345 and 20: mean 16.1725, half difference 3.8275. Tokens 1000 and 2500: mean 1750, half difference 750.
		expect(benchmarkOf([...measured, lost]).run_summary).toEqual({
			with_skill: {
				pass_rate: { mean: 0.6389, stddev: 0.3758, min: 0.25, max: 1 },
				time_seconds: { mean: 16.1725, stddev: 5.4129, min: 12.345, max: 20 },
				tokens: { mean: 1750, stddev: 1060.6602, min: 1000, max: 2500 },
			},
			pass_rate: { mean: 0.64, stddev: 0.31 },
			time_seconds: { mean: 16.17, stddev: 3.83 },
			tokens: { mean: 1750, stddev: 750 },
		})
	})

	it('of one run has deviations of 0, not none', () => {
		const { run_summary } = benchmarkOf([makeEval('1', ['pass', 'fail'])])
		expect(run_summary).toEqual({
			with_skill: { pass_rate: { mean: 0.5, stddev: 0, min: 0.5, max: 0.5 } },
			pass_rate: { mean: 0.5, stddev: 0 },
		})
	})

	it('describes each run, and leaves out the runs that measured nothing, by name', () => {
		const { metadata, runs, notes } = benchmarkOf([...measured, lost])
		expect(metadata).toEqual({
			skill_name: 'verify-pr',
			evals_run: [1, 2, 10, 'rename'],
			runs_per_configuration: 1,
			agent: 'claude',
			judge: 'none',
			prompt_version: '2',
			generator: 'skill-eval-gate 1.2.3',
		})
		expect(runs.map(({ expectations, ...run }: { expectations: unknown[] }) => ({ ...run, rows: expectations.length }))).toEqual([
			{
				eval_id: 1,
				eval_name: 'first',
				configuration: 'with_skill',
				run_number: 1,
				result: { pass_rate: 0.6667, passed: 2, failed: 1, total: 3, time_seconds: 12.345, tokens: 1000 },
				rows: 3,
			},
			{
				eval_id: 2,
				eval_name: 'eval-2',
				configuration: 'with_skill',
				run_number: 1,
				result: { pass_rate: 0.25, passed: 1, failed: 3, total: 4, time_seconds: 20 },
				rows: 4,
			},
			{
				eval_id: 10,
				eval_name: 'eval-10',
				configuration: 'with_skill',
				run_number: 1,
				result: { pass_rate: 1, passed: 2, failed: 0, total: 2, tokens: 2500 },
				rows: 2,
			},
		])
		expect(notes).toEqual([
			expect.stringContaining('population standard deviation'),
			'eval-rename was not measured and is in no mean.',
		])
	})

	it('counts what was not measured as not passed, and says how many', () => {
		const [run] = benchmarkOf([makeEval('1', ['pass', 'error', 'skipped'])]).runs
		expect(run.result).toEqual({ pass_rate: 0.5, passed: 1, failed: 0, total: 2, not_measured: 1 })
	})

	it('holds no null and no measure that nobody took, whatever was measured', () => {
		fc.assert(
			fc.property(fc.array(evaluations, { maxLength: 5 }), (evals) => {
				const benchmark = benchmarkOf(evals)
				expect(JSON.stringify(benchmark)).not.toContain('null')
				const taken = {
					pass_rate: evals.some(({ assertions }) => assertions.some(({ outcome }) => outcome === 'pass' || outcome === 'fail')),
					time_seconds: evals.some(({ timing }) => timing.durationMs !== undefined),
					tokens: evals.some(({ timing }) => timing.totalTokens !== undefined),
				}
				for (const [metric, wasTaken] of Object.entries(taken)) expect(metric in benchmark.run_summary).toBe(wasTaken)
			}),
		)
	})

	it('is the same every time', () => {
		expect(formatBenchmark(makeSuite('s', measured), context)).toBe(formatBenchmark(makeSuite('s', measured), context))
	})
})

/** What skill-creator's viewer shows of a benchmark.json; it throws where the viewer's tab stays blank. Written from its rules, not from its code. */
type Metric = { mean: number; stddev: number }
type Configuration = Record<string, Metric | undefined>
type Run = {
	eval_id: unknown
	eval_name?: string
	configuration: string
	result: Record<string, number>
	expectations: { text: string; passed: boolean }[]
}
type Benchmark = { metadata: { evals_run: unknown[] }; runs: Run[]; run_summary: Record<string, Configuration>; notes: string[] }

function view({ metadata, runs, run_summary, notes }: Benchmark) {
	const header = metadata.evals_run.join(', ')
	const columns = Object.keys(run_summary)
		.filter((key) => key !== 'delta')
		.slice(0, 2)
	const percent = (metric: Metric | undefined) =>
		metric ? `${(metric.mean * 100).toFixed(0)}% ± ${(metric.stddev * 100).toFixed(0)}%` : '—'
	const plain = (metric: Metric | undefined) => (metric ? `${metric.mean.toFixed(1)} ± ${metric.stddev.toFixed(1)}` : '—')
	const cells = (name: string, write: (metric: Metric | undefined) => string) =>
		columns.map((key) => write(run_summary[key]?.[name]))
	return {
		header,
		columns: columns.map((key) => key.replaceAll('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase())),
		passRate: cells('pass_rate', percent),
		seconds: cells('time_seconds', plain),
		tokens: cells('tokens', plain),
		runs: runs.map((run) => {
			const label = run.configuration.replaceAll('_', ' ')
			return [
				run.eval_name ?? `Eval ${run.eval_id}`,
				label,
				`${(run.result.pass_rate! * 100).toFixed(0)}% (${run.result.passed}/${run.result.total})`,
			].join(' · ')
		}),
		matrix: new Set(runs.flatMap((run) => run.expectations.map(({ text, passed }) => `${text.trim()}: ${passed ? '✓' : '✗'}`))),
		notes: notes.map((note) => note.trim()),
	}
}

describe('in the viewer of skill-creator, benchmark.json', () => {
	it('shows the right numbers under the right heads', () => {
		const seen = view(benchmarkOf([...measured, lost]))
		expect(seen).toMatchObject({
			header: '1, 2, 10, rename',
			passRate: ['64% ± 38%', '—'],
			seconds: ['16.2 ± 5.4', '—'],
			tokens: ['1750.0 ± 1060.7', '—'],
			runs: ['first · with skill · 67% (2/3)', 'eval-2 · with skill · 25% (1/4)', 'eval-10 · with skill · 100% (2/2)'],
		})
		expect(seen.columns[0]).toBe('With Skill')
		expect(seen.matrix).toContain('assertion 3: ✗')
	})

	it('never leaves a tab blank or shows what is no number', () => {
		fc.assert(
			fc.property(fc.array(evaluations, { maxLength: 5 }), (evals) => {
				const seen = view(benchmarkOf(evals))
				expect(seen.columns[0]).toBe('With Skill')
				expect(JSON.stringify(seen)).not.toMatch(/NaN|undefined|null|Infinity/)
			}),
		)
	})
})

const outcome = fc.constantFrom<Outcome>('pass', 'fail', 'error', 'skipped')
const row = fc.record({
	outcome,
	text: hostileText.map((text) => text.toWellFormed()).filter((text) => text.trim() !== ''),
	evidence: hostileText,
})
const timing = fc.record(
	{ durationMs: fc.integer({ min: 1, max: 9_999_999 }), totalTokens: fc.integer({ min: 1, max: 9_999_999 }) },
	{ requiredKeys: [] },
)
const evaluations = fc
	.tuple(fc.array(row, { minLength: 1, maxLength: 6 }), timing, fc.integer({ min: 1, max: 99 }))
	.map(([rows, measures, id]) => makeEval(String(id), rows, { timing: measures }))

describe('grading.json', () => {
	it('has the same rows under both names, and only what readers know', () => {
		const rows = [{ outcome: 'pass' as const, id: 'b-1' }, 'fail' as const, 'error' as const, 'skipped' as const]
		const grading = JSON.parse(formatGrading(makeEval('1', rows)))
		expect(Object.keys(grading)).toEqual(['assertion_results', 'expectations', 'summary'])
		expect(grading.expectations).toEqual(grading.assertion_results)
		expect(grading.expectations).toEqual([
			{ id: 'b-1', text: 'assertion 1', passed: true, evidence: 'evidence 1' },
			{ text: 'assertion 2', passed: false, evidence: 'evidence 2' },
			{ text: 'assertion 3', passed: false, outcome: 'error', evidence: 'evidence 3' },
		])
		expect(grading.summary).toEqual({ passed: 1, failed: 1, not_measured: 1, total: 3, pass_rate: 0.3333 })
	})

	it('of an eval that nothing measured has no pass rate', () => {
		expect(JSON.parse(formatGrading(makeEval('1', ['error']))).summary).toEqual({
			passed: 0,
			failed: 0,
			not_measured: 1,
			total: 1,
		})
		expect(JSON.parse(formatGrading(makeEval('1', ['skipped']))).summary).toEqual({ passed: 0, failed: 0, total: 0 })
	})

	it('is read back as what it was', () => {
		fc.assert(
			fc.property(evaluations, (evaluation) => {
				const { value, problems } = parseGrading(formatGrading(evaluation), 'grading.json')
				expect(problems).toEqual([])
				const back = collectRows(evaluation.definition, value!, {}, 'grading.json', [])
				expect(back.assertions.map((result) => result.outcome)).toEqual(evaluation.assertions.map((result) => result.outcome))
				expect(back.problems).toEqual([])
				const evidence = (result: EvalResult) =>
					result.assertions.filter((each) => each.outcome !== 'skipped').map((each) => each.evidence)
				// The reader refuses half a character, so the writer mends it.
				expect(evidence(back)).toEqual(evidence(evaluation).map((text) => text.toWellFormed()))
			}),
		)
	})
})

describe('timing.json', () => {
	it('says what was measured in every name that readers know', () => {
		expect(JSON.parse(formatTiming({ durationMs: 41_049.4, totalTokens: 12_345 }))).toEqual({
			total_tokens: 12_345,
			duration_ms: 41_049.4,
			total_duration_seconds: 41.049,
		})
		expect(formatTiming({})).toBe('{}\n')
		expect(JSON.parse(formatTiming({ totalTokens: 5 }))).toEqual({ total_tokens: 5 })
	})

	it('is read back as what it was', () => {
		fc.assert(
			fc.property(timing, (measures) => {
				const { value, problems } = parseTiming(formatTiming(measures), 'timing.json')
				expect(problems).toEqual([])
				expect(value).toEqual({ durationMs: measures.durationMs, totalTokens: measures.totalTokens })
			}),
		)
	})
})

describe('feedback.json and eval_metadata.json', () => {
	it('have a place for each eval, by the name of its directory', () => {
		expect(JSON.parse(formatFeedback(['1', 'rename']))).toEqual({ 'eval-1': '', 'eval-rename': '' })
		expect(JSON.parse(formatFeedback([]))).toEqual({})
	})

	it('repeat the definition; an id is a number only if it is written as one', () => {
		expect(JSON.parse(formatEvalMetadata(makeEval('3', ['pass', 'skipped'])))).toEqual({
			eval_id: 3,
			eval_name: 'eval-3',
			prompt: 'prompt 3',
			assertions: ['assertion 1', 'assertion 2'],
		})
		const id = (text: string) => JSON.parse(formatEvalMetadata(makeEval(text, []))).eval_id
		expect(['0', '-1', '007', '1e3', '0x1', '-0', '9007199254740993', 'a'].map(id)).toEqual([
			...[0, -1, '007', '1e3', '0x1', '-0', '9007199254740993', 'a'],
		])
	})
})
