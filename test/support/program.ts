import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import type { RunnerEvent } from '../github/events.ts'
import type { GitHub } from '../github/server.ts'
import { makeInputVariables } from './action-inputs.ts'
import { parseRunnerCommands, type RunnerCommand } from './runner-commands.ts'
import { makeRunnerFiles, parseRunnerFile } from './runner-files.ts'
import { type Ended, type SpawnOptions, spawnProgram } from './spawn.ts'
import { makeTree } from './tree.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Refuses connections: without a GitHub of the test, nothing may be reached. */
const CLOSED_PORT = 'http://127.0.0.1:9'

type ProgramOptions = Pick<SpawnOptions, 'cwd' | 'node' | 'limitMs' | 'onSpawn'> & {
	/** On top of the minimal environment; undefined takes a variable away. */
	env?: Record<string, string | undefined>
	/** The script, by default the bundle. */
	entry?: string
}

export type ActionOptions = ProgramOptions & {
	inputs?: Record<string, string>
	/** Default: a push without a payload. */
	event?: RunnerEvent
	github?: GitHub
	/** Default: ours. */
	actionFile?: string
}

export type ActionResult = Ended & {
	/** GITHUB_OUTPUT as the runner reads it. */
	outputs: Record<string, string>
	/** GITHUB_STEP_SUMMARY as it was written. */
	summary: string
	/** What the runner would obey in stdout, then in stderr: it listens to both. */
	commands: RunnerCommand[]
	/** RUNNER_TEMP, there until the test file ends. */
	temp: string
	/** What was written to files that set up later steps: usually nothing. */
	written: Record<'env' | 'path' | 'state', string>
}

const removals: (() => void)[] = []
afterAll(() => {
	for (const remove of removals.splice(0)) remove()
})

/** Runs the action as the runner does: inputs and context as variables, files for outputs, nothing else of this machine. */
export async function runAction(options: ActionOptions): Promise<ActionResult> {
	const { inputs = {}, event = { name: 'push', payload: {} }, github, cwd, env = {}, node, limitMs, onSpawn } = options
	const temp = makeScratch()
	const runnerDir = makeScratch()
	const files = makeRunnerFiles(runnerDir)
	const eventPath = join(runnerDir, 'event.json')
	writeFileSync(eventPath, typeof event.payload === 'string' ? event.payload : JSON.stringify(event.payload))
	const variables = dropUndefined({
		...makeBaseEnvironment(makeScratch()),
		...makeContext(event, github),
		...{ GITHUB_WORKSPACE: cwd, GITHUB_EVENT_PATH: eventPath, RUNNER_TEMP: temp },
		...files.env,
		...makeInputVariables(options.actionFile ?? join(ROOT, 'action.yml'), inputs, github?.token ?? 'no-token'),
		...env,
	})
	const entry = options.entry ?? join(ROOT, 'dist/main.cjs')
	const ended = await spawnProgram(entry, [], { cwd, env: variables, node, limitMs, onSpawn })
	return {
		...ended,
		outputs: parseRunnerFile(files.read('GITHUB_OUTPUT')),
		summary: files.read('GITHUB_STEP_SUMMARY'),
		commands: [...parseRunnerCommands(ended.stdout), ...parseRunnerCommands(ended.stderr)],
		temp,
		written: { env: files.read('GITHUB_ENV'), path: files.read('GITHUB_PATH'), state: files.read('GITHUB_STATE') },
	}
}

/** Runs the local command as a person does. */
export async function runCommand(args: string[], options: ProgramOptions): Promise<Ended> {
	const { cwd, env = {}, entry = join(ROOT, 'dist/cli.cjs'), node, limitMs, onSpawn } = options
	const variables = dropUndefined({ ...makeBaseEnvironment(makeScratch()), ...env })
	return spawnProgram(entry, args, { cwd, env: variables, node, limitMs, onSpawn })
}

/** No proxies, tokens or settings of whoever runs the tests. */
function makeBaseEnvironment(home: string): Record<string, string | undefined> {
	return { PATH: process.env.PATH, HOME: home }
}

function makeContext(event: RunnerEvent, github: GitHub | undefined): Record<string, string> {
	const repository = github?.repository.full_name ?? 'octo-org/skills'
	const number = event.name === 'pull_request' ? github?.pull.number : undefined
	const ref = number === undefined ? 'refs/heads/main' : `refs/pull/${number}/merge`
	return {
		CI: 'true',
		GITHUB_ACTIONS: 'true',
		GITHUB_API_URL: github?.url ?? CLOSED_PORT,
		GITHUB_GRAPHQL_URL: github?.graphqlUrl ?? `${CLOSED_PORT}/graphql`,
		GITHUB_SERVER_URL: 'https://github.com',
		GITHUB_REPOSITORY: repository,
		GITHUB_REPOSITORY_OWNER: repository.split('/')[0] ?? '',
		GITHUB_EVENT_NAME: event.name,
		// On a pull request this is the merge commit, never the head.
		GITHUB_SHA: '5e7b1c0de5e7b1c0de5e7b1c0de5e7b1c0de5e7b',
		GITHUB_REF: ref,
		GITHUB_REF_NAME: ref.replace(/^refs\/(heads|pull)\//, ''),
		...(number === undefined ? {} : { GITHUB_HEAD_REF: github?.pull.head.ref ?? '', GITHUB_BASE_REF: 'main' }),
		GITHUB_RUN_ID: '1001',
		GITHUB_RUN_NUMBER: '11',
		GITHUB_RUN_ATTEMPT: '1',
		GITHUB_WORKFLOW: 'Skill evals',
		GITHUB_WORKFLOW_REF: `${repository}/.github/workflows/skill-evals.yml@${ref}`,
		GITHUB_JOB: 'evals',
		GITHUB_ACTION: '__run',
		GITHUB_ACTOR: 'octocat',
		RUNNER_OS: { darwin: 'macOS', win32: 'Windows' }[process.platform as string] ?? 'Linux',
	}
}

function dropUndefined(variables: Record<string, string | undefined>): Record<string, string> {
	const set = Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined)
	return Object.fromEntries(set)
}

function makeScratch(): string {
	const { dir, remove } = makeTree()
	removals.push(remove)
	return dir
}
