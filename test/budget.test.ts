/** Budgets and wrong requests: what was not run is not measured, by name, and never passes. */
import { afterAll, describe, expect, test } from 'vitest'
import { parseInputs } from '../src/inputs.ts'
import { evalOf, makeRepository, runGate, shell } from './execution-support.ts'
import type { Tree } from './support/tree.ts'

const LIMIT = { timeout: 60_000 }
const trees: Tree[] = []
afterAll(() => {
	for (const tree of trees) tree.remove()
})

function makeTree(): Tree {
	const tree = makeRepository([{}, {}, {}])
	trees.push(tree)
	return tree
}

const flags = (limit: string) => ['--concurrency', '1', '--max-tokens', limit]
const using = (tokens: string) => `echo x > outputs/done.txt; printf '%s' '${tokens}' > "$SKILL_EVAL_REPORT"`

describe('max-tokens', () => {
	test('that is not reached changes nothing', LIMIT, async () => {
		const tree = makeTree()
		const { exitCode } = await runGate(tree, shell(tree, using('{"total_tokens": 100}')), { flags: flags('301') })
		expect(exitCode).toBe(0)
	})

	test('that is reached stops the job: what is left is not measured', LIMIT, async () => {
		const tree = makeTree()
		const { exitCode, result } = await runGate(tree, shell(tree, using('{"total_tokens": 100}')), { flags: flags('200') })
		expect(exitCode).toBe(2)
		expect(result.counts.all).toMatchObject({ passed: 2, errors: 1, expected: 3 })
		expect(evalOf(result, 3).failure).toBe('budget reached: 200 of 200 tokens are used')
	})

	test('cannot be kept by an agent that says nothing: nothing more is started', LIMIT, async () => {
		const tree = makeTree()
		const { exitCode, result } = await runGate(tree, shell(tree, using('{}')), { flags: flags('200') })
		expect(exitCode).toBe(2)
		expect(result.counts.all).toMatchObject({ passed: 1, errors: 2 })
		expect(evalOf(result, 2).failure).toBe('budget reached: a run did not say how much it used')
	})
})

describe('a known agent', () => {
	test('is not run without the skill', LIMIT, async () => {
		const tree = makeRepository([{}], { 'skills/x/SKILL.md': { link: '/nowhere' } })
		trees.push(tree)
		const { exitCode, result } = await runGate(tree, undefined, { flags: ['--agent', 'codex'] })
		expect(exitCode).toBe(3)
		expect(result.problems.map(({ code }) => code)).toContain('skill-missing')
	})

	test('that is not installed has measured nothing, and says what to do', LIMIT, async () => {
		const tree = makeTree()
		const { exitCode, result } = await runGate(tree, undefined, { flags: ['--agent', 'opencode'], env: { PATH: '/nowhere' } })
		expect(exitCode).toBe(2)
		expect(evalOf(result, 1).failure).toMatch(/^OpenCode could not be started/)
		expect(result.reasons[0]?.hint).toMatch(/so that opencode is on the PATH: docs\/agents\.md/)
	})
})

describe('inputs that contradict each other', () => {
	test.each<[Record<string, string>, RegExp]>([
		[{ agent: 'claude', 'agent-command': '["x"]' }, /"agent-command" has no effect with agent "claude"/],
		[{ 'agent-command': '["x"]', 'agent-model': 'm' }, /"agent-model" has no effect with agent "command"/],
		[{ 'agent-command': '["x"]', 'agent-args': '["x"]' }, /"agent-args" has no effect with agent "command"/],
		[{ agent: 'codex', 'max-cost-usd': '1' }, /"max-cost-usd" cannot be kept with agent "codex", which reports no cost/],
		[{ agent: 'copilot', 'max-tokens': '1' }, /"max-tokens" cannot be kept with agent "copilot", which reports no tokens/],
		[{ agent: 'claude', 'max-cost-usd': '0' }, /"max-cost-usd": it must be more than 0/],
		[{ agent: 'claude', 'agent-args': '--x' }, /"agent-args": write a JSON list of texts/],
		[{ agent: 'claude', 'agent-model': '--dangerously' }, /"agent-model": name a model/],
		[{ agent: 'none', 'prompt-template': 'p.md' }, /"prompt-template" has an effect only where an agent runs/],
		[{ mode: 'report', 'prompt-template': 'p.md' }, /"prompt-template" has an effect only where an agent runs/],
		[{ agent: 'gpt' }, /"agent" must be command or claude or codex or gemini or copilot or opencode or pi or none/],
	])('%j', (given, fault) => {
		expect(() => parseInputs((name) => given[name])).toThrow(fault)
	})
})
