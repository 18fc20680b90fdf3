/** What a known agent sees, shown by programs of that name that write it down: the real ones are in test/agents. */
import { chmodSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { evalOf, makeRepository, runGate } from './execution-support.ts'
import type { Tree } from './support/tree.ts'

const LIMIT = { timeout: 60_000 }
const trees: Tree[] = []
afterAll(() => {
	for (const tree of trees) tree.remove()
})

const LOOKER = `#!${process.execPath}
const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
const list = (directory) => readdirSync(directory, { recursive: true }).map(String).sort()
const seen = { argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), files: list('.'), home: list(process.env.HOME), stdin: readFileSync(0, 'utf8') }
writeFileSync('outputs/done.txt', JSON.stringify(seen))
`
const DONE = {
	claude: { type: 'result', subtype: 'success', is_error: false, result: 'done', usage: { input_tokens: 5, output_tokens: 2 } },
	codex: { type: 'turn.completed', usage: { input_tokens: 5, output_tokens: 2 } },
	gemini: { type: 'result', status: 'success', stats: { total_tokens: 7, input_tokens: 5 } },
	copilot: { type: 'result', exitCode: 0 },
	opencode: {
		type: 'step_finish',
		part: { reason: 'stop', tokens: { input: 5, output: 2, reasoning: 0, cache: { read: 0, write: 0 } } },
	},
}
type Name = keyof typeof DONE
type Seen = { argv: string[]; env: Record<string, string>; cwd: string; files: string[]; home: string[]; stdin: string }

async function look(name: Name, more: string[] = []): Promise<{ seen: Seen; tree: Tree; tokens: number | undefined }> {
	const print = `console.log(${JSON.stringify(JSON.stringify(DONE[name]))})\n`
	const tree = makeRepository([{ prompt: 'Do $& it.' }], {
		[`bin/${name}`]: LOOKER + print,
		'skills/x/evals/answers.txt': 'CANARY',
		'home/secret.txt': 'CANARY',
	})
	trees.push(tree)
	chmodSync(tree.path('bin', name), 0o755)
	const env = {
		PATH: `${tree.path('bin')}:${process.env.PATH}`,
		HOME: tree.path('home'),
		NAMED_KEY: 'named',
		ANTHROPIC_API_KEY: 'canary',
		GITHUB_TOKEN: 'canary',
		CLAUDE_CONFIG_DIR: tree.path('home'),
	}
	const flags = ['--agent', name, '--agent-env', 'NAMED_KEY', ...more]
	const { result, exitCode, stderr } = await runGate(tree, undefined, { flags, env })
	expect(exitCode, stderr).toBe(0)
	const seen = JSON.parse(tree.read('results/x/eval-1/outputs/done.txt')) as Seen
	return { seen, tree, tokens: evalOf(result, 1).totalTokens }
}

describe.each(Object.keys(DONE) as Name[])('%s', (name) => {
	test('gets the prompt, an empty home, the skill where it looks, and what was named', LIMIT, async () => {
		const { seen, tree, tokens } = await look(name, ['--agent-model', 'model-1', '--agent-args', '["--extra", "a b; $(x)"]'])
		expect([seen.stdin, ...seen.argv].join('\n')).toContain('Do $& it.')
		const extra = seen.argv.indexOf('--extra')
		expect(seen.argv[extra + 1]).toBe('a b; $(x)')
		expect(seen.argv.indexOf('model-1')).toBeGreaterThan(0)
		expect(extra).toBeGreaterThan(seen.argv.indexOf('model-1'))

		const place = name === 'claude' ? '.claude' : '.agents'
		const skill = [place, `${place}/skills`, `${place}/skills/x`, `${place}/skills/x/SKILL.md`]
		expect(seen.files).toEqual([...skill, 'outputs'])
		expect(seen.home).toEqual(name === 'gemini' ? ['.gemini', '.gemini/settings.json'] : [])

		expect(seen.env.HOME).not.toBe(tree.path('home'))
		expect(seen.env.HOME?.startsWith(seen.cwd)).toBe(false)
		expect(seen.env.TMPDIR).toBe(seen.env.HOME)
		expect(seen.env.NAMED_KEY).toBe('named')
		for (const absent of ['ANTHROPIC_API_KEY', 'GITHUB_TOKEN', 'CLAUDE_CONFIG_DIR', 'SKILL_EVAL_REPORT'])
			expect(Object.keys(seen.env)).not.toContain(absent)
		expect(tokens).toBe(name === 'copilot' ? undefined : 7)
	})
})

test('the input skill names another directory', LIMIT, async () => {
	const { seen } = await look('codex', ['--skill', 'skills/{skill}'])
	expect(seen.files).toContain('.agents/skills/x/SKILL.md')
})

test('a directory without a skill is refused', LIMIT, async () => {
	const tree = makeRepository([{}])
	trees.push(tree)
	const { exitCode, result } = await runGate(tree, undefined, { flags: ['--agent', 'codex', '--skill', 'elsewhere'] })
	expect(exitCode).toBe(3)
	expect(result.problems.map(({ message }) => message)).toEqual(['there is no SKILL.md of the skill "x" in elsewhere'])
})

describe('an agent that only talks', () => {
	const talk = `#!${process.execPath}\nconsole.log(${JSON.stringify(JSON.stringify(DONE.claude))})\n`
	const makeTalker = (target: object) => {
		const assertion = { text: 'It says done', grader: 'contains', options: { value: 'done' }, ...target }
		const tree = makeRepository([{ assertions: [assertion] }], { 'bin/claude': talk })
		trees.push(tree)
		chmodSync(tree.path('bin/claude'), 0o755)
		return tree
	}
	const runTalker = (tree: Tree) =>
		runGate(tree, undefined, { flags: ['--agent', 'claude'], env: { PATH: `${tree.path('bin')}:${process.env.PATH}` } })

	test('has done its work where its words are asked for', LIMIT, async () => {
		expect((await runTalker(makeTalker({ target: 'last-message' }))).exitCode).toBe(0)
	})

	test('has not where files are looked for, although its words would match', LIMIT, async () => {
		const { exitCode, result } = await runTalker(makeTalker({}))
		expect(exitCode).toBe(2)
		expect(evalOf(result, 1).failure).toBe('the agent left no file in outputs/, only a final message')
	})
})

test('a fault that does not pass is tried three times, each in a fresh directory, and never passes', LIMIT, async () => {
	const refused = { ...DONE.claude, is_error: true, result: 'API Error: overloaded', api_error_status: 529 }
	const tree = makeRepository([{}], {})
	trees.push(tree)
	const script = `#!/bin/sh\nls outputs >> ${tree.path('seen')}; pwd >> ${tree.path('seen')}; echo x > outputs/done.txt\necho '${JSON.stringify(refused)}'\n`
	tree.write({ 'bin/claude': script })
	chmodSync(tree.path('bin/claude'), 0o755)
	const env = { PATH: `${tree.path('bin')}:${process.env.PATH}` }
	const { exitCode, result } = await runGate(tree, undefined, { flags: ['--agent', 'claude'], env })
	expect(exitCode).toBe(2)
	expect(evalOf(result, 1).failure).toBe('Claude Code says that it failed (HTTP 529), 3 times in a row')
	const seen = tree.read('seen').trim().split('\n')
	expect(seen).toHaveLength(3)
	expect(new Set(seen).size).toBe(3)
})
