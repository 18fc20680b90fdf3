import { spawnSync } from 'node:child_process'
import { closeSync, constants, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './support/program.ts'
import { makeTree, type Tree, type TreeFile } from './support/tree.ts'

/** Below a test's own limit of 60 s, whose message would not show what was printed. */
export const LIMIT_MS = 55_000

export type EvalFile = { prompt?: string; files?: string[]; assertions?: unknown[]; expected_output?: string }

type Row = { index: number; outcome: string; evidence: string }
type Eval = { id: string; outcome: string; failure?: string; durationMs?: number; totalTokens?: number; assertions: Row[] }

/** The part of result.json that these tests look at. */
export type ResultJson = {
	verdict: string
	counts: { all: { passed: number; failed: number; errors: number; expected: number } }
	reasons: { verdict: string; where: string; sentence: string; quotes: string[]; hint?: string }[]
	problems: { code: string; severity: string; message: string }[]
	suites: { skill: string; evals: Eval[] }[]
}

/** What an eval asserts that has nothing else to say: the agent wrote done.txt. */
export const DONE = { text: 'The work is done', grader: 'file-exists', options: { path: 'done.txt' } }

/** A repository with a skill `x` and these evals, numbered from 1, each asserting `DONE` by default. `tmp/` is for the program's own temporary files. */
export function makeRepository(evals: EvalFile[], more: Record<string, TreeFile> = {}): Tree {
	return makeTree({
		'tmp/keep': '',
		'skills/x/SKILL.md': '---\nname: x\ndescription: does it\n---\nDo it.\n',
		'skills/x/evals/evals.json': {
			skill_name: 'x',
			evals: evals.map((given, at) => ({ id: at + 1, prompt: `task ${at + 1}`, assertions: [DONE], ...given })),
		},
		...more,
	})
}

type RunOptions = {
	env?: Record<string, string>
	flags?: string[]
	entry?: string
	onSpawn?: Parameters<typeof runCommand>[1]['onSpawn']
}

/** Arguments of `run` over the repository's skill with this agent, or with none; a flag given here comes last and wins. */
function runArguments(agent: string[] | undefined, flags: string[] = []): string[] {
	const how = agent ? ['--agent-command', JSON.stringify(agent)] : ['--agent', 'none']
	const own = ['--evals', 'skills/x/evals/evals.json', '--workspace', 'results/{skill}', ...how]
	const given = new Set(flags.filter((flag) => flag.startsWith('--')))
	const kept = own.flatMap((flag, at) => (at % 2 === 0 && !given.has(flag) ? [flag, own[at + 1] ?? ''] : []))
	return ['run', ...kept, ...flags, '--json']
}

/** Runs the built command; its standard output must be empty or one result.json. */
export async function runGate(tree: Tree, agent: string[] | undefined, { env, flags, entry, onSpawn }: RunOptions = {}) {
	const ended = await runCommand(runArguments(agent, flags), {
		cwd: tree.dir,
		env: { TMPDIR: tree.path('tmp'), ...env },
		limitMs: LIMIT_MS,
		...(entry ? { entry } : {}),
		...(onSpawn ? { onSpawn } : {}),
	})
	const result = (ended.stdout === '' ? undefined : JSON.parse(ended.stdout)) as ResultJson
	return { ...ended, result }
}

/** An agent that is a shell script; the repository's directory is `$1`. */
export function shell(tree: Tree, script: string): string[] {
	return ['sh', '-c', script, 'sh', tree.dir]
}

export function evalOf(result: ResultJson, id: number | string): Eval {
	const found = result.suites.flatMap(({ evals }) => evals).find((evaluation) => evaluation.id === String(id))
	if (!found) throw new Error(`there is no eval ${id} in ${JSON.stringify(result, undefined, 1)}`)
	return found
}

/** A zombie, or one that is just being taken down and has no memory any more, has ended: who reaps it is not our business. */
export function isRunning(pid: number | string): boolean {
	return readEnvironment(String(pid).trim()).length > 0
}

function readEnvironment(pid: string): Buffer {
	try {
		return readFileSync(`/proc/${pid}/environ`)
	} catch {
		return Buffer.alloc(0)
	}
}

/** Running processes with these bytes in their environment, such as the `TMPDIR` of one repository: all that came from its run. */
export function findProcesses(bytes: string): string[] {
	return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && readEnvironment(entry).includes(bytes))
}

/** Every regular file below a directory, by path; links are not followed. */
export function listFiles(directory: string): string[] {
	return readdirSync(directory).flatMap((name) => {
		const path = join(directory, name)
		const stat = lstatSync(path)
		return stat.isDirectory() ? listFiles(path) : stat.isFile() ? [path] : []
	})
}

/** The files below a directory that hold these bytes. */
export function findBytes(directory: string, bytes: string): string[] {
	return listFiles(directory).filter((path) => readFileSync(path).includes(bytes))
}

/** Named pipes, through which agents say that they are there: reading waits until one writes. */
export function makePipes(tree: Tree, names: string[]): string[] {
	const paths = names.map((name) => tree.path(name))
	const { status, stderr } = spawnSync('mkfifo', paths, { encoding: 'utf8' })
	if (status !== 0) throw new Error(`mkfifo: ${stderr}`)
	return paths
}

/** What was written to the pipes. If the program ends without anybody having written, that is thrown instead of waiting for ever. */
export async function readPipes(paths: string[], program: Promise<{ stdout: string; stderr: string }>): Promise<string[]> {
	let ended = false
	const over = program.then(({ stdout, stderr }) => {
		ended = true
		throw new Error(`the program ended before its agents were there.\n${stdout}\n${stderr}`)
	})
	try {
		return await Promise.race([Promise.all(paths.map((path) => readFile(path, 'utf8'))), over])
	} finally {
		over.catch(() => {})
		if (ended) for (const path of paths) closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK))
	}
}
