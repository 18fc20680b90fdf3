/** The Action as the runner starts it: the built bundle, real HTTP to a loopback GitHub, real files. */
import { describe, expect, it } from 'vitest'
import { makePullRequestEvent } from './github/events.ts'
import { type GitHub, startGitHub } from './github/server.ts'
import { type ActionOptions, runAction } from './support/program.ts'
import { makeTree } from './support/tree.ts'

const ASSERTIONS = ['The report names the revenue', 'The report has a section "Risks"']
const EVALS = { skill_name: 'reporter', evals: [{ id: 1, prompt: 'Write it.', assertions: ASSERTIONS }] }

const grade = (...passed: boolean[]) => ({
	assertion_results: ASSERTIONS.map((text, at) => ({ text, passed: passed[at], evidence: `line ${at}` })),
})

function makeRepository(grading: unknown = grade(true, false)) {
	return makeTree({ 'evals/reporter/evals.json': EVALS, 'results/eval-1/grading.json': grading as object })
}

const INPUTS = { mode: 'report', evals: 'evals/*/evals.json', workspace: 'results' }

async function runReport(github: GitHub, cwd: string, more: Partial<ActionOptions> & { inputs?: Record<string, string> } = {}) {
	const { inputs, ...rest } = more
	return runAction({ event: makePullRequestEvent(github), github, cwd, ...rest, inputs: { ...INPUTS, ...inputs } })
}

const firstLines = (body: string) => body.split('\n').slice(0, 2)

describe('a pull request', () => {
	it('gets a comment, which the second run updates; outputs, summary, annotations and exit status agree', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository()
		const red = await runReport(github, tree.dir)
		expect(red.exitCode, red.stdout + red.stderr).toBe(1)

		const [created] = await github.comments()
		expect(firstLines(created!.body)).toEqual([
			'<!-- skill-eval-gate:1 {"key":"skill-evals.yml/evals"} -->',
			'### ❌ 1 failed assertion blocks this merge · 1 of 2 assertions passed · 1 of 1 eval graded',
		])
		expect(created!.body).toContain(`commit <code>${github.pull.head.sha.slice(0, 7)}</code>`)
		expect(red.summary).toBe(`${created!.body.split('\n').slice(1).join('\n')}\n`)
		expect(red.outputs).toEqual({
			verdict: 'fail',
			title: '1 failed assertion blocks this merge · 1 of 2 assertions passed · 1 of 1 eval graded',
			passed: '1',
			failed: '1',
			errors: '0',
			total: '2',
			'pass-rate': '0.5',
			'summary-path': tree.path('results/summary.md'),
			'benchmark-path': tree.path('results/benchmark.json'),
			'result-json': tree.path('result.json'),
			'comment-url': created!.html_url,
		})
		expect(red.commands.filter(({ name }) => name === 'error')).toEqual([
			{
				name: 'error',
				properties: { title: 'Skill evals: reporter eval-1 assertion 2', file: 'evals/reporter/evals.json', line: '9' },
				data: 'fails\nThe report has a section "Risks"\nline 1',
			},
		])

		await using fixed = await makeRepository(grade(true, true))
		const green = await runReport(github, fixed.dir)
		expect(green.exitCode, green.stdout).toBe(0)
		const [updated, ...others] = await github.comments()
		expect(others).toEqual([])
		expect(updated!.id).toBe(created!.id)
		expect(firstLines(updated!.body)[1]).toBe('### ✅ 2 of 2 assertions passed · 1 of 1 eval graded')
		expect(github.violations).toEqual([])
		expect(github.requests.length).toBeLessThanOrEqual(2 * 6)
	})

	it('the comment is found behind hundreds of others, and never taken for one that somebody else wrote', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository()
		const marker = '<!-- skill-eval-gate:1 {"key":"skill-evals.yml/evals"} -->'
		await github.addComment({ author: 'octocat', body: `${marker}\nI copied the marker` })
		await github.addComment({ author: 'github-actions[bot]', body: `Look: ${marker}` })
		for (let count = 0; count < 250; count++) await github.addComment({ author: 'octocat', body: `remark ${count}` })
		const own = await github.addComment({ author: 'github-actions[bot]', body: `${marker}\nold` })
		const surplus = await github.addComment({ author: 'github-actions[bot]', body: `${marker}\nolder run, later comment` })
		await runReport(github, tree.dir)
		const comments = await github.comments()
		expect(comments.find(({ id }) => id === own.id)?.body).toContain('### ❌')
		expect(comments.find(({ id }) => id === surplus.id)).toBeUndefined()
		expect(comments).toHaveLength(253)
		expect(comments.filter(({ body }) => body.includes('### ❌'))).toHaveLength(1)
	})

	it('another job, or the same with another comment-key, has a comment of its own', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository()
		await runReport(github, tree.dir)
		await runReport(github, tree.dir, { inputs: { 'comment-key': 'node 20' } })
		await runReport(github, tree.dir, { env: { GITHUB_JOB: 'other' } })
		expect((await github.comments()).map(({ body }) => firstLines(body)[0])).toEqual([
			'<!-- skill-eval-gate:1 {"key":"skill-evals.yml/evals"} -->',
			'<!-- skill-eval-gate:1 {"key":"skill-evals.yml/evals/node 20"} -->',
			'<!-- skill-eval-gate:1 {"key":"skill-evals.yml/other"} -->',
		])
	})

	it('comment: failure creates none for a pass, but turns a red one green; never writes none', async () => {
		await using github = await startGitHub()
		await using red = await makeRepository()
		await using green = await makeRepository(grade(true, true))
		await runReport(github, green.dir, { inputs: { comment: 'failure' } })
		await runReport(github, red.dir, { inputs: { comment: 'never' } })
		expect(await github.comments()).toEqual([])
		await runReport(github, red.dir, { inputs: { comment: 'failure' } })
		await runReport(github, green.dir, { inputs: { comment: 'failure' } })
		expect((await github.comments()).map(({ body }) => firstLines(body)[1])).toEqual([
			'### ✅ 2 of 2 assertions passed · 1 of 1 eval graded',
		])
	})

	it('a comment about a commit that is no longer the head is not written', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository()
		const event = makePullRequestEvent(github)
		github.setHeadSha('f'.repeat(40))
		const { exitCode, stdout, summary } = await runReport(github, tree.dir, { event })
		expect(exitCode).toBe(1)
		expect(stdout).toContain('no comment: the pull request has moved on to commit fffffff')
		expect(summary).toContain('### ❌')
		expect(await github.comments()).toEqual([])
	})
})

