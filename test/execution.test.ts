import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evalOf, findBytes, makeRepository, runGate, shell } from './execution-support.ts'

const LIMIT = { timeout: 60_000 }
const PROMPT = 'Fill $& in, not $1 nor $$ nor `id`.'

/** Writes down everything that an agent can see, without judging it. */
const LOOKER = `
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
const files = readdirSync('.', { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
const paths = files.map((entry) => [entry.parentPath ?? entry.path, entry.name].join('/').replace(/^\\.\\//, '')).sort()
const contents = Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]))
const seen = { cwd: process.cwd(), env: process.env, argv: process.argv.slice(2), stdin: readFileSync(0, 'utf8'), contents }
writeFileSync('outputs/seen.json', JSON.stringify(seen))
writeFileSync('left-behind.txt', 'from an earlier run')
if (process.argv[2] === 'report') writeFileSync(process.env.SKILL_EVAL_REPORT, JSON.stringify({ message: 'reported', total_tokens: 4321 }))
console.log('{"type":"result"}')
console.error('a word to stderr')
`

type Seen = {
	cwd: string
	env: Record<string, string>
	argv: string[]
	stdin: string
	contents: Record<string, string>
}

const SEEN = { text: 'CANARY-ASSERTION', grader: 'file-exists', options: { path: 'seen.json' } }
const BASELINE = { assertion_results: [{ text: SEEN.text, passed: true, evidence: 'CANARY-BASELINE' }] }
const SECRETS = {
	CANARY_SECRET: 'canary-1',
	GITHUB_TOKEN: 'canary-2',
	GITHUB_OUTPUT: '/tmp/canary-3',
	GITHUB_ENV: '/tmp/canary-4',
	INPUT_GITHUB_TOKEN: 'canary-5',
	ACTIONS_RUNTIME_TOKEN: 'canary-6',
	NPM_TOKEN: 'canary-7',
	ANTHROPIC_API_KEY: 'canary-8',
	RUNNER_TEMP: '/tmp/canary-9',
	NAMED_TOO: 'canary-10',
	NODE_OPTIONS: '--no-warnings',
}

const withCanary = (contents: Seen['contents']) => Object.keys(contents).filter((path) => contents[path]?.includes('CANARY'))

