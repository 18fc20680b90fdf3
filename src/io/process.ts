import type { ChildProcess } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { execa } from 'execa'

/** Of each stream so much is kept from its beginning and from its end. */
const KEPT_BYTES = 512 * 1024
/** A process that is told to end has this long before it is killed. */
const GRACE_MS = 2000
/** What outlives its parent and keeps a pipe open is not waited for longer than this. */
const PIPE_GRACE_MS = 1000
/** In every child's environment, so that descendants that left the process group can be found. */
const MARKER = 'SKILL_EVAL_GATE_PROCESS'

export type ProcessOptions = {
	argv: string[]
	cwd: string
	environment: Record<string, string>
	stdin: string
	timeoutMs: number
}

export type ProcessEnd = {
	exitCode?: number | undefined
	signal?: string | undefined
	/** Completes "the agent …": could not be started, timed out, was cancelled. */
	failure?: string | undefined
	stdout: string
	stderr: string
	durationMs: number
}

const running = new Map<string, number>()
let cancelled = false

/** Runs one program without a shell and ends its whole process group, and what escaped from it, before the result is given. Never throws. */
export async function runProcess({ argv, cwd, environment, stdin, timeoutMs }: ProcessOptions): Promise<ProcessEnd> {
	const [command = '', ...parameters] = argv
	const marker = `${process.pid}-${running.size}-${Math.random().toString(36).slice(2)}`
	const started = performance.now()
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
	// It never rejects by its options; if it did, the exit below would still be told.
	child.catch(() => {})
	const stdout = keepEnds(child.stdout)
	const stderr = keepEnds(child.stderr)
	if (child.pid !== undefined) running.set(marker, child.pid)
	let timedOut = false
	const timer = setTimeout(() => {
		timedOut = true
		void endGroup(child.pid)
	}, timeoutMs)
	const exited = await waitForExit(child)
	clearTimeout(timer)
	const durationMs = Math.max(1, Math.round(performance.now() - started))
	await endGroup(child.pid, 0)
	await endEscaped(marker)
	await Promise.race([Promise.all([stdout.done, stderr.done]), delay(PIPE_GRACE_MS)])
	child.stdout.destroy()
	child.stderr.destroy()
	running.delete(marker)
	const failure = cancelled ? 'was cancelled' : timedOut ? `timed out after ${timeoutMs / 1000} s` : exited.failure
	return { exitCode: exited.exitCode, signal: exited.signal, failure, stdout: stdout.text(), stderr: stderr.text(), durationMs }
}

/** Ends every process that is still running; for a cancelled job. */
export async function cancelProcesses(): Promise<void> {
	cancelled = true
	await Promise.all([...running].flatMap(([marker, pid]) => [endGroup(pid, 0), endEscaped(marker)]))
}

type Exit = { exitCode?: number | undefined; signal?: string | undefined; failure?: string | undefined }

/** By the `exit` event, not `close`: a grandchild may hold the pipes open for ever. */
function waitForExit(child: Pick<ChildProcess, 'once' | 'stdin'>): Promise<Exit> {
	return new Promise((resolve) => {
		child.once('exit', (code, signal) => resolve({ exitCode: code ?? undefined, signal: signal ?? undefined }))
		child.once('error', (error: NodeJS.ErrnoException) => resolve({ failure: `could not be started (${describeSpawn(error)})` }))
		// A program that does not read its input closes the pipe; that is its right.
		child.stdin?.on('error', () => {})
	})
}

function describeSpawn(error: NodeJS.ErrnoException): string {
	if (error.code === 'ENOENT') return 'there is no such program on the PATH'
	if (error.code === 'EACCES') return 'the program is not executable'
	if (error.code === 'E2BIG') return 'its arguments are too long; pass the prompt by standard input'
	return error.code ?? error.message
}

/** The negative pid is the group. Whoever does not end by itself in time is killed. */
async function endGroup(pid: number | undefined, graceMs = GRACE_MS): Promise<void> {
	if (pid === undefined) return
	const group = process.platform === 'win32' ? pid : -pid
	if (graceMs > 0 && !send(group, 'SIGTERM')) return
	for (let waited = 0; waited < graceMs; waited += 50) {
		await delay(50)
		if (!send(group, 0)) return
	}
	send(group, 'SIGKILL')
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(pid, signal)
	} catch {
		return false
	}
}

/** A descendant that started its own session is in no group of ours, but it still has our marker in its environment (Linux only). */
async function endEscaped(marker: string): Promise<void> {
	if (process.platform !== 'linux') return
	for (const entry of await readdir('/proc').catch(() => [])) {
		if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue
		const environment = await readFile(`/proc/${entry}/environ`, 'utf8').catch(() => '')
		if (environment.includes(`${MARKER}=${marker}`)) send(Number(entry), 'SIGKILL')
	}
}

/** Head and tail of a stream, so that a flood costs neither memory nor time. */
function keepEnds(stream: Readable): { text: () => string; done: Promise<void> } {
	const head: Buffer[] = []
	const tail: Buffer[] = []
	let headBytes = 0
	let tailBytes = 0
	let dropped = 0
	stream.on('data', (chunk: Buffer) => {
		const forHead = chunk.subarray(0, KEPT_BYTES - headBytes)
		head.push(forHead)
		headBytes += forHead.length
		tail.push(chunk.subarray(forHead.length))
		tailBytes += chunk.length - forHead.length
		for (let first = tail[0]; first && tailBytes - first.length >= KEPT_BYTES; first = tail[0]) {
			tailBytes -= first.length
			dropped += first.length
			tail.shift()
		}
	})
	const done = new Promise<void>((resolve) =>
		stream
			.once('close', resolve)
			.once('end', resolve)
			.once('error', () => resolve()),
	)
	const decode = (chunks: Buffer[]) => new StringDecoder('utf8').write(Buffer.concat(chunks))
	const text = () =>
		dropped === 0 ? decode([...head, ...tail]) : `${decode(head)}\n… ${dropped} bytes left out …\n${decode(tail)}`
	return { text, done }
}

function delay(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
