/** Faults of our own, forced from outside: whatever is thrown wherever, the end is not green and nothing is left running. */
import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { isRunning, LIMIT_MS, makePipes, makeRepository, readPipes, runGate, shell } from './execution-support.ts'
import { runAction } from './support/program.ts'
import type { Tree } from './support/tree.ts'

const LIMIT = { timeout: 60_000 }
const WORK = 'echo ok > outputs/done.txt'

/** Code that runs in the program before its own first statement. Two concern the command only: the Action neither uses standard error nor waits for its log. */
const FAULTS: [string, string, string?][] = [
	['rename throws a text', "fs.rename = () => { throw 'boom' }"],
	['rename throws nothing', 'fs.rename = () => { throw undefined }'],
	['rename rejects with a text', "fs.rename = () => Promise.reject('boom')"],
	['rename rejects with null', 'fs.rename = () => Promise.reject(null)'],
	['rename never settles', 'fs.rename = () => new Promise(() => {})'],
	[
		'the last file cannot be written',
		"let seen = 0; const { rename } = fs; fs.rename = (...paths) => paths[1].endsWith('/result.json') && ++seen > 1 ? Promise.reject('boom') : rename(...paths)",
	],
	[
		'the last file is never written',
		"let seen = 0; const { rename } = fs; fs.rename = (...paths) => paths[1].endsWith('/result.json') && ++seen > 1 ? new Promise(() => {}) : rename(...paths)",
	],
	['a directory is never made', 'fs.mkdtemp = () => new Promise(() => {})'],
	['copying throws a text', "fs.copyFile = () => { throw 'boom' }"],
	['reading throws a text', "fs.realpath = () => { throw 'boom' }"],
	['standard output throws a text', "process.stdout.write = () => { throw 'boom' }"],
	['standard error throws a text', "process.stderr.write = () => { throw 'boom' }", 'command'],
	['standard output never takes anything', 'process.stdout.write = () => true', 'command'],
	[
		'a timer throws a text',
		"const { rename } = fs; fs.rename = (...paths) => { setTimeout(() => { throw 'boom' }); return rename(...paths) }",
	],
	[
		'a forgotten promise rejects with a text',
		"const { rename } = fs; fs.rename = (...paths) => { Promise.reject('boom'); return rename(...paths) }",
	],
	['the program ends itself', 'const { rename } = fs; fs.rename = (...paths) => { process.exit(); return rename(...paths) }'],
]

function withFault(tree: Tree, fault: string): Record<string, string> {
	tree.write({ 'fault.cjs': `const fs = require('node:fs/promises')\n${fault}\n` })
	return { NODE_OPTIONS: `--require ${tree.path('fault.cjs')}` }
}

function action(tree: Tree, agent: string[]) {
	const inputs = { evals: 'skills/x/evals/evals.json', workspace: 'results/{skill}', 'agent-command': JSON.stringify(agent) }
	return { cwd: tree.dir, inputs, limitMs: LIMIT_MS }
}

describe.each(FAULTS)('%s', (_name, fault, only) => {
	test('the command is not green', LIMIT, async () => {
		await using tree = makeRepository([{}])
		const { exitCode, signal, stdout } = await runGate(tree, shell(tree, WORK), { env: withFault(tree, fault) })
		expect({ exitCode, signal }).not.toEqual({ exitCode: 0, signal: null })
		expect(stdout).not.toContain('"verdict": "pass"')
	})
	test.skipIf(only === 'command')('the Action is not green', LIMIT, async () => {
		await using tree = makeRepository([{}])
		const { exitCode, signal } = await runAction({ ...action(tree, shell(tree, WORK)), env: withFault(tree, fault) })
		expect({ exitCode, signal }).not.toEqual({ exitCode: 0, signal: null })
	})
})

test('without a fault both would be green', LIMIT, async () => {
	await using tree = makeRepository([{}])
	const env = withFault(tree, '')
	expect((await runGate(tree, shell(tree, WORK), { env })).exitCode).toBe(0)
	expect((await runAction({ ...action(tree, shell(tree, WORK)), env })).exitCode).toBe(0)
})

test('an eval whose files cannot be written is named, the others are measured', LIMIT, async () => {
	await using tree = makeRepository([{}, {}])
	const fault =
		"const { copyFile } = fs; fs.copyFile = (from, to, ...more) => to.includes('/eval-1/') ? Promise.reject('boom') : copyFile(from, to, ...more)"
	const { exitCode, result } = await runGate(tree, shell(tree, WORK), { env: withFault(tree, fault) })
	expect(exitCode).toBe(2)
	expect(result.reasons).toMatchObject([{ where: 'x eval-1', quotes: ['boom'] }])
	expect(result.counts.all).toMatchObject({ passed: 1, errors: 1 })
})

test.each(['command', 'Action'])('%s: a crash takes the agents with it', LIMIT, async (which) => {
	await using tree = makeRepository([{}, {}])
	const [ready = '', go = ''] = makePipes(tree, ['ready', 'go'])
	const script = `
		read -r _ id; echo ok > outputs/done.txt
		if [ $id = 1 ]; then read -r _ < "$1/go"; else setsid sh -c 'echo $PPID $$ > "$1/ready"; sleep 90; :' sh "$1" & wait; fi`
	// Keeping the first one's transcript crashes the program while the second runs.
	const crash = "to.includes('transcript') ? new Promise(() => setTimeout(() => { throw 'boom' })) : rename(from, to)"
	const env = withFault(tree, `const { rename } = fs; fs.rename = (from, to) => ${crash}`)
	const agent = shell(tree, script)
	const program = which === 'command' ? runGate(tree, agent, { env }) : runAction({ ...action(tree, agent), env })
	const pids = (await readPipes([ready], program)).flatMap((text) => text.trim().split(' '))
	expect(pids.filter(isRunning)).toHaveLength(2)
	await writeFile(go, 'go\n')
	const { exitCode } = await program
	expect(exitCode).not.toBe(0)
	expect(pids.filter(isRunning)).toEqual([])
})
