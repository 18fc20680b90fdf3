import { existsSync, readdirSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { evalOf, findProcesses } from '../execution-support.ts'
import { type ModelServer, REPORT, type Script, startModelServer, TOKENS } from '../models/server.ts'
import type { Tree } from '../support/tree.ts'
import { makeReportRepository, problemOfAgent, REAL_AGENTS, type RealAgent, runReal } from './real-support.ts'

const LIMIT = { timeout: 60_000 }
const ends: (() => unknown)[] = []
afterEach(async () => {
	for (const end of ends.splice(0)) await end()
})

async function prepare(agent: RealAgent, script: Script, evals = 1): Promise<{ model: ModelServer; tree: Tree }> {
	const model = await startModelServer(script, 'x')
	const tree = makeReportRepository(evals, agent)
	ends.push(model.close, () => tree.remove())
	return { model, tree }
}

/** Nothing but the scripted model was reached, and nothing of an agent or of its files is left. */
function expectClean({ model, tree }: { model: ModelServer; tree: Tree }): void {
	expect(model.requests.filter(({ text }) => /CANARY|canary-secret/.test(text)).map(({ path }) => path)).toEqual([])
	expect(model.elsewhere).toEqual([])
	expect(findProcesses(tree.path('tmp'))).toEqual([])
	expect(readdirSync(tree.path('tmp'))).toEqual(['keep'])
}

test.runIf(process.env.CI)('where it counts, claude and codex are there', () => {
	expect(REAL_AGENTS.slice(0, 2).map(problemOfAgent)).toEqual([undefined, undefined])
})

describe.each(REAL_AGENTS)('$name', (agent: RealAgent) => {
	const problem = problemOfAgent(agent)
	if (problem) {
		test.skip(problem, () => {})
		return
	}
	const why = (result: Awaited<ReturnType<typeof runReal>>['result'], id = 1) => evalOf(result, id).failure ?? ''

	test('is offered the skill, writes the file, and its tokens and record are kept', LIMIT, async () => {
		const { model, tree } = await prepare(agent, 'work')
		const { exitCode, result, stderr } = await runReal(agent, model, tree)
		expect(exitCode, stderr).toBe(0)
		expect(tree.read('results/x/eval-1/outputs/report.md')).toBe(REPORT)
		expect(model.requests.some(({ text }) => text.includes('does it'))).toBe(true)
		const tokens = agent.turns * (TOKENS.fresh + TOKENS.cached + TOKENS.output)
		expect(tree.json('results/x/eval-1/timing.json')).toMatchObject({ total_tokens: tokens })
		expect(evalOf(result, 1).totalTokens).toBe(tokens)
		expect(evalOf(result, 1).durationMs).toBeGreaterThan(100)
		expect(evalOf(result, 1).assertions.map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'pass'])
		const kept = 'results/x.runs/eval-1/with_skill/run-1'
		const facts = tree.json(`${kept}/agent.json`) as Record<string, unknown>
		expect(facts).toMatchObject({ agent: agent.name, total_tokens: tokens, tool_calls: agent.turns - 1 })
		// Codex says nothing about its model.
		if (agent.name !== 'codex') expect(facts.model).toContain(agent.model)
		expect(tree.read(`${kept}/transcript.jsonl`)).toContain('report.md')
		expectClean({ model, tree })
	})

	test('that only talks has not done its work, although it ends with 0', LIMIT, async () => {
		const { model, tree } = await prepare(agent, 'talk')
		const { exitCode, result } = await runReal(agent, model, tree)
		expect(exitCode).toBe(2)
		expect(why(result)).toBe('the agent left no file in outputs/, only a final message')
	})

	test('with a wrong key stops the whole job at once', LIMIT, async () => {
		const { model, tree } = await prepare(agent, 401, 3)
		const { exitCode, result } = await runReal(agent, model, tree, { flags: ['--concurrency', '1'] })
		expect(exitCode).toBe(2)
		for (const id of [1, 2, 3]) expect(why(result, id)).toMatch(/refused by its model’s API: the key is missing or wrong$/)
		expect(result.reasons.map(({ hint }) => hint).join()).toMatch(/name it in agent-env/)
		// The first run alone has asked, with its own few retries.
		expect(existsSync(tree.path('results/x.runs/eval-1/with_skill/run-1/transcript.jsonl'))).toBe(true)
		expect(existsSync(tree.path('results/x.runs/eval-2/with_skill/run-1/transcript.jsonl'))).toBe(false)
		expectClean({ model, tree })
	})

	test.each([429, 500] as const)('is run again after HTTP %i', LIMIT, async (status) => {
		const { model, tree } = await prepare(agent, status)
		model.refusals = agent.refusals
		const { exitCode, stderr } = await runReal(agent, model, tree)
		expect(exitCode, stderr).toBe(0)
		expect(model.refusals).toBe(0)
		expect(tree.read('results/x/eval-1/outputs/report.md')).toBe(REPORT)
	})

	test('that gets no answer times out, and leaves nothing', LIMIT, async () => {
		const { model, tree } = await prepare(agent, 'hang')
		const { exitCode, result } = await runReal(agent, model, tree, { flags: ['--timeout', '8'] })
		expect(exitCode).toBe(2)
		expect(why(result)).toMatch(/timed out after 8 s$/)
		expect(tree.json('results/result.json')).toMatchObject({ verdict: 'incomplete' })
		expectClean({ model, tree })
	})

	test('that is killed in the middle leaves no process, and a workspace that is incomplete', LIMIT, async () => {
		const { model, tree } = await prepare(agent, 'hang')
		let kill = () => {}
		const asked = new Promise<void>((resolve) => {
			model.onRequest = () => resolve()
		})
		const program = runReal(agent, model, tree, {
			onSpawn: (child) => {
				kill = () => child.kill('SIGTERM')
			},
		})
		await asked
		kill()
		expect((await program).exitCode).toBe(130)
		expect(findProcesses(tree.path('tmp'))).toEqual([])
		expect(tree.json('results/result.json')).toMatchObject({ verdict: 'incomplete' })
		expect(tree.read('results/x/summary.md')).toContain('this job did not come to its end')
	})
})