describe('GitHub in trouble never changes the verdict', () => {
	const trouble: [string, Parameters<GitHub['fail']>[0], RegExp][] = [
		[
			'may not comment',
			{ method: 'POST', path: /comments$/, status: 403, body: { message: 'Resource not accessible by integration' } },
			/the token may not comment \(HTTP 403.*pull-requests: write/,
		],
		['a private repository without permission', { path: /pulls\/7$/, status: 404 }, /the token may not comment \(HTTP 404/],
		['a wrong token', { path: /graphql$/, status: 401 }, /does not accept the token/],
		['a rate limit that lasts', { path: /comments$/, status: 429, headers: { 'retry-after': '3600' } }, /rate limit is reached/],
		['a body that is refused', { method: 'POST', path: /comments$/, status: 422 }, /GitHub refused the comment/],
		['5xx again and again', { path: /comments$/, status: 502, times: 9 }, /GitHub answered HTTP 502/],
		['a broken connection, again and again', { path: /pulls\/7$/, reset: true, times: 9 }, /GitHub could not be reached/],
		['an HTML page for an answer', { path: /graphql$/, status: 200, body: '<html>' }, /no comment/],
	]

	it.each(trouble)('%s', async (_name, fault, warning) => {
		for (const [grading, exitStatus] of [
			[grade(true, true), 0],
			[grade(true, false), 1],
		] as const) {
			await using github = await startGitHub()
			await using tree = await makeRepository(grading)
			github.fail(fault)
			const { exitCode, commands, outputs, summary } = await runReport(github, tree.dir)
			expect(exitCode).toBe(exitStatus)
			expect(outputs.verdict).toBe(exitStatus === 0 ? 'pass' : 'fail')
			expect(summary).toContain('## Eval Results: reporter')
			expect(
				commands
					.filter(({ name }) => name === 'warning')
					.map(({ data }) => data)
					.join('\n'),
			).toMatch(warning)
			expect(await github.comments()).toEqual([])
		}
	})

	it.each<[string, Parameters<GitHub['fail']>[0]]>([
		[
			'a create that was stored but answered 502 is not repeated',
			{ method: 'POST', path: /comments$/, status: 502, storedFirst: true },
		],
		[
			'a create that was stored before the connection broke',
			{ method: 'POST', path: /comments$/, storedFirst: true, reset: true },
		],
		['a create that was not stored is repeated', { method: 'POST', path: /comments$/, status: 502 }],
		['a secondary limit that passes', { path: /comments$/, status: 403, headers: { 'retry-after': '0' } }],
		['reading that fails once', { method: 'GET', path: /comments$/, status: 503 }],
	])('%s', async (_name, fault) => {
		await using github = await startGitHub()
		await using tree = await makeRepository()
		github.fail(fault)
		const { exitCode, outputs } = await runReport(github, tree.dir)
		expect(exitCode).toBe(1)
		const comments = await github.comments()
		expect(comments).toHaveLength(1)
		expect(outputs['comment-url']).toBe(comments[0]!.html_url)
	})

	it('two jobs at the same moment leave one comment', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository()
		await using same = await makeRepository()
		await Promise.all([runReport(github, tree.dir), runReport(github, same.dir)])
		// A job that looked before the other had written finds both at the next run.
		await runReport(github, tree.dir)
		expect(await github.comments()).toHaveLength(1)
	})
})

describe('where no comment is possible, the verdict and the summary are there all the same', () => {
	it.each<[string, { name: string; payload: unknown }, RegExp]>([
		['push', { name: 'push', payload: {} }, /the event push has no pull request/],
		[
			'a merge queue',
			{ name: 'merge_group', payload: { merge_group: { head_sha: 'a'.repeat(40) } } },
			/the event merge_group has no pull request/,
		],
		[
			'a damaged event file',
			{ name: 'pull_request', payload: '{"pull_request": {"num' },
			/the event pull_request has no pull request/,
		],
		['a number that is none', { name: 'pull_request', payload: { pull_request: { number: '7; rm' } } }, /has no pull request/],
	])('%s', async (_name, event, reason) => {
		await using github = await startGitHub()
		await using tree = await makeRepository()
		const { exitCode, stdout, summary } = await runReport(github, tree.dir, { event })
		expect(exitCode).toBe(1)
		expect(stdout).toMatch(reason)
		expect(summary).toContain('### ❌')
		expect(github.requests).toEqual([])
	})

	it('no token', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository(grade(true, true))
		const { exitCode, stdout } = await runReport(github, tree.dir, { inputs: { 'github-token': '' } })
		expect(exitCode).toBe(0)
		expect(stdout).toContain('there is no token')
	})

	it('no files for outputs and summary', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository()
		const { exitCode, commands } = await runReport(github, tree.dir, {
			env: { GITHUB_OUTPUT: '/nowhere/output', GITHUB_STEP_SUMMARY: '/nowhere/summary' },
		})
		expect(exitCode).toBe(1)
		expect(
			commands
				.filter(({ name }) => name === 'warning')
				.map(({ data }) => data)
				.join('\n'),
		).toMatch(/step outputs could not be written[\s\S]*step summary could not be written/)
		expect(await github.comments()).toHaveLength(1)
	})
})

