/** Workspaces in skill-creator's layout that pass as they are, and what is said of what lies in them beside the results. */

import { renameSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { copyIteration, fails, grading, iterate, judge, type Mutation, remove, write } from './support/layouts.ts'

describe('a workspace in another layout', () => {
	it.each<[string, Mutation]>([
		['as it is', () => {}],
		['as an iteration', iterate('iteration-3')],
		[
			'as the latest of iterations that failed',
			iterate('iteration-10', copyIteration('iteration-10', 'iteration-9'), fails('iteration-9')),
		],
		[
			'with another name of the configuration',
			(tree) => renameSync(tree.path('results/eval-1/with_skill'), tree.path('results/eval-1/new_skill')),
		],
		['found by its metadata', (tree) => renameSync(tree.path('results/eval-2-risks'), tree.path('results/risks'))],
		['found by its name', remove('eval-2-risks/eval_metadata.json')],
		[
			'with runs from 0 on',
			(tree) => renameSync(tree.path('results/eval-1/with_skill/run-2'), tree.path('results/eval-1/with_skill/run-0')),
		],
		['with a diary for metadata', write('eval-2-risks/eval_metadata.json', { note: 'it went well' })],
		[
			'with a baseline that is a summary',
			(tree) => tree.write({ 'base/benchmark.json': { run_summary: { pass_rate: { mean: 1 } } } }),
		],
	])('is green %s', async (_name, mutate) => {
		const { exitCode, stderr } = await judge(mutate)
		expect(exitCode, stderr).toBe(0)
	})

	it.each<[string, Mutation, RegExp]>([
		[
			'gradings of the other arm',
			() => {},
			/^notice: results there are gradings of without_skill too, for one eval: they are not read/m,
		],
		['unequal numbers of runs', () => {}, /^warning: results the evals have different numbers of runs, from 1 to 2/m],
		[
			'another configuration',
			write('eval-1/with_skill_v2/run-1/grading.json', grading(false)),
			/^warning: results\/eval-1 "with_skill_v2" holds gradings too/m,
		],
		[
			'evals one level deeper',
			write('archive/eval-1/grading.json', grading(false)),
			/^warning: results\/archive this directory holds directories of evals/m,
		],
		[
			'evals beside the iterations, one level deeper',
			iterate('iteration-1', write('Iteration-2/eval-1/grading.json', grading(false))),
			/^warning: results\/Iteration-2 this directory holds/m,
		],
		[
			'a grading of nobody',
			write('notes/grading.json', grading(false)),
			/^warning: results\/notes this directory holds a grading\.json/m,
		],
		[
			'an iteration without a number',
			iterate('iteration-1', copyIteration('iteration-1', 'iteration-x'), fails('iteration-x')),
			/^warning: results not read.*"iteration-x"/m,
		],
		[
			'a name that its metadata contradicts',
			(tree) => renameSync(tree.path('results/eval-2-risks'), tree.path('results/eval-1-risks')),
			/^warning: results\/eval-1-risks its name says eval 1, its eval_metadata\.json says "2"/m,
		],
	])('says what it does not read, and passes: %s', async (_name, mutate, says) => {
		const { exitCode, stderr } = await judge(mutate)
		expect(exitCode, stderr).toBe(0)
		expect(stderr).toMatch(says)
	})
})
