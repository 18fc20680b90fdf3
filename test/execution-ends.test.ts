/** How an agent's process may end. Whatever is not "exit status 0 with something to show" leaves its eval unmeasured, and the others graded. */
import { chmodSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DONE, evalOf, findProcesses, isRunning, makeRepository, runGate, shell } from './execution-support.ts'

const LIMIT = { timeout: 60_000 }
const TIMEOUT_SECONDS = '4'

type Ending = { name: string; script: string; failure?: string | RegExp; outcome?: string; leaves?: boolean }

/** None runs for ever even if nobody ends it: a fault that these tests find must not stay on the machine. */
const WAIT = 'sleep 90'
const DEAF = 'for i in $(seq 90); do sleep 1; done'

/** `leaves`: it writes the id of a process that must be gone afterwards. All but the second have done their work. */
const ENDINGS: Ending[] = [
	{ name: 'by itself', script: 'true', outcome: 'pass' },
	{
		name: 'with nothing done',
		script: 'rm outputs/done.txt',
		failure: 'the agent left neither a file in outputs/ nor a final message',
	},
	{ name: 'with blanks printed', script: 'rm outputs/done.txt; echo; printf " \\t\\n"', failure: /^the agent left neither/ },
	{ name: 'with exit status 3', script: 'echo why >&2; exit 3', failure: 'the agent ended with exit status 3' },
	{ name: 'with exit status 255', script: 'exit 255', failure: 'the agent ended with exit status 255' },
	{ name: 'killed', script: 'kill -9 $$', failure: 'the agent was ended by SIGKILL' },
	{ name: 'terminated', script: 'kill -15 $$', failure: 'the agent was ended by SIGTERM' },
	{ name: 'never', script: `note $$; ${WAIT}`, failure: `the agent timed out after ${TIMEOUT_SECONDS} s`, leaves: true },
	{ name: 'busily never', script: 'note $$; ulimit -t 90; while :; do :; done', failure: /timed out/, leaves: true },
	{
		name: 'never, and deaf to SIGTERM',
		script: `trap "" TERM INT HUP; note $$; ${DEAF}`,
		failure: /timed out/,
		leaves: true,
	},
	{ name: 'never, with a grandchild', script: `sh -c "${WAIT}; :" & note $!; wait`, failure: /timed out/, leaves: true },
	{
		name: 'never, with an escaped grandchild',
		script: `setsid ${WAIT} & note $!; wait`,
		failure: /timed out/,
		leaves: true,
	},
	{
		name: 'on SIGTERM, leaving a deaf grandchild',
		script: `(trap "" TERM; ${DEAF}) & note $!; trap "exit 0" TERM; wait`,
		failure: /timed out/,
		leaves: true,
	},
	// These left something running, but ended well.
	{ name: 'while a grandchild keeps stdout open', script: `${WAIT} & note $!`, outcome: 'pass', leaves: true },
	{ name: 'while an escaped one keeps stdout open', script: `setsid ${WAIT} & note $!`, outcome: 'pass', leaves: true },
	{
		name: 'while escaped ones start one another',
		script: `setsid sh -c 'for i in $(seq 200); do setsid ${WAIT} & done' & note $!; sleep 0.05`,
		outcome: 'pass',
		leaves: true,
	},
	{ name: 'well, with the wrong work', script: 'mv outputs/done.txt outputs/other.txt', outcome: 'fail' },
]

describe('an agent ends', () => {
	const tree = makeRepository(ENDINGS.map(({ script }, at) => ({ prompt: `${at + 1} ${script}` })))
	afterAll(() => tree.remove())
	const agent = `
		read -r id script; dir=$1
		note() { echo $1 > "$dir/pid-$id"; }
		echo done > outputs/done.txt
		eval "$script"`
	let ended: Awaited<ReturnType<typeof runGate>>
	beforeAll(async () => {
		ended = await runGate(tree, shell(tree, agent), { flags: ['--timeout', TIMEOUT_SECONDS, '--concurrency', '20'] })
	}, LIMIT.timeout)

	test.each(ENDINGS.map((ending, at) => ({ id: at + 1, ...ending })))('$name', ({ id, failure, outcome, leaves }) => {
		const { failure: sentence, outcome: measured, assertions } = evalOf(ended.result, id)
		if (failure === undefined) expect({ sentence, measured }).toEqual({ sentence: undefined, measured: outcome })
		else {
			expect(sentence).toEqual(typeof failure === 'string' ? failure : expect.stringMatching(failure))
			expect(assertions.map((row) => row.outcome)).toEqual(['error'])
			expect(tree.json(`results/x/eval-${id}/grading.json`)).toMatchObject({ summary: { passed: 0, not_measured: 1 } })
		}
		if (leaves) expect(isRunning(tree.read(`pid-${id}`))).toBe(false)
	})

	test('and nothing that came from it is left', () => {
		expect(findProcesses(tree.path('tmp'))).toEqual([])
	})

	test('broken and failed ones together: incomplete, and both are listed', () => {
		const broken = ENDINGS.filter(({ failure }) => failure !== undefined).length
		expect(ended.exitCode).toBe(2)
		expect(ended.result.verdict).toBe('incomplete')
		const count = (verdict: string) => ended.result.reasons.filter((reason) => reason.verdict === verdict).length
		expect({ broken: count('incomplete'), failed: count('fail') }).toEqual({ broken, failed: 1 })
		expect(ended.result.counts.all).toMatchObject({ expected: ENDINGS.length, errors: broken, failed: 1 })
		expect(ended.result.reasons.find(({ sentence }) => sentence.includes('exit status 3'))?.quotes).toEqual(['why'])
	})
})

