/** What we write beside a workspace is read rightly by skill-creator's aggregator, and by ourselves; support/aggregator.ts states its rules. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeDelta, loadRuns, summarise } from './support/aggregator.ts'
import { runCommand } from './support/program.ts'
import { makeTree } from './support/tree.ts'

const DEMO = fileURLToPath(new URL('../fixtures/demo', import.meta.url))

describe("the aggregator's rules", () => {
	const grading = (passRate: number, more: object = {}) => ({ expectations: [], summary: { pass_rate: passRate }, ...more })
	const load = async (files: Record<string, object>) => {
		await using tree = makeTree(files)
		return loadRuns(tree.dir)
	}

	it('see no run in the flat layouts, and none beside an empty runs/', async () => {
		expect(await load({ 'eval-1/grading.json': grading(1), 'eval-2/with_skill/grading.json': grading(1) })).toEqual(new Map())
		expect(await load({ 'top-chart/with_skill/run-1/grading.json': grading(1) })).toEqual(new Map())
		expect(await load({ 'eval-1/with_skill/run-1/grading.json': grading(1), 'runs/note.json': {} })).toEqual(new Map())
	})

	it('go by code point, and take ids from the metadata, the name, or the position', async () => {
		const runs = await load({
			'eval-1/with_skill/run-10/grading.json': grading(1),
			'eval-1/with_skill/run-2/grading.json': grading(1),
			'eval-10/with_skill/run-1/grading.json': grading(1),
			'eval-2/eval_metadata.json': { eval_id: 7 },
			'eval-2/with_skill/run-1/grading.json': grading(1),
			'eval-3/eval_metadata.json': { note: 'no id' },
			'eval-3/with_skill/run-1/grading.json': grading(1),
			'eval-top-chart/with_skill/run-1/grading.json': grading(1),
		})
		const seen = runs.get('with_skill')?.map(({ evalId, run }) => [evalId, run])
		expect(seen).toEqual([
			[1, 10],
			[1, 2],
			[10, 1],
			[7, 1],
			[3, 1],
			[4, 1],
		])
	})

	it('take times and tokens in an order of their own', async () => {
		const timing = { total_tokens: 500, duration_ms: 9000, total_duration_seconds: 9 }
		const runs = await load({
			'eval-1/c/run-1/grading.json': grading(1),
			'eval-1/c/run-1/timing.json': timing,
			'eval-1/c/run-2/grading.json': grading(1, {
				timing: { total_duration_seconds: 20 },
				execution_metrics: { output_chars: 33 },
			}),
			'eval-1/c/run-2/timing.json': timing,
			'eval-1/c/run-3/grading.json': grading(1),
			'eval-1/c/run-3/timing.json': { total_tokens: 500, duration_ms: 9000 },
			'eval-1/c/run-4/grading.json': { expectations: [{ text: 'a', passed: true }] },
		})
		expect(runs.get('c')?.map(({ seconds, tokens, passRate }) => [seconds, tokens, passRate])).toEqual([
			[9, 500, 1],
			[20, 33, 1],
			[0, 500, 1],
			[0, 0, 0],
		])
	})

	it('die of a run without a number, and skip one without a grading', async () => {
		await expect(load({ 'eval-1/c/run-a/grading.json': grading(1) })).rejects.toThrow('ValueError')
		expect(await load({ 'eval-1/c/run-1/timing.json': {} })).toEqual(new Map([['c', []]]))
	})

	it('pool runs with the sample deviation, and subtract in the order of names', async () => {
		expect(summarise([1, 0.5])).toEqual({ mean: 0.75, stddev: 0.3536, min: 0.5, max: 1 })
		expect(summarise([1])).toEqual({ mean: 1, stddev: 0, min: 1, max: 1 })
		expect(summarise([])).toEqual({ mean: 0, stddev: 0, min: 0, max: 0 })
		const arms = (before: string) =>
			load({ 'eval-1/with_skill/run-1/grading.json': grading(1), [`eval-1/${before}/run-1/grading.json`]: grading(0.5) })
		expect(describeDelta(await arms('without_skill'))).toBe('+0.50')
		expect(describeDelta(await arms('old_skill'))).toBe('-0.50')
	})
})

describe('the demo, executed', () => {
	type Evaluation = {
		id: string
		passRate: number
		durationMs: number
		totalTokens: number
		assertions: { outcome: string; text: string }[]
	}
	type Result = { verdict: string; title: string; suites: { evals: Evaluation[] }[] }
	const tree = makeTree()
	const at = (...parts: string[]) => tree.path('results', ...parts)
	const json = (...parts: string[]) =>
		tree.json(join('results', ...parts)) as { run_summary: Record<string, Record<string, unknown>> }
	let result: Result

	beforeAll(async () => {
		const flags = {
			workspace: at('{skill}'),
			'agent-command': JSON.stringify([process.execPath, join(DEMO, 'agent.mjs')]),
			judge: 'command',
			'judge-command': JSON.stringify([process.execPath, join(DEMO, 'judge.mjs')]),
		}
		const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
		const { exitCode, stdout, stderr } = await runCommand(['run', ...args, '--json'], { cwd: DEMO })
		expect(exitCode, stderr).toBe(1)
		result = JSON.parse(stdout)
		return tree.remove
	})

	it('is read by the aggregator: one run an eval, with its rate, time, tokens and rows', () => {
		const runs = loadRuns(at('release-notes.runs'))
		expect([...runs.keys()]).toEqual(['with_skill'])
		const evals = result.suites[0]!.evals
		expect(evals).toHaveLength(4)
		const read = runs.get('with_skill') ?? []
		expect(read.map(({ evalId, run }) => [evalId, run])).toEqual(evals.map(({ id }) => [Number(id), 1]))
		for (const [index, { passRate, passed, total, seconds, tokens, rows }] of read.entries()) {
			const { assertions, ...own } = evals[index]!
			const graded = assertions.filter(({ outcome }) => outcome !== 'skipped')
			expect(passed).toBe(graded.filter(({ outcome }) => outcome === 'pass').length)
			expect(total).toBe(graded.length)
			expect(passRate).toBeCloseTo(own.passRate, 4)
			expect(seconds).toBeCloseTo(own.durationMs / 1000, 3)
			expect(tokens).toBe(own.totalTokens)
			expect(seconds * tokens).toBeGreaterThan(0)
			expect(rows).toEqual(graded.map(({ text, outcome }) => expect.objectContaining({ text, passed: outcome === 'pass' })))
		}
		expect(read.some(({ passRate }) => passRate < 1)).toBe(true)
	})

	it('gives it the figures that our own benchmark.json has', () => {
		const read = loadRuns(at('release-notes.runs')).get('with_skill') ?? []
		const own = json('release-notes', 'benchmark.json').run_summary.with_skill
		expect(own?.pass_rate).toEqual(summarise(read.map(({ passRate }) => passRate)))
		expect(own?.tokens).toEqual(summarise(read.map(({ tokens }) => tokens)))
		expect(own?.time_seconds).toEqual(close(summarise(read.map(({ seconds }) => seconds))))
	})

	it('is read by ourselves, from either directory, as what it was', async () => {
		for (const workspace of ['release-notes', 'release-notes.runs']) {
			const { exitCode, stdout, stderr } = await runCommand(['report', '--workspace', at(workspace), '--json'], { cwd: DEMO })
			expect(exitCode, stderr).toBe(1)
			const again = JSON.parse(stdout) as Result
			const shape = ({ verdict, title, suites }: Result) => ({
				...{ verdict, title },
				evals: suites[0]?.evals.map(({ id, assertions }) => [id, ...assertions.map(({ outcome }) => outcome)]),
			})
			expect(shape(again), workspace).toEqual(shape(result))
			const tokens = again.suites[0]?.evals.map(({ totalTokens }) => totalTokens)
			expect(tokens).toEqual(result.suites[0]?.evals.map(({ totalTokens }) => totalTokens))
		}
	})

	/** Milliseconds are rounded before the one and after the other. */
	function close(statistics: object) {
		return Object.fromEntries(Object.entries(statistics).map(([key, value]) => [key, expect.closeTo(value, 2)]))
	}
})
