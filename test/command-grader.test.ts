/** Programs that grade: what they see, how they may end, and that none of it turns an error into a pass. */
import { chmodSync, existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evalOf, findBytes, isRunning, makeRepository, runGate, shell } from './execution-support.ts'

const LIMIT = { timeout: 60_000 }
const sh = (script: string, ...more: string[]) => ['sh', '-c', script, ...more]

type Graded = { name: string; command: string[]; options?: object; outcome: 'pass' | 'fail' | 'error'; evidence: string | RegExp }

const GRADED: Graded[] = [
	{ name: 'exit status 0', command: sh('echo fine'), outcome: 'pass', evidence: 'exit status 0: fine' },
	{ name: 'exit status 1', command: sh('echo bad >&2; exit 1'), outcome: 'fail', evidence: 'exit status 1 (expected 0): bad' },
	{
		name: 'another expected status',
		command: sh('exit 3'),
		options: { 'success-exit-codes': [3] },
		outcome: 'pass',
		evidence: 'exit status 3',
	},
	{
		name: '0 where it is not expected',
		command: ['true'],
		options: { 'success-exit-codes': [3] },
		outcome: 'fail',
		evidence: /^exit status 0/,
	},
	{ name: 'status 126 is the program’s own', command: sh('exit 126'), outcome: 'fail', evidence: /^exit status 126/ },
	{
		name: 'no end',
		command: sh('echo $$ > pid-1; sleep 90'),
		options: { 'timeout-ms': 900 },
		outcome: 'error',
		evidence: 'timed out after 0.9 s',
	},
	{
		name: 'no end, escaped',
		command: sh('setsid sleep 90 & echo $! > pid-2; trap "exit 0" TERM; wait'),
		options: { 'timeout-ms': 900 },
		outcome: 'error',
		evidence: 'timed out after 0.9 s',
	},
	{
		name: 'an end that leaves one behind',
		command: sh('setsid sleep 90 & echo $! > pid-3'),
		outcome: 'pass',
		evidence: 'exit status 0',
	},
	{ name: 'a signal', command: sh('kill -9 $$'), outcome: 'error', evidence: 'the command was ended by SIGKILL' },
	{
		name: 'a missing program',
		command: ['no-such-grader'],
		outcome: 'error',
		evidence: /^could not be started \(there is no such program/,
	},
	{
		name: 'a missing program whose absence is no status',
		command: ['no-such-grader'],
		options: { 'success-exit-codes': [0, 1, 126, 127] },
		outcome: 'error',
		evidence: /^could not be started/,
	},
	{ name: 'a program that is not executable', command: ['./plain.txt'], outcome: 'error', evidence: /not executable/ },
	{
		name: 'a program in the evals’ directory',
		command: ['./tool.sh', '{outputs}/done.txt'],
		outcome: 'pass',
		evidence: 'exit status 0: work',
	},
	{
		name: '{outputs} anywhere',
		command: sh('cat "$1" "$2"', 'sh', '{outputs}/done.txt', '{outputs}/../outputs/done.txt'),
		outcome: 'pass',
		evidence: 'exit status 0: work\nwork',
	},
	{
		name: 'the outputs by variable',
		command: sh('cat "$SKILL_EVAL_OUTPUTS/done.txt"'),
		outcome: 'pass',
		evidence: 'exit status 0: work',
	},
	{
		name: 'the evals’ directory',
		command: sh('test -e evals.json && test -e only-here.txt'),
		outcome: 'pass',
		evidence: 'exit status 0',
	},
	{ name: 'no secret', command: sh('env > seen-env'), outcome: 'pass', evidence: 'exit status 0' },
	{ name: 'an empty standard input', command: sh('test -z "$(cat)"'), outcome: 'pass', evidence: 'exit status 0' },
	{
		name: 'no shell',
		command: ['echo', '; touch pwned', '$(touch pwned)', '`touch pwned`', '&&', 'touch', 'pwned'],
		outcome: 'pass',
		evidence: /; touch pwned \$\(touch pwned\)/,
	},
	{
		name: 'a flood',
		command: sh('head -c 20000000 /dev/zero | tr "\\0" a; echo; echo the end'),
		outcome: 'pass',
		evidence: /the end$/,
	},
	{
		name: 'its own grading',
		command: sh('echo "{}" > "$1/grading.json"; echo "{}" > "$1/../grading.json"; exit 1', 'sh', '{outputs}'),
		outcome: 'fail',
		evidence: /^exit status 1/,
	},
]

describe('a command grader', () => {
	const assertions = [
		...GRADED.map(({ name, command, options }) => ({ text: name, grader: 'command', options: { command, ...options } })),
		// Graders that read files see what the agent left, whatever a command did to it since.
		{ text: 'outputs/ is gone', grader: 'command', options: { command: ['rm', '-r', '{outputs}'] } },
		{ text: 'still there', grader: 'file-exists', options: { path: 'done.txt' } },
		{ text: 'not planted', grader: 'file-exists', options: { path: 'grading.json' } },
	]
	const tree = makeRepository([{ assertions }], {
		'skills/x/evals/only-here.txt': '',
		'skills/x/evals/plain.txt': 'no program',
		'skills/x/evals/tool.sh': '#!/bin/sh\ncat "$1"\n',
	})
	chmodSync(tree.path('skills/x/evals/tool.sh'), 0o755)
	chmodSync(tree.path('skills/x/evals/plain.txt'), 0o644)
	afterAll(() => tree.remove())
	let ended: Awaited<ReturnType<typeof runGate>>
	beforeAll(async () => {
		const env = { CANARY_SECRET: 'canary-1', GITHUB_TOKEN: 'canary-2', INPUT_X: 'canary-3', NAMED: 'canary-4', LANG: 'C' }
		ended = await runGate(tree, shell(tree, 'echo work > outputs/done.txt'), {
			env,
			flags: ['--agent-env', 'NAMED', '--judge-env', 'NAMED'],
		})
	}, LIMIT.timeout)
	const rows = () => evalOf(ended.result, 1).assertions

	test.each(GRADED.map((graded, at) => ({ at, ...graded })))('ends with $name', ({ at, outcome, evidence }) => {
		expect(rows()[at]).toMatchObject({
			outcome,
			evidence: typeof evidence === 'string' ? evidence : expect.stringMatching(evidence),
		})
	})

	test('sees neither secrets nor what the agent and the judge may see', () => {
		const names = tree
			.read('skills/x/evals/seen-env')
			.split('\n')
			.map((line) => line.split('=')[0])
		expect(names.filter((name) => !['', '_', 'PWD', 'OLDPWD', 'SHLVL'].includes(name ?? '')).sort()).toEqual(
			['HOME', 'LANG', 'PATH', 'SKILL_EVAL_GATE_PROCESS', 'SKILL_EVAL_OUTPUTS', 'TMPDIR'].sort(),
		)
		expect(findBytes(tree.path('results'), 'canary-')).toEqual([])
	})

	test('leaves nothing running and has no shell', () => {
		for (const number of [1, 2, 3]) expect(isRunning(tree.read(`skills/x/evals/pid-${number}`))).toBe(false)
		expect(existsSync(tree.path('skills/x/evals/pwned'))).toBe(false)
	})

	test('changes neither what others grade nor what is written', () => {
		expect(
			rows()
				.slice(-2)
				.map(({ outcome }) => outcome),
		).toEqual(['pass', 'fail'])
		expect(tree.json('results/x/eval-1/grading.json')).toMatchObject({ summary: { total: assertions.length } })
		expect(ended.exitCode).toBe(2)
	})
})

test('a command that passes does not mend a run that broke', LIMIT, async () => {
	const always = { text: 'It is good', grader: 'command', options: { command: sh('echo ran >> graded') } }
	await using tree = makeRepository([{ assertions: [always] }])
	const { exitCode, result } = await runGate(tree, shell(tree, 'echo work > outputs/done.txt; exit 1'))
	expect({ exitCode, outcome: evalOf(result, 1).outcome }).toEqual({ exitCode: 2, outcome: 'error' })
	expect(existsSync(tree.path('skills/x/evals/graded'))).toBe(false)
})
