/** A green workspace in skill-creator's layout, and one thing wrong with it: whatever it is, the gate must not pass, and must say where. */

import { renameSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { all, type Case, elsewhere, fifo, fill, grading, judge, link, remove, write } from './support/layouts.ts'

const RUNS: Case[] = [
	['one run of two failed', write('eval-1/with_skill/run-2/grading.json', grading(false)), /eval-1 assertion 2: fails/, 1],
	[
		'a run without its grading',
		remove('eval-1/with_skill/run-2/grading.json'),
		/results\/eval-1\/with_skill\/run-2\/grading\.json/,
	],
	['a cut grading of one run', write('eval-1/with_skill/run-2/grading.json', '{"expectations": ['), /run-2\/grading\.json:1/],
	[
		'a row too few in one run',
		write('eval-1/with_skill/run-2/grading.json', { expectations: grading().expectations.slice(1) }),
		/eval-1 assertion 1/,
	],
	['a gap between runs', write('eval-1/with_skill/run-4/grading.json'), /results\/eval-1\/with_skill.*run-3 is missing/],
	['the first run gone', all(remove('eval-1/with_skill/run-1')), /results\/eval-1\/with_skill.*run-1 is missing/],
	['a run without a number', write('eval-1/with_skill/run-a/grading.json'), /results\/eval-1\/with_skill.*"run-a"/],
	[
		'a run of another name',
		write('eval-1/with_skill/run_3/grading.json', grading(false)),
		/"run_3" has no number.*\[results\/eval-1\/with_skill\]/,
	],
	[
		'a run of another name beside a grading',
		write('eval-2-risks/with_skill/2/grading.json', grading(false)),
		/"grading\.json" and "2\/".*\[results\/eval-2-risks\/with_skill\]/,
	],
	[
		'only a run of another name',
		all(remove('eval-2-risks/with_skill/grading.json'), write('eval-2-risks/with_skill/first/grading.json')),
		/found eval-2-risks\/with_skill\/first\//,
	],
	[
		'two runs of one number',
		write('eval-1/with_skill/run-02/grading.json', grading(false)),
		/"run-02" and "run-2"|"run-2" and "run-02"/,
	],
	[
		'a run that is a link to another',
		link('eval-1/with_skill/run-3', 'results/eval-1/with_skill/run-1'),
		/results\/eval-1\/with_skill\/run-3/,
	],
	[
		'a run that is a link elsewhere',
		all(elsewhere, link('eval-1/with_skill/run-2', 'elsewhere')),
		/results\/eval-1\/with_skill\/run-2/,
	],
	[
		'a run whose grading is a link elsewhere',
		all(elsewhere, link('eval-1/with_skill/run-2/grading.json', 'elsewhere/grading.json')),
		/results\/eval-1\/with_skill\/run-2\/grading\.json/,
	],
	[
		'a run that is graded in its outputs',
		write('eval-1/with_skill/run-3/outputs/grading.json'),
		/results\/eval-1\/with_skill\/run-3\/grading\.json/,
	],
	[
		'more runs than are read',
		all(...Array.from({ length: 99 }, (_, at) => write(`eval-1/with_skill/run-${at + 3}/grading.json`))),
		/results\/eval-1\/with_skill.*101 runs/,
	],
]

const PLACES: Case[] = [
	[
		'a grading beside its runs',
		write('eval-1/with_skill/grading.json'),
		/"grading\.json" and "run-1\/" are both here.*\[results\/eval-1\/with_skill\]/,
	],
	['a grading beside its configuration', write('eval-1/grading.json'), /"grading\.json" and "with_skill\/".*results\/eval-1\b/],
	[
		'a grading beside a run',
		all(write('eval-2-risks/grading.json'), write('eval-2-risks/run-1/grading.json'), remove('eval-2-risks/with_skill')),
		/"grading\.json" and "run-1\/"/,
	],
	['two configurations under test', write('eval-2-risks/new_skill/grading.json'), /"new_skill" and "with_skill"/],
	['the configuration under test is gone', remove('eval-1/with_skill'), /results\/eval-1.*\n.*found eval-1\/without_skill\//],
	[
		'the configuration has another name',
		(tree) => renameSync(tree.path('results/eval-1/with_skill'), tree.path('results/eval-1/with_skill_v2')),
		/found eval-1\/with_skill_v2\//,
	],
	[
		'the grading is in the outputs',
		all(write('eval-2-risks/with_skill/outputs/grading.json'), remove('eval-2-risks/with_skill/grading.json')),
		/results\/eval-2-risks\/with_skill\/grading\.json/,
	],
	[
		'the outputs hold a configuration',
		all(write('eval-2-risks/outputs/with_skill/grading.json'), remove('eval-2-risks/with_skill')),
		/results\/eval-2-risks/,
	],
	[
		'the configuration is a link inside',
		link('eval-2-risks/with_skill', 'results/eval-1/with_skill/run-1'),
		/it is a link.*\[results\/eval-2-risks\/with_skill\]/,
	],
	[
		'the configuration is a link elsewhere',
		all(elsewhere, link('eval-2-risks/with_skill', 'elsewhere')),
		/results\/eval-2-risks\/with_skill/,
	],
	[
		'the configuration is a file',
		all(remove('eval-2-risks/with_skill'), write('eval-2-risks/with_skill', 'x')),
		/results\/eval-2-risks/,
	],
	[
		'two layouts',
		all(remove('eval-2-risks'), write('eval-2/grading.json')),
		/results\/eval-2\/grading\.json.*results\/eval-1\/with_skill\/run-1\/grading\.json/,
	],
	[
		'more files than are read beside the runs',
		fill('results/eval-1/with_skill', 2001),
		/more than 2000 entries.*\[results\/eval-1\/with_skill\]/,
	],
	['more files than are read beside the evals', fill('results', 2001), /more than 2000 entries \[results\]/],
]

const EVAL_DIRECTORIES: Case[] = [
	['no directory of an eval', remove('eval-2-risks'), /results\/eval-2\/with_skill\/grading\.json/],
	['two directories of one eval', write('eval-1-again/with_skill/grading.json'), /"eval-1", "eval-1-again"/],
	[
		'a second directory by metadata',
		all(write('risks/eval_metadata.json', { eval_id: 2 }), write('risks/with_skill/grading.json', grading(false))),
		/"eval-2-risks", "risks"/,
	],
	['metadata that names the other eval', write('eval-2-risks/eval_metadata.json', { eval_id: 1 }), /"eval-1", "eval-2-risks"/],
	['metadata that names no declared eval', write('eval-2-risks/eval_metadata.json', { eval_id: 9 }), /results\/eval-2-risks\b/],
	[
		'metadata that is cut off',
		write('eval-2-risks/eval_metadata.json', '{"eval_id": 2'),
		/results\/eval-2-risks\/eval_metadata\.json:1/,
	],
	[
		'metadata with two ids',
		write('eval-2-risks/eval_metadata.json', '{"eval_id": 2, "eval_id": 1}'),
		/results\/eval-2-risks\/eval_metadata\.json:1/,
	],
	[
		'metadata with half an id',
		write('eval-2-risks/eval_metadata.json', { eval_id: 2.5 }),
		/results\/eval-2-risks\/eval_metadata\.json:2/,
	],
	[
		'metadata that is a link elsewhere',
		all((tree) => tree.write({ 'm.json': { eval_id: 2 } }), link('eval-2-risks/eval_metadata.json', 'm.json')),
		/results\/eval-2-risks\/eval_metadata\.json/,
	],
	['metadata that is a FIFO', fifo('results/eval-2-risks/eval_metadata.json'), /results\/eval-2-risks\/eval_metadata\.json/],
	['a directory of no declared eval', write('eval-3/with_skill/grading.json'), /results\/eval-3\b/],
	['results of which nothing says whose they are', write('risks/with_skill/grading.json', grading(false)), /results\/risks\b/],
	[
		'only a directory that is not named after its eval',
		(tree) => {
			remove('eval-2-risks/eval_metadata.json')(tree)
			renameSync(tree.path('results/eval-2-risks'), tree.path('results/risks'))
		},
		/results\/risks\b/,
	],
	['a directory that is a link inside', link('eval-2-risks', 'results/eval-1'), /results\/eval-2-risks\b/],
	['a directory that is a link elsewhere', all(elsewhere, link('eval-2-risks', 'elsewhere')), /results\/eval-2-risks\b/],
]

describe('a workspace in another layout with one thing wrong never passes', () => {
	const groups = Object.entries({ RUNS, PLACES, EVAL_DIRECTORIES })
	const cases = groups.flatMap(([group, own]) => own.map(([name, ...rest]): Case => [`${group.toLowerCase()}: ${name}`, ...rest]))
	it.each(cases)('%s', async (_name, mutate, says, exitStatus = 2) => {
		const { exitCode, stderr } = await judge(mutate)
		expect(exitCode, stderr).toBe(exitStatus)
		expect(stderr).toMatch(says)
	})
})
