/** Review, check run and commit status, through the bundle against the loopback GitHub. */
import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { makePullRequestEvent } from './github/events.ts'
import { type GitHub, startGitHub } from './github/server.ts'
import { runAction } from './support/program.ts'
import { makeTree } from './support/tree.ts'

const SURFACES = 'review\ncheck\nstatus'

function makeRepository(passed: boolean, count = 1) {
	const assertions = Array.from({ length: count }, (_, at) => `The report names item ${at}`)
	return makeTree({
		'evals/reporter/evals.json': { skill_name: 'reporter', evals: [{ id: 1, prompt: 'Write it.', assertions }] },
		'results/eval-1/grading.json': { assertion_results: assertions.map((text) => ({ text, passed, evidence: 'line 1' })) },
	})
}

const report = (
	github: GitHub,
	cwd: string,
	to = SURFACES,
	more: Record<string, string> = {},
	env: Record<string, string> = {},
) =>
	runAction({
		event: makePullRequestEvent(github),
		github,
		cwd,
		env,
		inputs: { mode: 'report', evals: 'evals/*/evals.json', workspace: 'results', 'report-to': to, ...more },
	})

const bodies = (github: GitHub, end: string) =>
	github.requests.filter(({ method, path }) => method !== 'GET' && path.includes(end)).map(({ body }) => body as never)

describe('report-to', () => {
	it('posts a review, a check run with annotations by 50, and a status from pending to failure; no comment', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository(false, 120)
		const red = await report(github, tree.dir)
		expect(red.exitCode, red.stdout + red.stderr).toBe(1)
		expect(github.violations).toEqual([])
		const checks: { conclusion?: string; output: { annotations: { path: string; start_line: number }[] } }[] = bodies(
			github,
			'/check-runs',
		)
		expect(checks.map(({ output }) => output.annotations.length)).toEqual([50, 50, 20])
		expect(checks[0]!.conclusion).toBe('failure')
		expect(checks[0]!.output.annotations[0]!.path).toBe('evals/reporter/evals.json')
		expect(new Set(checks.flatMap(({ output }) => output.annotations.map((row) => row.start_line))).size).toBe(120)
		expect(github.statuses.map(({ state, sha }) => [state, sha])).toEqual([
			['pending', github.pull.head.sha],
			['failure', github.pull.head.sha],
		])
		const [review]: { event: string; body: string }[] = bodies(github, '/reviews')
		expect(review!.event).toBe('COMMENT')
		expect(review!.body).toMatch(/^## Eval Results: reporter\n/)
		expect(review!.body.split('\n').at(-1)).toContain('sdlc-workflow/run-evals')
		expect(await github.comments()).toEqual([])
	})

	it('a pass is a success everywhere', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository(true)
		expect((await report(github, tree.dir)).exitCode).toBe(0)
		expect(github.statuses.map(({ state }) => state)).toEqual(['pending', 'success'])
		expect([...github.checkRuns.values()].map(({ conclusion }) => conclusion)).toEqual(['success'])
	})

	it.each([true, false])('a token that may only read leaves the verdict (pass: %s) and names each permission', async (passed) => {
		await using github = await startGitHub({ grant: { readOnly: true } })
		await using tree = await makeRepository(passed)
		const done = await report(github, tree.dir)
		expect(done.exitCode).toBe(passed ? 0 : 1)
		for (const permission of ['checks: write', 'statuses: write', 'pull-requests: write'])
			expect(done.stdout).toContain(permission)
	})

	it('an unknown place is an error', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository(true)
		const done = await report(github, tree.dir, 'coment')
		expect(done.exitCode).toBe(1)
		expect(done.stdout).toContain('input "report-to" must be comment or review or check or status or summary or log')
	})

	it('a program that breaks leaves no status pending and none green', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository(true)
		await writeFile(tree.path('fault.cjs'), "require('node:fs/promises').rename = () => Promise.reject('boom')")
		const done = await report(github, tree.dir, 'status', {}, { NODE_OPTIONS: `--require ${tree.path('fault.cjs')}` })
		expect(done.exitCode).toBe(1)
		expect(github.statuses.map(({ state }) => state)).toEqual(['pending', 'error'])
	})

	it('a cancelled job leaves no status pending and none green', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository(true)
		await writeFile(
			tree.path('fault.cjs'),
			"require('node:fs/promises').rename = () => { process.kill(process.pid, 'SIGTERM'); return new Promise(() => setTimeout(() => {}, 60_000)) }",
		)
		const done = await report(github, tree.dir, 'status', {}, { NODE_OPTIONS: `--require ${tree.path('fault.cjs')}` })
		expect(done.exitCode).toBe(130)
		expect(github.statuses.map(({ state }) => state)).toEqual(['pending', 'error'])
	})

	it('nothing is written to a commit that the event does not name', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository(true)
		const event = { name: 'workflow_run', payload: { workflow_run: { head_sha: github.pull.head.sha } } }
		const done = await runAction({
			event,
			github,
			cwd: tree.dir,
			inputs: { mode: 'report', evals: 'evals/*/evals.json', workspace: 'results', 'report-to': SURFACES },
		})
		expect(done.exitCode).toBe(0)
		expect(done.stdout).toContain('no check: the event workflow_run does not name the tested commit')
		expect(github.requests).toEqual([])
	})
})
