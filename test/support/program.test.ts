import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { makePullRequestEvent } from '../github/events.ts'
import { startGitHub } from '../github/server.ts'
import { runAction, runCommand } from './program.ts'
import { makeTree } from './tree.ts'

const tree = makeTree({
	'action.yml': `inputs:
  github-token: { default: "\${{ github.token }}" }
  fail fast: { default: true }
  evals: { required: true }
  retries: { default: 2 }
`,
	'odd.yml': `inputs: { temp: { default: "\${{ runner.temp }}/x" } }`,
	'report.cjs': `
		const { appendFileSync, readFileSync } = require('node:fs')
		const { env } = process
		appendFileSync(env.GITHUB_OUTPUT, 'verdict=fail\\nreport<<E\\na\\nb\\nE\\n')
		appendFileSync(env.GITHUB_STEP_SUMMARY, '## Results')
		appendFileSync(env.GITHUB_ENV, 'LATER=1')
		console.log(JSON.stringify({ env, cwd: process.cwd(), args: process.argv.slice(2), argv0: process.argv0 }))
		console.log('::warning file=a::careful')
		console.error('::error::broken')
		process.exitCode = 3
	`,
	'ask.cjs': `
		const { env } = process
		const { number } = JSON.parse(require('node:fs').readFileSync(env.GITHUB_EVENT_PATH, 'utf8'))
		const headers = { authorization: 'Bearer ' + env['INPUT_GITHUB-TOKEN'] }
		fetch(env.GITHUB_API_URL + '/repos/' + env.GITHUB_REPOSITORY + '/pulls/' + number, { headers })
			.then((response) => response.json())
			.then((pull) => console.log(pull.html_url, env.GITHUB_REF))
	`,
	'wait.cjs': `console.log('ready'); setInterval(() => {}, 1000)`,
	'leave.cjs': `
		const code = "require('net').connect(Number(process.argv[1]), '127.0.0.1', () => process.send('connected')).resume()"
		const child = require('node:child_process').spawn(process.execPath, ['-e', code, process.argv[2]], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
		child.once('message', () => { console.log('the parent leaves'); process.exit(0) })
	`,
})
afterAll(() => tree.remove())

const common = { cwd: tree.dir, actionFile: tree.path('action.yml') }

describe('runAction', () => {
	test('gives what the runner gives and reads what the runner reads', async () => {
		vi.stubEnv('SECRET_OF_THE_TESTER', 'leak')
		vi.stubEnv('HTTPS_PROXY', 'http://proxy')
		const entry = tree.path('report.cjs')
		const inputs = { evals: 'evals/*.json', retries: '0' }
		const result = await runAction({
			...common,
			entry,
			inputs,
			env: { EXTRA: 'yes', GITHUB_JOB: 'other', GITHUB_ACTOR: undefined },
		})
		vi.unstubAllEnvs()
		const seen = JSON.parse(result.stdout.split('\n')[0] ?? '')
		expect(seen.cwd).toBe(tree.dir)
		const inputNames = Object.keys(seen.env).filter((name) => name.startsWith('INPUT_'))
		expect(Object.fromEntries(inputNames.map((name) => [name, seen.env[name]]))).toEqual({
			'INPUT_GITHUB-TOKEN': 'no-token',
			INPUT_FAIL_FAST: 'true',
			INPUT_EVALS: 'evals/*.json',
			INPUT_RETRIES: '0',
		})
		expect(seen.env).toMatchObject({ EXTRA: 'yes', GITHUB_JOB: 'other', GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: tree.dir })
		const known = /^(INPUT_.*|GITHUB_.*|RUNNER_.*|CI|EXTRA|PATH|HOME)$/
		expect(Object.keys(seen.env).filter((name) => !known.test(name))).toEqual([])
		expect(seen.env.GITHUB_ACTOR).toBeUndefined()
		expect(result).toMatchObject({
			exitCode: 3,
			signal: null,
			outputs: { verdict: 'fail', report: 'a\nb' },
			summary: '## Results',
		})
		expect(result.written).toEqual({ env: 'LATER=1', path: '', state: '' })
		expect(result.commands).toEqual([
			{ name: 'warning', properties: { file: 'a' }, data: 'careful' },
			{ name: 'error', properties: {}, data: 'broken' },
		])
		expect(result.temp).toBe(seen.env.RUNNER_TEMP)
		expect(existsSync(result.temp)).toBe(true)
	})

	test('the program reaches the GitHub of this process with its token and its event', async () => {
		await using github = await startGitHub()
		const result = await runAction({ ...common, entry: tree.path('ask.cjs'), github, event: makePullRequestEvent(github) })
		expect(result.stdout).toBe('https://github.com/octo-org/skills/pull/7 refs/pull/7/merge\n')
		expect(github.requests).toHaveLength(1)
	})

	test('an expression it cannot evaluate is no silent default', async () => {
		const run = runAction({ ...common, entry: tree.path('report.cjs'), actionFile: tree.path('odd.yml') })
		await expect(run).rejects.toThrow('cannot evaluate the default of "temp": runner.temp')
	})

	test('a script that is missing is no exit status 1', async () => {
		await expect(runAction({ ...common, entry: tree.path('none.cjs') })).rejects.toThrow('does not exist')
	})
})

