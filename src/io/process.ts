import { readdirSync, readFileSync } from 'node:fs'
import { execa } from 'execa'
import { keepEnds } from './kept-ends.ts'

/** A process that is told to end has this long before it is killed. */
const GRACE_MS = 2000
/** What outlives its parent and keeps a pipe open is not waited for longer than this. */
const PIPE_GRACE_MS = 1000
/** A program that starts others while it is being ended is looked for again, so many times. */
const SWEEPS = 20
const QUIET_SWEEPS = 2
const SWEEP_PAUSE_MS = 10
/** In every child's environment, so that descendants that left the process group can be found. */
const MARKER = 'SKILL_EVAL_GATE_PROCESS'

export type ProcessOptions = {
	argv: string[]
	cwd: string
	environment: Record<string, string>
	stdin: string
	timeoutMs: number
	/** Of each end of stdout, instead of the usual. */
	keptBytes?: number | undefined
}

export type ProcessEnd = {
	exitCode?: number | undefined
	signal?: string | undefined
	/** Completes "the agent …": could not be started, timed out, was cancelled. */
	failure?: string | undefined
	stdout: string
	stderr: string
	/** Something of the middle of stdout is missing: what is not found in it may have been said. */
	stdoutCut: boolean
	/** Absent for what never ran. */
	durationMs?: number | undefined
}

/** By marker; the pid is known from the moment it runs. */
const running = new Map<string, number>()
let cancelled = false
let isGuarded = false

/** Runs one program without a shell and ends its whole process group, and what escaped from it, before the result is given. Never throws. */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
	// Between two runs there is nothing to end, so that a cancelled job must start nothing more.
	if (cancelled) return notStarted('was cancelled')
	const marker = `${process.pid}-${running.size}-${Math.random().toString(36).slice(2)}-`
	try {
		return await watch(start(options, marker), marker, options)
	} catch (error) {
		return notStarted(`could not be started (${error instanceof Error ? error.message.slice(0, 200) : String(error)})`)
	} finally {
		running.delete(marker)
	}
}

function notStarted(failure: string): ProcessEnd {
	return { failure, stdout: '', stderr: '', stdoutCut: false }
}

type Child = ReturnType<typeof start>

/** Throws for what no program can be given, such as a NUL character in an argument. */
function start({ argv, cwd, environment, stdin }: ProcessOptions, marker: string) {
	const [command = '', ...parameters] = argv
	endAllOnExit()
	const child = execa(command, parameters, {
		cwd,
		env: { ...environment, [MARKER]: marker },
		extendEnv: false,
		input: stdin,
		detached: process.platform !== 'win32',
		buffer: false,
		reject: false,
		cleanup: false,
	})
	if (child.pid !== undefined) running.set(marker, child.pid)
	// A program that does not read its input closes the pipe; that is its right.
	child.stdin?.on('error', () => {})
	return child
}

async function watch(child: Child, marker: string, { timeoutMs, keptBytes }: ProcessOptions): Promise<ProcessEnd> {
	const started = performance.now()
	const stdout = keepEnds(child.stdout, keptBytes)
	const stderr = keepEnds(child.stderr)
	let timedOut = false
	const timer = setTimeout(() => {
		timedOut = true
		void endGroup(child.pid)
	}, timeoutMs)
	const exit = await waitForExit(child)
	clearTimeout(timer)
	const durationMs = child.pid === undefined ? undefined : Math.max(1, Math.round(performance.now() - started))
	killGroup(child.pid)
	await endEscaped(marker)
	// Not to be waited for at the end of the program, when everything was read long ago.
	const patience = new Promise((resolve) => void setTimeout(resolve, PIPE_GRACE_MS).unref())
	await Promise.race([Promise.all([stdout.done, stderr.done]), patience])
	child.stdout.destroy()
	child.stderr.destroy()
	const failure = cancelled ? 'was cancelled' : timedOut ? `timed out after ${timeoutMs / 1000} s` : exit.failure
	return { ...exit, failure, stdout: stdout.text(), stderr: stderr.text(), stdoutCut: stdout.isCut(), durationMs }
}

