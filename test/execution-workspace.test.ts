/** What was in the workspace before must never look like a result of this run, and what is not ours is not ours to delete. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DONE, evalOf, findBytes, listFiles, makeRepository, runGate, shell } from './execution-support.ts'
import type { TreeFile } from './support/tree.ts'

const LIMIT = { timeout: 60_000 }
const GREEN = { assertion_results: [{ text: DONE.text, passed: true, evidence: 'of another day' }] }
const WORK = 'echo ok > outputs/done.txt; echo ran >> "$1/started"'

test('the same command again: what the first run left is cleared', LIMIT, async () => {
	await using tree = makeRepository([{}, {}])
	const first = await runGate(tree, shell(tree, `${WORK}; echo more > outputs/more.txt`))
	expect(first.exitCode, first.stderr).toBe(0)
	tree.write({ 'results/x/eval-9/grading.json': GREEN })
	const second = await runGate(tree, shell(tree, WORK))
	expect(second.exitCode, second.stderr).toBe(0)
	expect(readdirSync(tree.path('results/x'))).toEqual(['benchmark.json', 'eval-1', 'eval-2', 'feedback.json', 'summary.md'])
	expect(listFiles(tree.path('results')).filter((path) => path.endsWith('more.txt'))).toEqual([])
})

test('a green result of the first run does not stand in for a second that breaks', LIMIT, async () => {
	await using tree = makeRepository([{}, {}])
	expect((await runGate(tree, shell(tree, WORK))).exitCode).toBe(0)
	const second = await runGate(tree, shell(tree, 'read -r _ id; [ $id = 1 ] && exit 1; rm -r outputs'))
	expect({ exitCode: second.exitCode, verdict: second.result.verdict }).toEqual({ exitCode: 2, verdict: 'incomplete' })
	expect(second.result.counts.all).toMatchObject({ passed: 0, errors: 2 })
	expect(findBytes(tree.path('results'), '"passed": true')).toEqual([])
	expect(findBytes(tree.path('results'), '"verdict": "pass"')).toEqual([])
})

test('a file where the workspace would be is refused, and still there', LIMIT, async () => {
	await using tree = makeRepository([{}], { 'notes.txt': 'dear diary' })
	const { exitCode, stderr } = await runGate(tree, shell(tree, WORK), { flags: ['--workspace', 'notes.txt'] })
	expect(exitCode, stderr).toBe(3)
	expect(stderr).toContain('which is not a directory')
	expect(tree.read('notes.txt')).toBe('dear diary')
})

test(
	'a file of the repository in the command is found, although the agent works elsewhere; a directory stays the agent’s own',
	LIMIT,
	async () => {
		await using tree = makeRepository([{}], {
			'tools/agent.sh': 'echo ok > outputs/done.txt; pwd > "$2"; cd "$1" && pwd >> "$2"',
		})
		const seen = tree.path('seen.txt')
		const { exitCode, stderr } = await runGate(tree, ['sh', 'tools/agent.sh', '.', seen])
		expect(exitCode, stderr).toBe(0)
		const [own, dot] = tree.read('seen.txt').trim().split('\n')
		expect(dot).toBe(own)
	},
)

test('suites whose results would lie in each other are refused', LIMIT, async () => {
	const evals = [{ id: 1, prompt: 'p', assertions: [DONE] }]
	await using tree = makeRepository([{}], { 'skills/y/evals/evals.json': { skill_name: 'x.runs', evals } })
	const { exitCode, stderr } = await runGate(tree, shell(tree, WORK), { flags: ['--evals', 'skills/*/evals/evals.json'] })
	expect(exitCode, stderr).toBe(3)
	expect(stderr).toContain('shares the directory of its results')
	expect(existsSync(tree.path('started'))).toBe(false)
})

