/** The same evals without the skill: they show what the skill is good for, and decide nothing. */
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DONE, type EvalFile, makeRepository, runGate, shell } from './execution-support.ts'
import { loadRuns, summarise } from './support/aggregator.ts'
import type { TreeFile } from './support/tree.ts'

const LIMIT = { timeout: 60_000 }
const BOTH = ['--arms', 'with_skill, without_skill']
const THREE = [{ prompt: 'easy' }, { prompt: 'hard' }, { prompt: 'spoilt' }]
/** Whoever has the skill does the hard task and not the spoilt one. */
const AGENT = `
read -r task
test -d .claude/skills && has=yes
case "$task$has" in hard|spoiltyes) echo other >outputs/other.txt ;; *) echo done >outputs/done.txt ;; esac
echo "{\\"total_tokens\\": 100}" >"$SKILL_EVAL_REPORT"
`

type Arm = {
	passRate?: number
	tokens?: number
	delta: object
	noSignal: string[]
	worse: string[]
	notMeasured: string[]
	shared: object
}
const armOf = (result: object) => (result as { suites: { otherSkill?: Arm }[] }).suites[0]?.otherSkill

describe('with and without the skill', () => {
	test('both are in the benchmark and in the summary, and only the runs with the skill decide', LIMIT, async () => {
		await using tree = makeRepository(THREE)
		const { exitCode, result, stderr } = await runGate(tree, shell(tree, AGENT), { flags: BOTH })
		expect(exitCode, stderr).toBe(1)
		expect(result.reasons.map(({ where }) => where)).toEqual(['x eval-3 assertion 1'])
		expect(result.counts.all).toMatchObject({ expected: 3, passed: 2 })
		expect(armOf(result)).toMatchObject({ noSignal: ['1'], worse: ['3'], notMeasured: [], shared: { passed: 1, measured: 3 } })
		expect(stderr).toContain('x eval-2 without the skill: 0 of 1 passed')

		const benchmark = tree.json('results/x/benchmark.json') as { runs: { configuration: string }[]; run_summary: object }
		expect(Object.keys(benchmark.run_summary)).toEqual(
			expect.arrayContaining(['with_skill', 'without_skill', 'delta', 'pass_rate', 'time_seconds']),
		)
		expect(Object.keys(benchmark.run_summary).slice(0, 4)).toEqual(['with_skill', 'without_skill', 'delta', 'pass_rate'])
		expect(benchmark.runs.map(({ configuration }) => configuration)).toEqual([
			...['with_skill', 'with_skill', 'with_skill'],
			...['without_skill', 'without_skill', 'without_skill'],
		])
		expect(benchmark.run_summary).toMatchObject({ delta: { pass_rate: '+0.00' }, pass_rate: { mean: 0.67 } })

		const summary = tree.read('results/x/summary.md')
		expect(summary).toContain('- eval-1 passes without the skill too: no signal')
		expect(summary).toContain('- better without the skill: eval-3')
		// What skill-creator's aggregator finds beside the workspace is the same.
		const found = loadRuns(tree.path('results/x.runs'))
		expect([...found.keys()]).toEqual(['with_skill', 'without_skill'])
		for (const [name, runs] of found) {
			const { pass_rate } = (benchmark.run_summary as Record<string, { pass_rate: { mean: number } }>)[name] ?? {}
			expect(summarise(runs.map(({ passRate }) => passRate)).mean, name).toBe(pass_rate?.mean)
		}
		// The agent without the skill has not seen it, and its outputs are not those that the gate judges.
		expect(existsSync(tree.path('results/x/eval-2/outputs/done.txt'))).toBe(true)
		expect(existsSync(tree.path('results/x.runs/eval-2/without_skill/run-1/outputs/done.txt'))).toBe(false)
	})

	test('nothing that happens without the skill turns the check red, or green', LIMIT, async () => {
		await using tree = makeRepository([{}])
		const broken = 'test -d .claude/skills || exit 9\necho done >outputs/done.txt'
		const { exitCode, result, stderr } = await runGate(tree, shell(tree, broken), { flags: BOTH })
		expect(exitCode, stderr).toBe(0)
		expect(armOf(result)).toMatchObject({ noSignal: [], worse: [], notMeasured: ['1'], delta: {} })
		expect(tree.read('results/x/summary.md')).toContain('not measured without the skill, and not compared: eval-1')

		const reversed = 'test -d .claude/skills && exit 9\necho done >outputs/done.txt'
		const lost = await runGate(tree, shell(tree, reversed), { flags: BOTH })
		expect(lost.exitCode).toBe(2)
		expect(armOf(lost.result)).toMatchObject({ noSignal: [], worse: [] })
	})

	test('a command that grades sees the outputs of its own arm', LIMIT, async () => {
		const command = ['sh', '-c', 'test -e "$0/done.txt"', '{outputs}']
		await using tree = makeRepository([{ assertions: [{ text: 'done', grader: 'command', options: { command } }, DONE] }])
		const agent = 'test -d .claude/skills && echo done >outputs/done.txt || echo x >outputs/other.txt'
		const { exitCode, result, stderr } = await runGate(tree, shell(tree, agent), { flags: BOTH })
		expect(exitCode, stderr).toBe(0)
		expect(armOf(result)).toMatchObject({ passRate: 0, noSignal: [], shared: { passed: 0, measured: 2 } })
	})

	test('a budget is used up by the runs without the skill last', LIMIT, async () => {
		await using tree = makeRepository(THREE.slice(0, 2))
		const flags = [...BOTH, '--max-tokens', '250', '--concurrency', '1']
		const { exitCode, result, stderr } = await runGate(tree, shell(tree, AGENT), { flags })
		expect(exitCode, stderr).toBe(0)
		expect(armOf(result)).toMatchObject({ notMeasured: ['2'] })
	})

	test.each([
		['without_skill', /with_skill must be among them/],
		['with_skill, new_skill', /"arms" must be with_skill or without_skill or old_skill/],
		['with_skill, without_skill, old_skill', /compare with without_skill or with old_skill, not with both/],
		['with_skill\nwithout_skill', /"arms" has an effect only where an agent runs/, ['--mode', 'report']],
	] as [string, RegExp, string[]?][])('%j is refused', LIMIT, async (arms, message, flags = []) => {
		await using tree = makeRepository([{}])
		const { exitCode, stderr } = await runGate(tree, flags.length > 0 ? undefined : shell(tree, 'true'), {
			flags: ['--arms', arms],
		})
		expect(exitCode).toBe(3)
		expect(stderr).toMatch(message)
	})

	test('without a skill there is none to leave out', LIMIT, async () => {
		await using tree = makeRepository([{}])
		rmSync(tree.path('skills/x/SKILL.md'))
		const { exitCode, result } = await runGate(tree, shell(tree, 'echo done >outputs/done.txt'), { flags: BOTH })
		expect(exitCode).toBe(3)
		expect(result.problems.map(({ code }) => code)).toContain('skill-missing')
	})
})

