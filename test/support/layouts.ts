/** A green workspace in skill-creator's layout, and what can be done to it. */
import { execFileSync } from 'node:child_process'
import { cpSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { runCommand } from './program.ts'
import { makeTree, type Tree } from './tree.ts'

const TEXTS = ['The report names the revenue', 'The report has a section "Risks"', 'No table is longer than 20 rows']
const EVALS = { skill_name: 'reporter', evals: [1, 2].map((id) => ({ id, prompt: `Write report ${id}.`, expectations: TEXTS })) }
export const grading = (passed = true) => ({
	expectations: TEXTS.map((text, at) => ({ text, passed: passed || at !== 1, evidence: 'line 3' })),
	summary: { passed: 3, failed: 0, total: 3, pass_rate: 1 },
})
const TREE = {
	'evals.json': EVALS,
	'results/eval-1/with_skill/run-1/grading.json': grading(),
	'results/eval-1/with_skill/run-2/grading.json': grading(),
	'results/eval-1/without_skill/run-1/grading.json': grading(false),
	'results/eval-2-risks/eval_metadata.json': { eval_id: 2, eval_name: 'risks' },
	'results/eval-2-risks/with_skill/grading.json': grading(),
}
const ARGS = ['report', '--evals', 'evals.json', '--workspace', 'results']

export type Mutation = (tree: Tree) => void
export type Case = [name: string, mutate: Mutation, says: RegExp, exitStatus?: number]

export const write = (path: string, content: string | object = grading()): Mutation => {
	return (tree) => tree.write({ [`results/${path}`]: content })
}
export const remove = (path: string): Mutation => {
	return (tree) => rmSync(tree.path('results', path), { recursive: true })
}
export const link = (path: string, target: string): Mutation => {
	return (tree) => {
		rmSync(tree.path('results', path), { recursive: true, force: true })
		symlinkSync(tree.path(target), tree.path('results', path))
	}
}
export const all = (...mutations: Mutation[]): Mutation => {
	return (tree) => {
		for (const mutate of mutations) mutate(tree)
	}
}
/** A green result outside of the workspace. */
export const elsewhere: Mutation = (tree) =>
	tree.write({ 'elsewhere/grading.json': grading(), 'elsewhere/run-1/grading.json': grading() })

/** All that is there becomes an iteration; other ones come beside it. */
export const iterate = (name: string, ...more: Mutation[]): Mutation => {
	return (tree) => {
		renameSync(tree.path('results'), tree.path('old'))
		mkdirSync(tree.path('results'))
		renameSync(tree.path('old'), tree.path('results', name))
		for (const mutate of more) mutate(tree)
	}
}
export const copyIteration = (from: string, to: string, ...more: Mutation[]): Mutation => {
	return all((tree) => cpSync(tree.path('results', from), tree.path('results', to), { recursive: true }), ...more)
}
export const fails = (name: string) => write(`${name}/eval-1/with_skill/run-1/grading.json`, grading(false))

export function fifo(path: string): Mutation {
	return (tree) => {
		rmSync(tree.path(path), { recursive: true, force: true })
		mkdirSync(dirname(tree.path(path)), { recursive: true })
		execFileSync('mkfifo', [tree.path(path)])
	}
}

export function fill(directory: string, count: number): Mutation {
	return (tree) => tree.write(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${directory}/note-${at}.txt`, ''])))
}

export async function judge(mutate: Mutation) {
	await using tree = makeTree(TREE)
	mutate(tree)
	const baseline = lstatSync(tree.path('base'), { throwIfNoEntry: false }) ? ['--baseline', 'base'] : []
	return await runCommand([...ARGS, ...baseline], { cwd: tree.dir })
}