describe('invalid', () => {
	it('inputs: every fault at once, each with its name', async () => {
		await using tree = await makeRepository()
		const { exitCode, outputs, commands } = await runAction({
			cwd: tree.dir,
			inputs: {
				mode: 'reprot',
				concurrency: '0',
				timeout: '1.5',
				'allow-empty': 'yes',
				'agent-command': 'node agent.mjs',
				workspace: '{tmp}/x',
				'block-on': 'all',
				'fail-on': 'none',
			},
		})
		expect(exitCode).toBe(1)
		expect(outputs).toEqual({ verdict: 'invalid' })
		expect(commands.filter(({ name }) => name === 'error').map(({ data }) => data.split('\n').sort())).toEqual([
			[
				'input "agent-command": write a JSON list of texts, such as ["node", "agent.mjs"]; it is "node agent.mjs"',
				'input "allow-empty" must be true or false; it is "yes"',
				'input "block-on" must be any; it is "all"',
				'input "concurrency": it must be at least 1; it is "0"',
				'input "mode" must be run or report; it is "reprot"',
				'input "timeout": write a whole number; it is "1.5"',
				'input "workspace": only {temp} and {skill} can be filled in; it is "{tmp}/x"',
				'there is no input "fail-on": write "block-on", or rename the variable INPUT_FAIL-ON if it is your own',
			],
		])
	})

	it('definitions: nothing is executed, and the comment says what to mend', async () => {
		await using github = await startGitHub()
		await using tree = await makeTree({
			'evals/reporter/evals.json': { evals: [{ id: 1, prompt: 'x', assertions: [{ text: 'a', severity: 'fatal' }] }] },
			'agent.mjs': 'require("fs").writeFileSync("/ran", "")',
		})
		const agent = JSON.stringify(['node', '-e', `require("fs").writeFileSync(${JSON.stringify(tree.path('ran'))}, "")`])
		const { exitCode, outputs } = await runReport(github, tree.dir, {
			inputs: { mode: 'run', 'agent-command': agent, workspace: '{temp}/w/{skill}' },
		})
		expect([exitCode, outputs.verdict]).toEqual([1, 'invalid'])
		const [comment] = await github.comments()
		expect(comment!.body).toContain('### ⛔ 1 problem to mend before anything can be judged')
		expect(comment!.body).toContain('evals/reporter/evals.json')
		expect(() => tree.read('ran')).toThrow()
	})

	it('a fork in a privileged event: nothing is executed', async () => {
		await using github = await startGitHub()
		await using tree = await makeRepository()
		const event = makePullRequestEvent(github, 'opened', 'pull_request_target')
		const { head } = (event.payload as { pull_request: { head: { repo: object } } }).pull_request
		head.repo = { full_name: 'stranger/skills' }
		const agent = JSON.stringify(['node', '-e', `require("fs").writeFileSync(${JSON.stringify(tree.path('ran'))}, "")`])
		const { exitCode, stdout } = await runReport(github, tree.dir, {
			event,
			inputs: { mode: 'run', 'agent-command': agent, workspace: '{temp}/w/{skill}' },
		})
		expect(exitCode).toBe(1)
		expect(stdout).toContain('refusing to run evals from a fork in a privileged workflow (pull_request_target)')
		expect(() => tree.read('ran')).toThrow()
	})
})