test.each([
	['is missing', ['/nonexistent/agent'], 'there is no such program on the PATH'],
	['is not on the PATH', ['no-such-program-x'], 'there is no such program on the PATH'],
	['is not executable', ['./plain'], 'the program is not executable'],
	['is a directory', ['/'], 'the program is not executable'],
	[
		'gets more in one argument than the system takes',
		['true', '{prompt}'],
		'its arguments are too long; pass the prompt by standard input',
	],
	['gets a NUL character', ['true', 'a{prompt}', '\0'], 'null bytes'],
])('a program that %s: nothing is measured', LIMIT, async (_name, argv, why) => {
	await using tree = makeRepository([{ prompt: 'x'.repeat(200_000) }, {}], { plain: 'no program' })
	chmodSync(tree.path('plain'), 0o644)
	const agent = argv.map((argument) => argument.replace('./', `${tree.dir}/`))
	const { exitCode, result } = await runGate(tree, agent)
	expect({ exitCode, verdict: result.verdict }).toEqual({ exitCode: 2, verdict: 'incomplete' })
	const { failure, durationMs } = evalOf(result, 1)
	expect(failure).toContain('the agent could not be started (')
	expect(failure).toContain(why)
	expect(durationMs).toBeUndefined()
})

test('a flood without line ends costs no memory, and what was done counts', LIMIT, async () => {
	const said = { text: 'Nothing bad is said', grader: 'not-contains', options: { value: 'bad' }, target: 'last-message' }
	await using tree = makeRepository([{ prompt: 'flood', assertions: [DONE, said] }, { prompt: 'look' }])
	// The second one looks at the memory that the program has needed so far.
	const script = `
		read -r what
		if [ $what = flood ]; then
			head -c 2000000 /dev/zero | tr "\\0" a; printf bad; head -c 400000000 /dev/zero | tr "\\0" b; echo the end
			head -c 100000000 /dev/zero | tr "\\0" e >&2
		else grep VmHWM /proc/$PPID/status > outputs/memory.txt; fi
		echo ok > outputs/done.txt`
	const { exitCode, result } = await runGate(tree, shell(tree, script), { flags: ['--concurrency', '1'] })
	const [done, quiet] = evalOf(result, 1).assertions
	expect(done?.outcome).toBe('pass')
	// The bad word stands where the output was cut: nobody may say that it is not there.
	expect(quiet?.outcome).toBe('error')
	expect(exitCode).toBe(2)
	const peakKilobytes = Number(/\d+/.exec(tree.read('results/x/eval-2/outputs/memory.txt'))?.[0])
	expect(peakKilobytes).toBeLessThan(250_000)
	const transcript = tree.read('results/x.runs/eval-1/with_skill/run-1/transcript.txt')
	expect(transcript.length).toBeLessThan(1_300_000)
	expect(transcript).toMatch(/^a{500000}a*\n… \d+ bytes left out …\nb+the end\n$/)
	expect(tree.read('results/x.runs/eval-1/with_skill/run-1/stderr.log').length).toBeLessThan(1_300_000)
})

test('a flood alone is no final message', LIMIT, async () => {
	await using tree = makeRepository([{}])
	const { exitCode, result } = await runGate(tree, shell(tree, 'head -c 3000000 /dev/zero | tr "\\0" a'))
	expect(exitCode).toBe(2)
	expect(evalOf(result, 1).failure).toBe('the agent left neither a file in outputs/ nor a final message')
})

test('an agent that closes its input at once, with a prompt larger than a pipe', LIMIT, async () => {
	await using tree = makeRepository([{ prompt: 'y'.repeat(1_000_000) }])
	const { exitCode, stderr } = await runGate(tree, shell(tree, 'exec <&-; echo ok > outputs/done.txt'))
	expect(exitCode, stderr).toBe(0)
})

test('a character that arrives in two pieces stays one', LIMIT, async () => {
	await using tree = makeRepository([{}])
	await runGate(tree, shell(tree, 'printf "\\303"; sleep 0.2; printf "\\251"; printf "\\377"; echo ok > outputs/done.txt'))
	expect(tree.read('results/x.runs/eval-1/with_skill/run-1/transcript.txt')).toBe('é\ufffd')
})