describe('runCommand', () => {
	test('passes arguments and nothing of a runner', async () => {
		const { stdout, exitCode } = await runCommand(['run', '--evals', 'a b'], {
			cwd: tree.dir,
			entry: tree.path('report.cjs'),
			env: { GITHUB_OUTPUT: tree.path('o'), GITHUB_STEP_SUMMARY: tree.path('s'), GITHUB_ENV: tree.path('e') },
		})
		const seen = JSON.parse(stdout.split('\n')[0] ?? '')
		expect(seen.args).toEqual(['run', '--evals', 'a b'])
		expect(Object.keys(seen.env).sort()).toEqual(['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY', 'HOME', 'PATH'])
		expect(exitCode).toBe(3)
	})

	test('TEST_NODE names the Node that runs the program', async () => {
		await using bin = makeTree({ 'other-node': { link: process.execPath } })
		vi.stubEnv('TEST_NODE', bin.path('other-node'))
		const env = { GITHUB_OUTPUT: tree.path('o'), GITHUB_STEP_SUMMARY: tree.path('s'), GITHUB_ENV: tree.path('e') }
		const { stdout } = await runCommand([], { cwd: tree.dir, entry: tree.path('report.cjs'), env })
		vi.unstubAllEnvs()
		expect(JSON.parse(stdout.split('\n')[0] ?? '').argv0).toBe(bin.path('other-node'))
	})

	test('a test can interrupt the program', async () => {
		const { exitCode, signal, stdout } = await runCommand([], {
			cwd: tree.dir,
			entry: tree.path('wait.cjs'),
			onSpawn: (child) => child.stdout?.once('data', () => child.kill('SIGTERM')),
		})
		expect({ exitCode, signal, stdout }).toEqual({ exitCode: null, signal: 'SIGTERM', stdout: 'ready\n' })
	})

	test('at the limit the program and what it left behind are killed, and the output is shown', async () => {
		const server = createServer().listen(0, '127.0.0.1')
		await once(server, 'listening')
		const connected = once(server, 'connection') as Promise<[Socket]>
		const port = String((server.address() as AddressInfo).port)
		const run = runCommand([port], { cwd: tree.dir, entry: tree.path('leave.cjs'), limitMs: 3000 })
		const [socket] = await connected
		const closed = once(socket.on('error', () => {}).resume(), 'close')
		await expect(run).rejects.toThrow(/still running after 3000 ms[\s\S]*the parent leaves/)
		await closed
		server.close()
	})
})