/** Ends every process that is still running, and lets none start any more; for a cancelled job. */
export async function cancelProcesses(): Promise<void> {
	cancelled = true
	for (const pid of running.values()) killGroup(pid)
	await Promise.all([...running.keys()].map(endEscaped))
}

/** Whatever ends this program, a fault of its own too, its children end with it: they are in groups of their own and would go on. */
function endAllOnExit(): void {
	if (isGuarded) return
	isGuarded = true
	process.once('exit', () => {
		for (const [marker, pid] of running) {
			killGroup(pid)
			for (let sweep = 0, quiet = 0; sweep < SWEEPS && quiet < QUIET_SWEEPS; sweep++) {
				quiet = killEscaped(marker) ? 0 : quiet + 1
				pause(SWEEP_PAUSE_MS)
			}
		}
	})
}

type Exit = { exitCode?: number | undefined; signal?: string | undefined; failure?: string | undefined }

/** By the `exit` event, not `close`: a grandchild may hold the pipes open for ever. */
function waitForExit(child: Child): Promise<Exit> {
	const describe = (error: NodeJS.ErrnoException): Exit => ({ failure: `could not be started (${describeSpawn(error)})` })
	return new Promise((resolve) => {
		child.once('exit', (code, signal) => resolve({ exitCode: code ?? undefined, signal: signal ?? undefined }))
		child.once('error', (error) => resolve(describe(error)))
		// What the system refuses at once (arguments that are too long) comes with neither event.
		child.then(
			({ cause }) =>
				child.pid === undefined && resolve(describe(cause instanceof Error ? cause : new Error('no reason is known'))),
			(error) => resolve(describe(error)),
		)
	})
}

function describeSpawn(error: NodeJS.ErrnoException): string {
	if (error.code === 'ENOENT') return 'there is no such program on the PATH'
	if (error.code === 'EACCES') return 'the program is not executable'
	if (error.code === 'E2BIG') return 'its arguments are too long; pass the prompt by standard input'
	return error.code ?? error.message
}

/** Whoever does not end by itself in time is killed. */
async function endGroup(pid: number | undefined): Promise<void> {
	if (!send(groupOf(pid), 'SIGTERM')) return
	for (let waited = 0; waited < GRACE_MS; waited += 50) {
		await delay(50)
		if (!send(groupOf(pid), 0)) return
	}
	killGroup(pid)
}

function killGroup(pid: number | undefined): void {
	send(groupOf(pid), 'SIGKILL')
}

/** The negative pid is the group. */
function groupOf(pid: number | undefined): number | undefined {
	return pid === undefined || process.platform === 'win32' ? pid : -pid
}

function send(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
	try {
		return pid !== undefined && process.kill(pid, signal)
	} catch {
		return false
	}
}

/** Looks until nothing is found, twice: who is just being started is in no list yet, or has no environment for a moment. */
async function endEscaped(marker: string): Promise<void> {
	for (let sweep = 0, quiet = 0; sweep < SWEEPS && quiet < QUIET_SWEEPS; sweep++) {
		quiet = killEscaped(marker) ? 0 : quiet + 1
		await delay(SWEEP_PAUSE_MS)
	}
}

/** A descendant that started its own session is in no group of ours, but it still has our marker in its environment (Linux only). */
function killEscaped(marker: string): boolean {
	if (process.platform !== 'linux') return false
	const others = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
	const escaped = others.filter((entry) => readEnvironment(entry).includes(`${MARKER}=${marker}`))
	for (const entry of escaped) send(Number(entry), 'SIGKILL')
	return escaped.length > 0
}

/** Empty for what is not ours, has ended, or is a zombie. */
function readEnvironment(pid: string): Buffer {
	try {
		return readFileSync(`/proc/${pid}/environ`)
	} catch {
		return Buffer.alloc(0)
	}
}

function delay(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** While the program exits nothing can be awaited. */
function pause(milliseconds: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
