/** A job that is cancelled decides nothing, says so in its workspace, and leaves nothing running. */
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import {
	DONE,
	findBytes,
	findProcesses,
	isRunning,
	LIMIT_MS,
	makePipes,
	makeRepository,
	readPipes,
	runGate,
	shell,
} from './execution-support.ts'
import { runAction } from './support/program.ts'
import type { Tree } from './support/tree.ts'

const LIMIT = { timeout: 60_000 }
const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Three that never end, each in its own way, and a fourth that must not start. Each says its processes' ids through a pipe. */
const AGENT = `
	deaf() { for i in $(seq 90); do sleep 1; done; }
	read -r _ id; echo done > outputs/done.txt
	echo $id >> "$1/started"
	case $id in
	1) echo $$ > "$1/ready-1"; exec sleep 90;;
	2) setsid sleep 90 & inner=$!; echo $$ $inner > "$1/ready-2"; wait;;
	3) trap "" TERM INT HUP; deaf & inner=$!; echo $$ $inner > "$1/ready-3"; deaf;;
	esac`

const trees: Tree[] = []
afterAll(() => {
	for (const tree of trees) tree.remove()
})

function makeTrees(): { tree: Tree; pipes: string[] } {
	// A verdict of another day must not be found either.
	const tree = makeRepository([{}, {}, {}, {}], { 'results/result.json': { verdict: 'pass' } })
	trees.push(tree)
	return { tree, pipes: makePipes(tree, ['ready-1', 'ready-2', 'ready-3']) }
}

/** Starts the program, waits until its agents are there, sends the signal, and waits for the end. */
async function interrupt<T extends { stdout: string; stderr: string }>(
	start: (onSpawn: (child: ChildProcess) => void) => Promise<T>,
	pipes: string[],
	signal: NodeJS.Signals,
): Promise<{ ended: T; pids: string[] }> {
	let kill: () => void = () => {}
	const program = start((child) => {
		kill = () => child.kill(signal)
	})
	const pids = (await readPipes(pipes, program)).flatMap((text) => text.trim().split(' '))
	// By their entries, not their environments: one that is just changing into another program has none for a moment.
	expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual(pids)
	kill()
	return { ended: await program, pids }
}

function expectNothing(tree: Tree, pids: string[]): void {
	expect(pids).toHaveLength(5)
	expect(pids.filter(isRunning)).toEqual([])
	expect(findProcesses(tree.path('tmp'))).toEqual([])
	expect(tree.read('started').trim().split('\n').sort()).toEqual(['1', '2', '3'])
	expect(findBytes(tree.path('results'), '"passed": true')).toEqual([])
	expect(findBytes(tree.path('results'), '"verdict": "pass"')).toEqual([])
	expectUnfinished(tree)
}

/** Whoever looks into the workspace afterwards reads that nothing is decided. */
function expectUnfinished(tree: Tree): void {
	expect(tree.json('results/result.json')).toMatchObject({ verdict: 'incomplete', evals: { graded: 0 } })
	expect(tree.read('results/x/summary.md')).toContain('⚠️ incomplete: 0 of')
	expect(tree.read('results/x/summary.md')).toContain('this job did not come to its end')
}

describe.each(SIGNALS)('%s while agents run', (signal) => {
	test('ends the command with 130, without a verdict', LIMIT, async () => {
		const { tree, pipes } = makeTrees()
		const flags = ['--concurrency', '3']
		const { ended, pids } = await interrupt((onSpawn) => runGate(tree, shell(tree, AGENT), { flags, onSpawn }), pipes, signal)
		expect({ exitCode: ended.exitCode, stdout: ended.stdout }).toEqual({ exitCode: 130, stdout: '' })
		expect(ended.stderr).toContain('cancelled: there is no verdict')
		expect(ended.stderr).not.toMatch(/\bpass/)
		expectNothing(tree, pids)
	})

	test('ends the Action with 130, without a verdict', LIMIT, async () => {
		const { tree, pipes } = makeTrees()
		const inputs = { evals: 'skills/x/evals/evals.json', workspace: 'results/{skill}', concurrency: '3' }
		const start = (onSpawn: (child: ChildProcess) => void) =>
			runAction({
				cwd: tree.dir,
				env: { TMPDIR: tree.path('tmp') },
				inputs: { ...inputs, 'agent-command': JSON.stringify(shell(tree, AGENT)) },
				limitMs: LIMIT_MS,
				onSpawn,
			})
		const { ended, pids } = await interrupt(start, pipes, signal)
		expect(ended.exitCode).toBe(130)
		expect(ended.outputs).toEqual({})
		expect(ended.summary).toBe('')
		expect(ended.commands).toMatchObject([{ name: 'error', data: 'cancelled: there is no verdict' }])
		expectNothing(tree, pids)
	})
})

describe.each(['judge', 'grader'])('SIGTERM while a %s runs', (who) => {
	test('ends it too', LIMIT, async () => {
		const stuck = (tree: Tree) => shell(tree, 'setsid sleep 90 & echo $$ $! > "$1/ready"; wait')
		const tree = makeRepository([])
		trees.push(tree)
		const assertion =
			who === 'judge' ? 'It is good' : { text: 'It is good', grader: 'command', options: { command: stuck(tree) } }
		tree.write({
			'skills/x/evals/evals.json': { skill_name: 'x', evals: [{ id: 1, prompt: 'do', assertions: [DONE, assertion] }] },
		})
		const pipes = makePipes(tree, ['ready'])
		const flags = who === 'judge' ? ['--judge', 'command', '--judge-command', JSON.stringify(stuck(tree))] : []
		const agent = shell(tree, 'echo ok > outputs/done.txt')
		const { ended, pids } = await interrupt((onSpawn) => runGate(tree, agent, { flags, onSpawn }), pipes, 'SIGTERM')
		expect(ended.exitCode).toBe(130)
		expect(pids.filter(isRunning)).toEqual([])
		expect(findBytes(tree.path('results'), '"verdict": "pass"')).toEqual([])
		expectUnfinished(tree)
	})
})
