import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'

export type Ended = { exitCode: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

export type SpawnOptions = {
	cwd: string
	env: Record<string, string>
	/** Default: TEST_NODE, so that the same tests run the bundle under another Node, else the one that runs the tests. */
	node?: string | undefined
	/** After this long the process and its children are killed and the test fails with what was printed. */
	limitMs?: number | undefined
	/** For tests that interrupt the program. */
	onSpawn?: ((child: ChildProcess) => void) | undefined
}

/** Below vitest's own limit, whose message would not show the output. */
const LIMIT_MS = 25_000

/** Never spawnSync: the loopback servers live in this process and have to answer meanwhile. */
export function spawnProgram(script: string, args: string[], options: SpawnOptions): Promise<Ended> {
	const { cwd, env, node = resolvePath(process.env.TEST_NODE || process.execPath), limitMs = LIMIT_MS, onSpawn } = options
	// Node's own exit status for a missing script is 1, which a test could take for a verdict.
	if (!existsSync(script)) throw new Error(`${script} does not exist. Build first: npm run build`)
	return new Promise((resolve, reject) => {
		// Its own process group, so that the limit ends grandchildren too.
		const child = spawn(node, [script, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
		const printed = { stdout: '', stderr: '' }
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			printed.stdout += text
		})
		child.stderr.setEncoding('utf8').on('data', (text: string) => {
			printed.stderr += text
		})
		const limit = setTimeout(() => {
			killGroup(child)
			child.stdout.destroy()
			child.stderr.destroy()
			const output = `--- stdout\n${printed.stdout}\n--- stderr\n${printed.stderr}`
			reject(new Error(`${script} or a child of it was still running after ${limitMs} ms.\n${output}`))
		}, limitMs)
		child.on('error', (error) => {
			clearTimeout(limit)
			reject(error)
		})
		// Not 'exit': output may still come, and a grandchild that holds the pipes open is a fault to see.
		child.on('close', (exitCode, signal) => {
			clearTimeout(limit)
			resolve({ exitCode, signal, ...printed })
		})
		onSpawn?.(child)
	})
}

function killGroup({ pid }: ChildProcess): void {
	if (pid === undefined) return
	try {
		process.kill(-pid, 'SIGKILL')
	} catch {
		// Nothing of the group is left.
	}
}
