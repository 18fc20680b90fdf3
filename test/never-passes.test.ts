/** A green workspace, and one thing wrong with it: whatever it is, the gate must not pass, and must say where. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runCommand } from './support/program.ts'
import { makeTree, type Tree } from './support/tree.ts'

const TEXTS = ['The report names the revenue', 'The report has a section "Risks"', 'No table is longer than 20 rows']
const EVALS = { skill_name: 'reporter', evals: [1, 2].map((id) => ({ id, prompt: `Write report ${id}.`, assertions: TEXTS })) }
const rows = () => TEXTS.map((text) => ({ text, passed: true as unknown, evidence: 'line 3' }) as Record<string, unknown>)
const grading = (list: unknown = rows()) => ({
	assertion_results: list,
	summary: { passed: 3, failed: 0, total: 3, pass_rate: 1 },
})
const TREE = { 'evals.json': EVALS, 'results/eval-1/grading.json': grading(), 'results/eval-2/grading.json': grading() }

const ARGS = ['report', '--evals', 'evals.json', '--workspace', 'results']

type Mutation = (tree: Tree) => void
const write = (path: string, content: string | object | Buffer): Mutation => {
	return (tree) => (Buffer.isBuffer(content) ? writeFileSync(tree.path(path), content) : tree.write({ [path]: content }))
}
const grade = (content: unknown) =>
	write('results/eval-2/grading.json', typeof content === 'string' ? content : JSON.stringify(content))
const row = (more: Record<string, unknown>, at = 1) =>
	grade(grading(rows().map((each, index) => (index === at ? { ...each, ...more } : each))))
const define = (change: (evaluation: Record<string, unknown>) => void) => {
	const copy = structuredClone(EVALS)
	change(copy.evals[1] as Record<string, unknown>)
	return write('evals.json', copy)
}

const RESULTS: [string, Mutation][] = [
	['no directory of an eval', (tree) => rmSync(tree.path('results/eval-2'), { recursive: true })],
	['no workspace', (tree) => rmSync(tree.path('results'), { recursive: true })],
	['no grading', (tree) => rmSync(tree.path('results/eval-2/grading.json'))],
	['an empty grading', grade('')],
	['a grading of white space', grade(' \n ')],
	...['null', '[]', '"x"', '7', 'true', '{}'].map((text): [string, Mutation] => [`a grading that is ${text}`, grade(text)]),
	['a failed row', row({ passed: false })],
	...[undefined, null, 'true', 'false', 1, 0, [], {}, 'PASS'].map((passed): [string, Mutation] => [
		`passed: ${JSON.stringify(passed)}`,
		row({ passed }),
	]),
	['a result in words that are neither PASS nor FAIL', row({ passed: undefined, result: 'mostly' })],
	['two results that disagree', row({ passed: true, result: 'FAIL' })],
	['pass in words under a flag', row({ passed: undefined, pass: 'PASS' })],
	['a duplicate key', grade('{"assertion_results": [{"text": "x", "passed": false, "passed": true}]}')],
	['no rows', grade(grading([]))],
	['a row too few', grade(grading(rows().slice(1)))],
	['a row too many', grade(grading([...rows(), { text: 'more', passed: true, evidence: '' }]))],
	['one row twice instead of another', grade(grading([rows()[0], rows()[0], rows()[2], rows()[2]]))],
	['a row that is a text', grade(grading([rows()[0], 'passed', rows()[2]]))],
	['a row without its text', row({ text: undefined })],
	['only a summary', grade({ summary: { passed: 3, failed: 0, total: 3, pass_rate: 1 } })],
	['two lists that differ', grade({ ...grading(), expectations: [] })],
	['a contradiction of our own field', row({ outcome: 'error' })],
	['NaN in the file', grade('{"assertion_results": [], "summary": {"pass_rate": NaN}}')],
	['invalid UTF-8', write('results/eval-2/grading.json', Buffer.from([0x7b, 0xff, 0x7d]))],
	['UTF-16', write('results/eval-2/grading.json', Buffer.from(JSON.stringify(grading()), 'utf16le'))],
	['nested a hundred thousand levels deep', grade('['.repeat(100_000))],
	['six megabytes', grade(`${JSON.stringify(grading()).slice(0, -1)}, "x": "${'x'.repeat(6e6)}"}`)],
	['a sparse terabyte', (tree) => truncateSync(tree.path('results/eval-2/grading.json'), 1e12)],
	['a directory in its place', (tree) => replace(tree, 'results/eval-2/grading.json', (path) => mkdirSync(path))],
	['a FIFO in its place', (tree) => replace(tree, 'results/eval-2/grading.json', (path) => execFileSync('mkfifo', [path]))],
	[
		'a link to a green grading elsewhere',
		(tree) => {
			tree.write({ 'elsewhere/grading.json': grading() })
			replace(tree, 'results/eval-2/grading.json', (path) => symlinkSync(tree.path('elsewhere/grading.json'), path))
		},
	],
	[
		'a linked directory',
		(tree) => {
			tree.write({ 'elsewhere/grading.json': grading() })
			replace(tree, 'results/eval-2', (path) => symlinkSync(tree.path('elsewhere'), path))
		},
	],
	['results of an eval that is not declared', write('results/eval-3/grading.json', grading())],
	[
		'a grading planted in outputs only',
		(tree) => {
			tree.write({ 'results/eval-2/outputs/grading.json': grading() })
			rmSync(tree.path('results/eval-2/grading.json'))
		},
	],
	[
		'the other layout only',
		(tree) => {
			tree.write({ 'results/eval-2/with_skill/run-1/grading.json': grading() })
			rmSync(tree.path('results/eval-2/grading.json'))
		},
	],
	['a baseline without a readable grading', write('base/eval-1/grading.json', '{')],
]

const DEFINITIONS: [string, Mutation][] = [
	['no evals file', (tree) => rmSync(tree.path('evals.json'))],
	['an empty evals file', write('evals.json', '')],
	['no evals', write('evals.json', { ...EVALS, evals: [] })],
	['a cut evals file', (tree) => truncateSync(tree.path('evals.json'), 100)],
	['an eval without assertions', define((evaluation) => delete evaluation.assertions)],
	['an eval with an empty list of assertions', define((evaluation) => Object.assign(evaluation, { assertions: [] }))],
	['an eval without a prompt', define((evaluation) => delete evaluation.prompt)],
	['one id twice', define((evaluation) => Object.assign(evaluation, { id: 1 }))],
	['an id that is a path', define((evaluation) => Object.assign(evaluation, { id: '../eval-1' }))],
	['an id of the prototype', define((evaluation) => Object.assign(evaluation, { id: '__proto__' }))],
	[
		'a severity that does not exist',
		define((evaluation) => Object.assign(evaluation, { assertions: [{ text: TEXTS[0], severity: 'info' }] })),
	],
	[
		'a grader that does not exist',
		define((evaluation) => Object.assign(evaluation, { assertions: [{ text: TEXTS[0], grader: 'vibes' }] })),
	],
	[
		'a pattern that does not compile',
		define((evaluation) =>
			Object.assign(evaluation, { assertions: [{ text: 'x', grader: 'regex', options: { pattern: '(' } }] }),
		),
	],
	[
		'everything skipped',
		write('evals.json', {
			...EVALS,
			evals: EVALS.evals.map((each) => ({ ...each, assertions: TEXTS.map((text) => ({ text, skip: true })) })),
		}),
	],
	[
		'nothing of severity error',
		write('evals.json', {
			...EVALS,
			evals: EVALS.evals.map((each) => ({ ...each, assertions: TEXTS.map((text) => ({ text, severity: 'warning' })) })),
		}),
	],
	['an eval more than was graded', define((evaluation) => Object.assign(evaluation, { id: 77 }))],
]

function replace(tree: Tree, path: string, make: (path: string) => void): void {
	rmSync(tree.path(path), { recursive: true })
	make(tree.path(path))
}

async function judge(mutate: Mutation) {
	await using tree = makeTree(TREE)
	mutate(tree)
	const baseline = existsSync(tree.path('base')) ? ['--baseline', 'base'] : []
	return await runCommand([...ARGS, ...baseline], { cwd: tree.dir })
}

describe('a workspace with one thing wrong never passes', () => {
	it('is green as it is', async () => {
		const { exitCode, stderr } = await judge(() => {})
		expect(exitCode, stderr).toBe(0)
	})

	it.each(RESULTS)('results: %s', async (name, mutate) => {
		const { exitCode, stderr } = await judge(mutate)
		expect(exitCode, stderr).toBe(name === 'a failed row' ? 1 : 2)
		expect(stderr).toMatch(/results\/eval-|base|assertion 2/)
	})

	it.each(DEFINITIONS)('definitions: %s', async (name, mutate) => {
		const { exitCode, stderr } = await judge(mutate)
		expect(exitCode, stderr).toBe(name === 'an eval more than was graded' ? 2 : 3)
	})
})