describe('what an agent gets', () => {
	const tree = makeRepository(
		[
			{ prompt: PROMPT, files: ['files/in.txt', 'lib/data.txt'], assertions: [SEEN], expected_output: 'CANARY-EXPECTED' },
			{ prompt: 'second', files: ['./more'], assertions: [SEEN] },
		],
		{
			'agent.mjs': LOOKER,
			'skills/x/scripts/tool.sh': 'echo tool\n',
			'skills/x/lib/data.txt': 'of the skill',
			'skills/x/evals/files/in.txt': 'input',
			'skills/x/evals/files/other.txt': 'CANARY-OTHER-FILE',
			'skills/x/evals/more/deep/a.txt': 'a',
			'skills/x/evals/baselines/latest/eval-1/grading.json': BASELINE,
			'skills/x/node_modules/p/index.js': 'CANARY-MODULES',
			'skills/x/.git/config': 'CANARY-GIT',
			'skills/x/secret-link': { link: '/proc/self/environ' },
			'elsewhere.txt': 'CANARY-REPOSITORY',
		},
	)
	afterAll(() => tree.remove())
	const see = (id: number) => tree.json(`results/x/eval-${id}/outputs/seen.json`) as Seen
	const kept = (id: number, file: string) => tree.path('results/x.runs', `eval-${id}`, 'with_skill/run-1', file)
	let ended: Awaited<ReturnType<typeof runGate>>
	beforeAll(async () => {
		const agent = [process.execPath, tree.path('agent.mjs'), 'report', '<{prompt}|{prompt}>']
		const flags = ['--agent-env', 'NAMED\nNOT_SET', '--baseline', 'skills/x/evals/baselines/latest', '--concurrency', '1']
		ended = await runGate(tree, agent, { flags, env: { ...SECRETS, NAMED: 'named', LANG: 'C', HTTPS_PROXY: 'http://proxy' } })
	}, LIMIT.timeout)

	test('its outputs are graded and kept, one line of progress an eval', () => {
		expect(ended.exitCode, ended.stderr).toBe(0)
		expect(ended.result.counts.all).toMatchObject({ expected: 2, passed: 2 })
		expect(ended.stderr).toMatch(/^1\/2 x eval-1: 1 of 1 passed · [\d.]+ s · 4321 tokens$/m)
		expect(ended.stderr).toMatch(/^2\/2 x eval-2: 1 of 1 passed/m)
	})

	test('the prompt arrives literally on standard input and in each argument', () => {
		const { stdin, argv } = see(1)
		expect(stdin.split('\n')[0]).toBe(PROMPT)
		expect(stdin).toContain('- files/in.txt\n- lib/data.txt\n')
		expect(argv).toEqual(['report', `<${stdin}|${stdin}>`])
		expect(stdin).not.toContain('CANARY')
	})

	test('its own files, the skill twice without evals, an empty outputs/, and nothing else of the repository', () => {
		const skill = ['SKILL.md', 'lib/data.txt', 'scripts/tool.sh']
		const places = (place: string) => skill.map((file) => `${place}/skills/x/${file}`)
		const expected = [...places('.agents'), ...places('.claude')]
		expect(Object.keys(see(1).contents)).toEqual([...expected, 'files/in.txt', 'lib/data.txt'])
		expect(Object.keys(see(2).contents)).toEqual([...expected, 'more/deep/a.txt'])
		expect(see(1).contents['files/in.txt']).toBe('input')
		for (const id of [1, 2]) expect(withCanary(see(id).contents)).toEqual([])
	})

	test('its environment is a list of ours and the names that the user gave', () => {
		const { env } = see(1)
		const own = ['SKILL_EVAL_GATE_PROCESS', 'SKILL_EVAL_REPORT', 'SKILL_EVAL_SKILL', 'SKILL_EVAL_SKILL_PATH']
		expect(Object.keys(env).sort()).toEqual(['HOME', 'HTTPS_PROXY', 'LANG', 'NAMED', 'PATH', ...own, 'TMPDIR'].sort())
		expect(env).toMatchObject({ NAMED: 'named', SKILL_EVAL_SKILL: 'x', SKILL_EVAL_SKILL_PATH: '.agents/skills/x' })
		expect(findBytes(tree.path('results'), 'canary-')).toEqual([])
		expect(`${ended.stdout}${ended.stderr}`).not.toContain('canary-')
	})

	test('its directory is fresh, outside the repository’s files, and gone afterwards', () => {
		expect(see(1).cwd).not.toBe(see(2).cwd)
		for (const id of [1, 2]) expect(existsSync(see(id).cwd)).toBe(false)
		expect(readdirSync(tree.path('tmp'))).toEqual(['keep'])
	})

	test('transcript, stderr, timing and grading of the run are kept', () => {
		expect(tree.read('results/x.runs/eval-1/with_skill/run-1/transcript.jsonl')).toBe('{"type":"result"}\n')
		expect(tree.read('results/x.runs/eval-1/with_skill/run-1/stderr.log')).toBe('a word to stderr\n')
		expect(existsSync(kept(1, 'outputs/seen.json'))).toBe(true)
		const timing = tree.json('results/x/eval-1/timing.json') as Record<string, number>
		expect(timing).toEqual({ total_tokens: 4321, duration_ms: expect.any(Number), total_duration_seconds: expect.any(Number) })
		expect(timing.duration_ms).toBeGreaterThan(0)
		expect(tree.read('results/x.runs/eval-1/with_skill/run-1/timing.json')).toBe(tree.read('results/x/eval-1/timing.json'))
		expect(tree.json('results/x/eval-1/grading.json')).toMatchObject({ summary: { passed: 1, failed: 0, total: 1 } })
	})
})

test('without a report: what was printed is the message, tokens are unknown, the transcript is text', LIMIT, async () => {
	const said = { text: 'says so', grader: 'contains', options: { value: 'All done' }, target: 'last-message' }
	await using tree = makeRepository([{ assertions: [said] }])
	const { exitCode, result } = await runGate(tree, shell(tree, 'echo "null"; echo "All done."'))
	expect({ exitCode, verdict: result.verdict }).toEqual({ exitCode: 0, verdict: 'pass' })
	expect(tree.read('results/x/eval-1/outputs/response.md')).toBe('null\nAll done.')
	expect(tree.read('results/x.runs/eval-1/with_skill/run-1/transcript.txt')).toBe('null\nAll done.\n')
	expect(Object.keys(tree.json('results/x/eval-1/timing.json') as object)).toEqual(['duration_ms', 'total_duration_seconds'])
	expect(evalOf(result, 1).totalTokens).toBeUndefined()
})

