/** A scripted judge that misbehaves. Only an answer that is exactly one strict result a number counts, and nobody gets two tries at being repaired. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evalOf, findBytes, isRunning, makeRepository, runGate, shell } from './execution-support.ts'

const LIMIT = { timeout: 60_000 }

/** Evaluates the eval's prompt, with the helpers below in reach. */
const JUDGE = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
const text = readFileSync(0, 'utf8')
const request = JSON.parse(text)
const dir = process.argv[2]
appendFileSync(dir + '/requests.jsonl', JSON.stringify({ request, env: process.env, cwd: process.cwd() }) + '\\n')
const isOurs = ({ text }) => /^CANARY-(FIRST|SECOND) /.test(text)
const places = request.assertions.filter(isOurs).map(({ n }) => n)
/** The assertion that is false in every call; where it stands is not known before. */
const decoy = { n: request.assertions.find((assertion) => !isOurs(assertion)).n, passed: false, evidence: 'nowhere' }
const row = (n, passed = true, more = {}) => ({ n: places[n - 1] ?? n, passed, evidence: 'because', ...more })
const whole = (rows) => ({ results: [...rows, decoy] })
const print = (value) => process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value))
const right = whole([row(1), row(2)])
const note = (pid) => writeFileSync(dir + '/judge-pid-' + request.eval.id, String(pid))
const twice = (first, second) => print(request.repair === undefined ? first : second)
eval(request.eval.prompt)
`

type Judged = {
	name: string
	script: string
	outcome?: 'pass' | 'fail' | 'error'
	evidence?: string
	asked?: number
	leaves?: boolean
}

const JUDGED: Judged[] = [
	{ name: 'right', script: 'print(right)', outcome: 'pass', evidence: 'because' },
	{ name: 'right, in another order', script: 'print({ results: [row(2), decoy, row(1)] })', outcome: 'pass' },
	{ name: 'a fail', script: 'print(whole([row(1, false), row(2)]))', outcome: 'fail' },
	{
		name: 'a quote that is there',
		script: "print(whole([row(1, true, { quote: 'the  work', file: 'outputs/done.txt' }), row(2)]))",
		outcome: 'pass',
		evidence: 'because\noutputs/done.txt: "the  work"',
	},
	{ name: 'only one number', script: 'print(whole([row(1)]))', evidence: '; asked were 1, 2, 3' },
	{
		name: 'one number too many',
		script: 'print(whole([row(1), row(2), row(3)]))',
		evidence: 'it answers the numbers ',
	},
	{ name: 'a number twice', script: 'print(whole([row(1), row(1)]))', evidence: 'it answers the numbers ' },
	{
		name: 'a number twice, first failed, then passed',
		script: 'print(whole([row(1, false), row(1), row(2)]))',
		evidence: 'it answers the numbers ',
	},
	{ name: 'numbers as text', script: "print(whole([row(1, true, { n: '1' }), row(2)]))", evidence: 'results.0.n' },
	{ name: 'numbers from 0', script: 'print(whole([row(0), row(1)]))', evidence: 'it answers the numbers ' },
	{ name: 'no numbers', script: 'print({ results: [] })', evidence: 'it answers the numbers none' },
	{ name: 'passed as text', script: "print(whole([row(1, 'true'), row(2)]))", evidence: 'results.0.passed' },
	{ name: 'passed as 1', script: 'print(whole([row(1, 1), row(2)]))', evidence: 'results.0.passed' },
	{ name: 'passed as null', script: 'print(whole([row(1, null), row(2)]))', evidence: 'results.0.passed' },
	{
		name: 'passed left out',
		script: "print({ results: [{ n: 1, evidence: 'x' }, row(2), decoy] })",
		evidence: 'results.0.passed',
	},
	{
		name: 'no evidence',
		script: "print(whole([row(1, true, { evidence: '  ' }), row(2)]))",
		evidence: 'results.0.evidence',
	},
	{ name: 'a list', script: 'print([row(1), row(2)])', evidence: 'it: ' },
	{ name: 'null', script: "print('null')", evidence: 'it: ' },
	{ name: 'in a fence', script: "print('```json\\n' + JSON.stringify(right) + '\\n```')", outcome: 'pass' },
	{ name: 'with a word before', script: "print('Sure! ' + JSON.stringify(right))", outcome: 'pass' },
	{
		name: 'in a fence, cut off',
		script: "print('```json\\n' + JSON.stringify(right).slice(0, -1) + '\\n```')",
		evidence: 'it is not JSON',
	},
	{
		name: 'in a fence that never ends',
		script: "print('```json\\n' + JSON.stringify(right))",
		evidence: 'it is not JSON',
	},
	{
		name: 'two fences',
		script: "const fence = '```json\\n' + JSON.stringify(right) + '\\n```\\n'; print(fence + fence)",
		evidence: 'it is not JSON',
	},
	{
		name: 'everything passed, the false assertion too',
		script: 'print({ results: request.assertions.map(({ n }) => ({ n, passed: true, evidence: "x" })) })',
		evidence: 'the judge passed an assertion that is known to be false',
		asked: 1,
	},
	{
		name: 'unusable, then everything passed',
		script: 'twice("x", { results: request.assertions.map(({ n }) => ({ n, passed: true, evidence: "x" })) })',
		evidence: 'the judge passed an assertion that is known to be false',
		asked: 2,
	},
	{ name: 'two answers', script: 'print(JSON.stringify(right) + JSON.stringify(right))', evidence: 'it is not JSON' },
	{ name: 'cut off', script: 'print(JSON.stringify(right).slice(0, -2))', evidence: 'it is not JSON' },
	{ name: 'HTML', script: "print('<!doctype html><h1>502 Bad Gateway</h1>')", evidence: 'it is not JSON' },
	{ name: 'nothing', script: '', evidence: 'it is not JSON: the file is empty' },
	{
		name: 'a key twice',
		script:
			'print(\'{"results":[{"n":1,"passed":false,"passed":true,"evidence":"x"},{"n":2,"passed":true,"evidence":"x"},{"n":3,"passed":true,"evidence":"x"}]}\')',
		evidence: 'the key "passed" appears twice',
	},
	{
		name: 'all results twice',
		script: 'print(JSON.stringify(right).slice(0, -1) + \',"results":[]}\')',
		evidence: 'the key "results" appears twice',
	},
	{
		name: 'huge',
		script: "print(whole([row(1, true, { evidence: 'e'.repeat(6_000_000) }), row(2)]))",
		evidence: 'it is not JSON',
	},
	{
		name: 'right, then a flood of blanks',
		script: "print(JSON.stringify(right) + ' '.repeat(6_000_000))",
		evidence: 'it is not JSON',
	},
	{ name: 'nested without end', script: "print('['.repeat(100_000))", evidence: 'nested more than 100 levels' },
	{ name: 'repaired', script: "twice('not json', right)", outcome: 'pass', asked: 2 },
	{
		name: 'repaired to a fail',
		script: 'twice({ results: [] }, whole([row(1, false), row(2)]))',
		outcome: 'fail',
		asked: 2,
	},
	{ name: 'wrong twice', script: "twice('', whole([row(1)]))", evidence: 'twice: it answers the numbers ' },
	{
		name: 'repaired with exit status 1',
		script: "twice('x', right); process.exitCode = request.repair ? 1 : 0",
		evidence: 'the judge ended with exit status 1',
		asked: 2,
	},
	{
		name: 'right with exit status 1',
		script: "print(right); console.error('quota'); process.exitCode = 1",
		evidence: 'the judge ended with exit status 1: quota',
		asked: 1,
	},
	{
		name: 'right, then killed',
		script: "process.stdout.write(JSON.stringify(right), () => process.kill(process.pid, 'SIGKILL'))",
		evidence: 'the judge was ended by SIGKILL',
		asked: 1,
	},
	{
		name: 'right, then never an end',
		script: 'print(right); note(process.pid); setTimeout(() => {}, 90_000)',
		evidence: 'the judge timed out',
		asked: 1,
		leaves: true,
	},
	{
		name: 'right, leaving one that escaped',
		script:
			"print(right); const c = spawn('setsid', ['sleep', '90'], { stdio: 'inherit', detached: true }); note(c.pid); c.unref()",
		outcome: 'pass',
		leaves: true,
	},
]

