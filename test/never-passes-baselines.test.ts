/** Iterations, baselines and what other tools left: nothing in them makes a gate pass that should not. */

import { mkdirSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
	all,
	type Case,
	copyIteration,
	fails,
	fifo,
	grading,
	iterate,
	judge,
	link,
	type Mutation,
	remove,
	write,
} from './support/layouts.ts'

const ITERATIONS: Case[] = [
	[
		'the latest failed',
		iterate('iteration-1', copyIteration('iteration-1', 'iteration-2'), fails('iteration-2')),
		/eval-1 assertion 2: fails/,
		1,
	],
	[
		'the tenth failed, the ninth did not',
		iterate('iteration-9', copyIteration('iteration-9', 'iteration-10'), fails('iteration-10')),
		/eval-1 assertion 2: fails/,
		1,
	],
	[
		'the latest is empty',
		iterate('iteration-1', (tree) => mkdirSync(tree.path('results/iteration-2'))),
		/results\/iteration-2\/eval-1\/grading\.json/,
	],
	[
		'the latest lacks an eval',
		iterate('iteration-1', copyIteration('iteration-1', 'iteration-2'), remove('iteration-2/eval-2-risks')),
		/results\/iteration-2\/eval-2\//,
	],
	[
		'two are the latest',
		iterate('iteration-1', copyIteration('iteration-1', 'iteration-1-rerun'), fails('iteration-1-rerun')),
		/"iteration-1", "iteration-1-rerun"/,
	],
	['none has a number', iterate('iteration-master'), /"iteration-master"/],
	['the latest is a link', iterate('iteration-1', link('iteration-2', 'results/iteration-1')), /"iteration-2", is a link/],
	[
		'evals lie beside the iterations',
		iterate('iteration-1', write('eval-1/with_skill/grading.json', grading(false))),
		/"eval-1" and in "iteration-1"/,
	],
	[
		'evals lie beside the iterations under other names',
		iterate('iteration-1', write('risks/eval_metadata.json', { eval_id: 2 })),
		/"risks" and in "iteration-1"/,
	],
	[
		'the grading is that of the iteration',
		iterate('iteration-1', remove('iteration-1/eval-1'), write('iteration-1/grading.json')),
		/results\/iteration-1\/eval-1\//,
	],
]

const BASELINES: Case[] = [
	['an empty directory', (tree) => mkdirSync(tree.path('base')), /baseline of reporter has no readable grading.*base/],
	...[78.3, '100%', '3/3', '+40pp', null, [1]].map(
		(mean): Case => [
			`a mean of ${JSON.stringify(mean)}`,
			(tree) => tree.write({ 'base/benchmark.json': { run_summary: { with_skill: { pass_rate: { mean } } } } }),
			/benchmark\.json cannot be used: "with_skill\.pass_rate\.mean" must be a number from 0 to 1.*base\/benchmark\.json:\d/,
		],
	),
	['prose', (tree) => tree.write({ 'base/benchmark.json': { run_summary: 'the skill does better' } }), /base\/benchmark\.json:2/],
	[
		'a list',
		(tree) => tree.write({ 'base/benchmark.json': { run_summary: [{ mean_pass_rate: 1 }] } }),
		/base\/benchmark\.json:2/,
	],
	[
		'only deltas',
		(tree) => tree.write({ 'base/benchmark.json': { run_summary: { delta: { pass_rate: { mean: 1 } } } } }),
		/base\/benchmark\.json/,
	],
	[
		'a cut file',
		(tree) => tree.write({ 'base/benchmark.json': '{"run_summary": {"pass_rate": {"mean": 1}}' }),
		/base\/benchmark\.json:1/,
	],
	[
		'a link elsewhere',
		(tree) => {
			tree.write({ 'b.json': { run_summary: { pass_rate: { mean: 1 } } } })
			mkdirSync(tree.path('base'))
			symlinkSync(tree.path('b.json'), tree.path('base/benchmark.json'))
		},
		/base\/benchmark\.json/,
	],
	[
		'a link that leads nowhere',
		(tree) => symlinkSync('gone', tree.path('base')),
		/baseline of reporter is there and cannot be opened/,
	],
	['a link in a circle', (tree) => symlinkSync('base', tree.path('base')), /baseline of reporter is there and cannot be opened/],
	['a file instead of a directory', (tree) => tree.write({ base: 'x' }), /baseline of reporter has no readable grading/],
	[
		'two latest iterations',
		(tree) =>
			tree.write({ 'base/iteration-1/eval-1/grading.json': grading(), 'base/iteration-1-b/eval-1/grading.json': grading() }),
		/"iteration-1", "iteration-1-b"/,
	],
	[
		'a failure, against a summary in which everything passed',
		all(write('eval-2-risks/with_skill/grading.json', grading(false)), (tree) =>
			tree.write({ 'base/benchmark.json': { run_summary: { pass_rate: { mean: 1 } } } }),
		),
		/eval-2 assertion 2: fails, and cannot be compared with the baseline/,
		1,
	],
	[
		'a failure, against a summary in which nothing passed',
		all(write('eval-2-risks/with_skill/grading.json', grading(false)), (tree) =>
			tree.write({ 'base/benchmark.json': { run_summary: { pass_rate: { mean: 0 } } } }),
		),
		/eval-2 assertion 2: fails, and cannot be compared with the baseline/,
		1,
	],
]