describe('with the skill of the base commit', () => {
	const OLD = ['--arms', 'with_skill, old_skill']
	const SKILL = (text: string) => ({ 'skills/x/SKILL.md': `---\nname: x\ndescription: d\n---\n${text}\n` })
	/** Does what the skill says, by its program. */
	const FOLLOW = 'sh .claude/skills/x/do.sh; test -d .claude/skills/x/evals && touch outputs/saw-evals; true'

	async function makeCommits(before: Record<string, TreeFile>, after: Record<string, TreeFile>, evals: EvalFile[] = [{}, {}]) {
		const tree = makeRepository(evals)
		const git = (...parameters: string[]) =>
			execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...parameters], {
				cwd: tree.dir,
				encoding: 'utf8',
			}).trim()
		git('init', '-q')
		if (Object.keys(before).length === 0) rmSync(tree.path('skills/x/SKILL.md'))
		tree.write(before)
		git('add', '-A')
		git('commit', '-qm', 'base')
		const base = git('rev-parse', 'HEAD')
		tree.write(after)
		git('add', '-A')
		git('commit', '-qm', 'head')
		return { ...tree, base }
	}

	test('its program runs, its evals are not shown, and the benchmark names the commit', LIMIT, async () => {
		await using tree = await makeCommits(
			{ ...SKILL('old'), 'skills/x/do.sh': 'echo old >outputs/old.txt' },
			{ ...SKILL('new'), 'skills/x/do.sh': 'echo done >outputs/done.txt' },
		)
		const { exitCode, result, stderr } = await runGate(tree, shell(tree, FOLLOW), { flags: [...OLD, '--base-ref', tree.base] })
		expect(exitCode, stderr).toBe(0)
		expect(armOf(result)).toMatchObject({ arm: 'old_skill', passRate: 0, noSignal: [], delta: { passRate: 1 } })
		expect(tree.read('results/x.runs/eval-1/old_skill/run-1/outputs/old.txt')).toBe('old\n')
		expect(existsSync(tree.path('results/x.runs/eval-1/old_skill/run-1/outputs/saw-evals'))).toBe(false)
		const benchmark = tree.json('results/x/benchmark.json') as { metadata: object; run_summary: object; notes: string[] }
		expect(benchmark.metadata).toMatchObject({ old_skill_commit: tree.base })
		expect(Object.keys(benchmark.run_summary).slice(0, 3)).toEqual(['with_skill', 'old_skill', 'delta'])
		expect(benchmark.notes.join()).toContain(`with the old skill of commit ${tree.base}`)
		expect(tree.read('results/x/summary.md')).toContain('**With the old skill:** 0%')
		expect(stderr).toContain('x eval-2 with the old skill: 0 of 1 passed')
	})

	test('what only the old one can do blocks, and what both can do is no difference', LIMIT, async () => {
		await using tree = await makeCommits(
			{ ...SKILL('old'), 'skills/x/do.sh': 'echo done >outputs/done.txt' },
			{ ...SKILL('new'), 'skills/x/do.sh': 'echo other >outputs/other.txt' },
			[{}, { assertions: [{ text: 'any', grader: 'file-not-exists', options: { path: 'never.txt' } }] }],
		)
		const { exitCode, result } = await runGate(tree, shell(tree, FOLLOW), { flags: [...OLD, '--base-ref', tree.base] })
		expect(exitCode).toBe(1)
		expect(armOf(result)).toMatchObject({ worse: ['1'], noSignal: ['2'] })
		expect(tree.read('results/x/summary.md')).toContain('- better with the old skill: eval-1')
		expect(tree.read('results/x/summary.md')).toContain('- eval-2 passes with the old skill too: no difference')
	})

	test.each([
		['the skill is new', {}, 'the base commit has no such skill: it is new'],
		['no base is known', undefined, 'the evals did not run with the old skill: no base commit is known here'],
	])('where %s this arm does not run, and a notice says so', LIMIT, async (_, before, message) => {
		const program = { 'skills/x/do.sh': 'echo done >outputs/done.txt' }
		await using tree = await makeCommits(before ?? SKILL('old'), { ...SKILL('new'), ...program })
		const flags = before ? [...OLD, '--base-ref', tree.base] : OLD
		const { exitCode, result, stderr } = await runGate(tree, shell(tree, FOLLOW), { flags })
		expect(exitCode, stderr).toBe(0)
		expect(armOf(result)).toBeUndefined()
		expect(existsSync(tree.path('results/x.runs/eval-1/old_skill'))).toBe(false)
		expect(result.problems.map((problem) => problem.message)).toContain(message)
	})
})