test('never more runs at once than allowed, and as many as allowed', LIMIT, async () => {
	await using tree = makeRepository([1, 2, 3, 4, 5, 6].map(() => ({})))
	// The first two wait for each other, so that one at a time would time out; the pause lets a third one in, if one may come.
	const script = `
		read -r _ id; echo "+" >> "$1/marks"; : > "$1/here-$id"
		case $id in 1) other=2;; 2) other=1;; *) other=$id;; esac
		until [ -e "$1/here-$other" ]; do sleep 0.02; done
		sleep 0.2; echo "-" >> "$1/marks"; echo ok > outputs/done.txt`
	const { exitCode, stderr } = await runGate(tree, shell(tree, script), { flags: ['--concurrency', '2', '--timeout', '20'] })
	expect(exitCode, stderr).toBe(0)
	let running = 0
	const levels = tree
		.read('marks')
		.trim()
		.split('\n')
		.map((mark) => (running += mark === '+' ? 1 : -1))
	expect(Math.max(...levels)).toBe(2)
	expect(levels).toHaveLength(12)
})

describe('a skill in another place', () => {
	const assertions = [SEEN]

	test('beside its evals: the skill is staged, the evals are not', LIMIT, async () => {
		await using tree = makeRepository([], {
			'agent.mjs': LOOKER,
			'evals/y/SKILL.md': '---\nname: y\n---\nDo y.\n',
			'evals/y/tool.sh': 'echo y\n',
			'evals/y/evals.json': { skill_name: 'y', evals: [{ id: 1, prompt: 'do', assertions }] },
			'evals/y/baselines/latest/eval-1/grading.json': BASELINE,
		})
		const flags = ['--evals', 'evals/y/evals.json', '--baseline', 'evals/y/baselines/latest']
		const { stderr } = await runGate(tree, [process.execPath, tree.path('agent.mjs')], { flags })
		const { contents, stdin } = tree.json('results/y/eval-1/outputs/seen.json') as Seen
		expect(stdin, stderr).toContain('.agents/skills/y/SKILL.md')
		expect(Object.keys(contents).filter((path) => path.startsWith('.agents'))).toEqual([
			'.agents/skills/y/SKILL.md',
			'.agents/skills/y/tool.sh',
		])
		expect(withCanary(contents)).toEqual([])
	})

	test.each(['results/{skill}', 'plain'])(
		'at the root of the repository: neither results in %s nor evals nor a baseline are staged',
		LIMIT,
		async (workspace) => {
			await using tree = makeRepository([], {
				'agent.mjs': LOOKER,
				'SKILL.md': '---\nname: z\n---\nDo z.\n',
				'tests/z.json': { skill_name: 'z', evals: [1, 2].map((id) => ({ id, prompt: 'do', assertions })) },
				'past/z/eval-1/grading.json': BASELINE,
			})
			await using outside = makeRepository([])
			const flags = ['--evals', 'tests/z.json', '--baseline', 'past/{skill}', '--concurrency', '1', '--workspace', workspace]
			const seen = tree.path(workspace.replace('{skill}', 'z'), 'eval-2/outputs/seen.json')
			// The second time, what the first one left behind is there too.
			for (const time of ['first', 'second']) {
				await runGate(tree, [process.execPath, tree.path('agent.mjs')], { env: { TMPDIR: outside.path('tmp') }, flags })
				const { contents } = JSON.parse(readFileSync(seen, 'utf8')) as Seen
				expect(Object.keys(contents)).toContain('.agents/skills/z/SKILL.md')
				expect(withCanary(contents), time).toEqual([])
			}
		},
	)
})

test('two evals that declare the same eval file do not share it', LIMIT, async () => {
	await using tree = makeRepository([{ files: ['in.txt'] }, { files: ['in.txt'] }], { 'skills/x/evals/in.txt': 'first' })
	const script = 'cat in.txt > outputs/done.txt; echo changed > in.txt'
	await runGate(tree, shell(tree, script), { flags: ['--concurrency', '1'] })
	expect(tree.read('results/x/eval-2/outputs/done.txt')).toBe('first')
	expect(tree.read('skills/x/evals/in.txt')).toBe('first')
})