const FOREIGN: [string, Record<string, TreeFile>][] = [
	['a green result', { 'results/x/eval-1/grading.json': GREEN }],
	['somebody’s notes', { 'results/x/notes.txt': 'dear diary' }],
	['something where the runs belong', { 'results/x.runs/eval-1/eval_metadata.json': '{}' }],
	['a link to somebody’s directory', { 'kept/notes.txt': 'dear diary', 'results/x': { link: '../kept' } }],
]
test.each(FOREIGN)('a workspace with %s is refused: nothing is run and nothing deleted', LIMIT, async (_name, files) => {
	await using tree = makeRepository([{}], files)
	const before = listFiles(tree.dir)
	const { exitCode, result } = await runGate(tree, shell(tree, WORK))
	expect({ exitCode, verdict: result.verdict }).toEqual({ exitCode: 3, verdict: 'invalid' })
	expect(result.problems).toMatchObject([
		{ code: 'workspace-used', message: expect.stringMatching(/^the workspace of x (is not empty|would be)/) },
	])
	expect(listFiles(tree.dir)).toEqual([...before, tree.path('results/result.json')].sort())
})

test('two suites in one workspace are refused, whatever the case of their names', LIMIT, async () => {
	await using tree = makeRepository([{}], {
		'skills/y/evals/evals.json': { skill_name: 'X', evals: [{ id: 2, prompt: 'do', assertions: [DONE] }] },
	})
	for (const workspace of ['results', 'results/{skill}']) {
		const flags = ['--evals', 'skills/*/evals/evals.json', '--workspace', workspace]
		const { exitCode, result } = await runGate(tree, shell(tree, WORK), { flags })
		expect({ exitCode, codes: result.problems.map(({ code }) => code) }).toEqual({ exitCode: 3, codes: ['workspace-shared'] })
	}
	expect(existsSync(tree.path('started'))).toBe(false)
})

test('agent none grades what is there, and leaves it there', LIMIT, async () => {
	const says = { text: 'It says so', grader: 'contains', options: { value: 'done' }, target: 'last-message' }
	await using tree = makeRepository([{}, { assertions: [says] }, {}, {}, {}, {}, {}], {
		'results/x/eval-1/outputs/done.txt': 'ok',
		'results/x/eval-1/timing.json': { total_tokens: 12, duration_ms: 34 },
		'results/x/eval-2/outputs/response.md': 'It is done.',
		// A grading without outputs is a claim, not something to grade.
		'results/x/eval-3/grading.json': GREEN,
		'results/x/eval-4/outputs': { link: '../eval-1/outputs' },
		'results/x/eval-5': { link: 'eval-1' },
		'results/x/eval-6/outputs/other.txt': 'not it',
	})
	mkdirSync(tree.path('results/x/eval-7/outputs'), { recursive: true })
	const { exitCode, result } = await runGate(tree, undefined)
	expect(exitCode).toBe(2)
	const found = [1, 2, 3, 4, 5, 6, 7].map((id) => [evalOf(result, id).outcome, evalOf(result, id).failure])
	expect(found).toEqual([
		['pass', undefined],
		['pass', undefined],
		['error', 'there is no readable eval-3/outputs/ in the workspace'],
		['error', 'eval-4/outputs is a link, or is reached by one'],
		['error', 'eval-5/outputs is a link, or is reached by one'],
		['fail', undefined],
		['error', 'the agent left neither a file in outputs/ nor a final message'],
	])
	expect(evalOf(result, 1)).toMatchObject({ durationMs: 34, totalTokens: 12 })
	expect(tree.read('results/x/eval-1/outputs/done.txt')).toBe('ok')
	expect(tree.json('results/x/eval-3/grading.json')).toMatchObject({ summary: { passed: 0, not_measured: 1 } })
	expect(existsSync(tree.path('results/x.runs'))).toBe(false)
})

test('agent none without any workspace measures nothing', LIMIT, async () => {
	await using tree = makeRepository([{}])
	const { exitCode, result } = await runGate(tree, undefined)
	expect(exitCode).toBe(2)
	expect(evalOf(result, 1).failure).toBe('there is no readable eval-1/outputs/ in the workspace')
})

test('agent none after a run that was refused does not find something to pass', LIMIT, async () => {
	const said = { text: 'It says so', grader: 'contains', options: { value: 'done' } }
	await using tree = makeRepository([{ assertions: [said] }])
	await runGate(tree, shell(tree, 'rm -r outputs; echo "all done"'))
	const { exitCode, result } = await runGate(tree, undefined)
	expect({ exitCode, outcome: evalOf(result, 1).outcome }).toEqual({ exitCode: 2, outcome: 'error' })
})
