/** Agents' programs as judges, by stand-ins that print what the real ones print, and the inputs that say who judges. */
import { describe, expect, test } from 'vitest'
import { evalOf, makeRepository, runGate, shell } from './execution-support.ts'

const LIMIT = { timeout: 60_000 }
const assertions = ['It is done']

/** Records how it was called; the answer is the eval's prompt, with the assertions of the request in reach. */
const STAND_IN = (kind: string) => `#!${process.execPath}
const fs = require('node:fs')
const stdin = fs.readFileSync(0, 'utf8')
const argv = process.argv.slice(2)
fs.writeFileSync(process.env.HOME + '/called.json', JSON.stringify({ argv, stdin, cwd: process.cwd(), files: fs.readdirSync('.'), env: process.env }))
const list = stdin.split('Assertions:\\n')[1].split('\\n\\n')[0]
const results = [...list.matchAll(/^(\\d+)\\. (.*)$/gm)].map(([, n, text]) => ({ n: Number(n), passed: text.startsWith('It '), evidence: 'x', quote: null, file: null }))
const mode = /mode: ([a-z]+)/.exec(stdin)[1]
const usage = { type: 'result', subtype: 'success', session_id: 's', total_cost_usd: 0.1 }
if (${JSON.stringify(kind)} === 'claude') {
	const answers = {
		right: { is_error: false, result: 'done', structured_output: { results } },
		prose: { is_error: false, result: JSON.stringify({ results }) },
		unauthorized: { is_error: true, api_error_status: 401, result: 'Invalid API key' },
		garbage: undefined,
	}
	console.log(answers[mode] ? JSON.stringify({ ...usage, ...answers[mode] }) : 'hello')
	if (mode === 'unauthorized') process.exitCode = 1
} else {
	console.log(JSON.stringify({ type: 'turn.completed' }))
	const text = { right: JSON.stringify({ results }), garbage: 'I think it passes' }[mode]
	if (text) fs.writeFileSync(argv[argv.indexOf('-o') + 1], text)
}
`

async function judgeBy(kind: 'claude' | 'codex', mode: string, more: string[] = []) {
	await using tree = makeRepository([{ prompt: `mode: ${mode}`, assertions }], {
		[`bin/${kind}`]: STAND_IN(kind),
		'home/keep': '',
	})
	const script = `chmod +x "$1/bin/${kind}"; echo work > outputs/done.txt; env > outputs/env.txt`
	const env = { PATH: `${tree.path('bin')}:${process.env.PATH}`, HOME: tree.path('home'), JUDGE_KEY: 'canary-key' }
	const flags = ['--judge', kind, '--judge-model', 'm-1', '--judge-key-env', 'JUDGE_KEY', ...more]
	const { exitCode, result, stderr } = await runGate(tree, shell(tree, script), { flags, env })
	const agentSaw = tree.read('results/x/eval-1/outputs/env.txt')
	const [row] = evalOf(result, 1).assertions
	const called = tree.json('home/called.json') as {
		argv: string[]
		stdin: string
		cwd: string
		files: string[]
		env: Record<string, string>
	}
	return { exitCode, row, called, agentSaw, stderr, dir: tree.dir }
}

describe('claude', () => {
	test('answers by its schema, without tools, in a directory of its own, with the key', LIMIT, async () => {
		const { exitCode, called, agentSaw, stderr, dir } = await judgeBy('claude', 'right')
		expect(exitCode, stderr).toBe(0)
		expect(called.argv.slice(0, 5)).toEqual(['-p', '--output-format', 'json', '--tools', ''])
		expect(called.argv.join(' ')).toMatch(/--json-schema \{"type":"object".* --model m-1/)
		expect(called.env.ANTHROPIC_API_KEY).toBe('canary-key')
		expect(called.cwd.startsWith(dir)).toBe(true)
		expect(called.files).toEqual(['schema.json'])
		expect(agentSaw).not.toContain('canary-key')
	})

	test.each([
		['prose', 'not usable, twice: it gave no answer by the schema'],
		['unauthorized', '(HTTP 401): log in, or set the variable of judge-key-env to a valid key: Invalid API key'],
		['garbage', 'the judge printed something that is not its JSON'],
	])('%s is no answer', LIMIT, async (mode, sentence) => {
		const { exitCode, row } = await judgeBy('claude', mode)
		expect({ exitCode, outcome: row?.outcome }).toEqual({ exitCode: 2, outcome: 'error' })
		expect(row?.evidence).toContain(sentence)
	})
})

describe('codex', () => {
	test('answers by its schema, in its read-only sandbox', LIMIT, async () => {
		const { exitCode, called, stderr } = await judgeBy('codex', 'right', ['--judge-base-url', 'http://127.0.0.1:9/v1'])
		expect(exitCode, stderr).toBe(0)
		expect(called.argv.join(' ')).toMatch(
			/^exec .*--sandbox read-only --output-schema \S+schema.json -o \S+ -m m-1 -c openai_base_url="http:/,
		)
		expect(called.env.CODEX_API_KEY).toBe('canary-key')
	})

	test.each([
		['silence', 'not usable, twice: it gave no answer by the schema'],
		['garbage', 'not usable, twice: it is not JSON'],
	])('%s is no answer', LIMIT, async (mode, sentence) => {
		const { exitCode, row } = await judgeBy('codex', mode)
		expect({ exitCode, outcome: row?.outcome }).toEqual({ exitCode: 2, outcome: 'error' })
		expect(row?.evidence).toContain(sentence)
	})
})

test.each([
	[['--judge', 'anthropic'], 'input "judge-model" is missing'],
	[['--judge', 'openai', '--judge-model', 'm', '--judge-runs', '2'], 'it must be odd'],
	[['--judge', 'none', '--judge-base-url', 'http://x.test'], '"judge-base-url" has no effect'],
	[['--judge', 'google', '--judge-model', 'm', '--judge-base-url', 'file:///etc'], 'begins with https:// or http://'],
	[['--judge', 'google', '--judge-model', 'm', '--judge-key-env', 'sk-123'], 'the name of an environment variable, not a key'],
	[['--judge', 'claude', '--judge-cache', 'c'], '"judge-cache" needs a judge with a key and "judge-model"'],
	[
		['--judge', 'openai', '--judge-model', 'm', '--judge-cache', 'c', '--agent-env', 'OPENAI_API_KEY'],
		'cannot be used while "agent-env" names OPENAI_API_KEY',
	],
])('the inputs %j are refused', LIMIT, async (flags, sentence) => {
	await using tree = makeRepository([{ assertions }])
	const { exitCode, stderr } = await runGate(tree, shell(tree, 'true'), { flags })
	expect(exitCode).toBe(3)
	expect(stderr).toContain(sentence)
})