const FIRST = 'CANARY-FIRST is shown'
const assertions = [FIRST, { id: 'second', text: 'CANARY-SECOND is shown', severity: 'warning' }]

describe('a judge answers', () => {
	const tree = makeRepository(
		JUDGED.map(({ script }) => ({ prompt: script || 'undefined', assertions, expected_output: 'CANARY-EXPECTED' })),
		{ 'judge.mjs': JUDGE },
	)
	afterAll(() => tree.remove())
	let ended: Awaited<ReturnType<typeof runGate>>
	beforeAll(async () => {
		const judge = JSON.stringify([process.execPath, tree.path('judge.mjs'), tree.dir])
		const flags = ['--judge', 'command', '--judge-command', judge, '--judge-timeout', '10', '--concurrency', '8']
		const names = ['--agent-env', 'CANARY_AGENT', '--judge-env', 'CANARY_JUDGE']
		const env = {
			CANARY_AGENT: 'canary-agent',
			CANARY_JUDGE: 'canary-judge',
			CANARY_OTHER: 'canary-other',
			GITHUB_TOKEN: 'canary-token',
		}
		const agent = 'echo "the work" > outputs/done.txt; env > outputs/env.txt; echo "my last word"'
		ended = await runGate(tree, shell(tree, agent), { flags: [...flags, ...names], env })
	}, LIMIT.timeout)
	type Asked = {
		request: Record<string, unknown> & { eval: { id: string; prompt: string } }
		env: Record<string, string>
		cwd: string
	}
	const asked = (id: number) =>
		tree
			.read('requests.jsonl')
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line) as Asked)
			.filter(({ request }) => request.eval.id === String(id))

	test.each(JUDGED.map((judged, at) => ({ id: at + 1, ...judged })))('$name', ({ id, ...judged }) => {
		const { outcome = 'error', evidence = '', leaves } = judged
		const [first, second] = evalOf(ended.result, id).assertions
		expect(first).toMatchObject({ outcome, evidence: expect.stringContaining(evidence) })
		// An answer that cannot be used is worth nothing, not half of it.
		expect(second?.outcome).toBe(outcome === 'error' ? 'error' : 'pass')
		expect(asked(id)).toHaveLength(judged.asked ?? (outcome === 'error' ? 2 : 1))
		expect(asked(id).map(({ request }) => 'repair' in request)).toEqual([false, true].slice(0, asked(id).length))
		if (leaves) expect(isRunning(tree.read(`judge-pid-${id}`))).toBe(false)
	})

	test('is asked by number, with the outputs and the last message, never with the expected output', () => {
		const [{ request, cwd } = { request: { outputs: [], assertions: [] }, cwd: '' }] = asked(1)
		expect(request).toMatchObject({
			skill: 'x',
			eval: { id: '1', prompt: 'print(right)' },
			lastMessage: 'my last word',
			notShownWhole: [],
		})
		const asserted = request.assertions as { n: number; text: string }[]
		expect(asserted.map(({ n }) => n)).toEqual([1, 2, 3])
		expect(asserted.map(({ text }) => text).filter((text) => text.startsWith('CANARY'))).toEqual([
			FIRST,
			'CANARY-SECOND is shown',
		])
		expect(request.outputs).toContainEqual({ path: 'done.txt', bytes: 9, text: 'the work\n' })
		expect(tree.read('requests.jsonl')).not.toContain('CANARY-EXPECTED')
		expect(cwd).toBe(tree.dir)
	})

	test('sees its own variables and not the agent’s, and the other way round', () => {
		expect(asked(1)[0]?.env).toMatchObject({ CANARY_JUDGE: 'canary-judge' })
		expect(Object.values(asked(1)[0]?.env ?? {}).filter((value) => /canary-(agent|other|token)/.test(value))).toEqual([])
		expect(tree.read('results/x/eval-1/outputs/env.txt')).toContain('canary-agent')
		for (const value of ['canary-judge', 'canary-other', 'canary-token'])
			expect(findBytes(tree.path('results'), value)).toEqual([])
	})

	test('what it left unanswered is not measured, at every severity, and blocks', () => {
		expect({ exitCode: ended.exitCode, verdict: ended.result.verdict }).toEqual({ exitCode: 2, verdict: 'incomplete' })
		expect(ended.result.counts.all.passed + ended.result.counts.all.failed + ended.result.counts.all.errors).toBe(
			2 * JUDGED.length,
		)
	})
})