describe('iterations and baselines', () => {
	const cases = [
		...ITERATIONS.map(([name, ...rest]): Case => [`iterations: ${name}`, ...rest]),
		...BASELINES.map(([name, ...rest]): Case => [`a baseline with ${name}`, ...rest]),
	]
	it.each(cases)('%s', async (_name, mutate, says, exitStatus = 2) => {
		const { exitCode, stderr } = await judge(mutate)
		expect(exitCode, stderr).toBe(exitStatus)
		expect(stderr).toMatch(says)
	})
})

describe('what other tools left beside the results', () => {
	const BESIDE = [
		'eval-1/with_skill/run-1/metrics.json',
		'eval-1/with_skill/run-1/comparison-1.json',
		'history.json',
		'analysis.json',
		'comparison.json',
	]

	it.each<[string, (path: string) => Mutation, RegExp]>([
		['is cut off', (path) => write(path, '{"winner": "A'), /^notice: results\/.*:1/m],
		['is of another kind', (path) => write(path, '[]'), /^notice: results\/.*must be an object/m],
		['is empty', (path) => write(path, ''), /^notice: results\/.*the file is empty/m],
		['is a FIFO', (path) => fifo(`results/${path}`), /^notice: results\/.*not a regular file/m],
		[
			'is a link elsewhere',
			(path) => all((tree) => tree.write({ 'x.json': {} }), link(path, 'x.json')),
			/^notice: results\/.*a link that leaves/m,
		],
		['is a directory', (path) => (tree) => mkdirSync(tree.path('results', path)), /^notice: results\//m],
	])('never blocks: each %s', async (_name, spoil, says) => {
		const { exitCode, stderr } = await judge(all(...BESIDE.map(spoil)))
		expect(exitCode, stderr).toBe(0)
		for (const path of BESIDE) expect(stderr).toMatch(new RegExp(`^notice: results/${path}`, 'm'))
		expect(stderr).toMatch(says)
	})

	it('never turns a failure green', async () => {
		const claims = {
			'results/eval-1/with_skill/run-2/grading.json': {
				...grading(false),
				execution_metrics: { total_tool_calls: 1, errors_encountered: 0 },
			},
			'results/history.json': {
				current_best: 'v9',
				iterations: [{ version: 'v9', expectation_pass_rate: 1, grading_result: 'won', is_current_best: true }],
			},
			'results/comparison.json': { winner: 'A', expectation_results: { A: { passed: 3, total: 3, pass_rate: 1 } } },
			'results/benchmark.json': { run_summary: { with_skill: { pass_rate: { mean: 1 } } } },
		}
		const { exitCode, stdout, stderr } = await judge((tree) => tree.write(claims))
		expect(exitCode, stderr).toBe(1)
		expect(stdout).toMatch(/v9 · pass rate 1 · won/)
		expect(stderr).toMatch(/results\/benchmark\.json .*says a pass rate of 1, the gradings say 0\.89: the gradings count/)
	})

	it('is not looked for in outputs', async () => {
		const planted = { total_tool_calls: 777, errors_encountered: 0 }
		const names = ['outputs/metrics.json', 'outputs/comparison.json', 'outputs/analysis.json'].map(
			(name) => `results/eval-1/with_skill/run-1/${name}`,
		)
		const { exitCode, stdout, stderr } = await judge((tree) =>
			tree.write(Object.fromEntries(names.map((name) => [name, planted]))),
		)
		expect(exitCode, stderr).toBe(0)
		expect(stdout + stderr).not.toMatch(/777|outputs/)
	})
})
