/** The same evals without the skill: they show what the skill is good for, and decide nothing. */
import { existsSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DONE, makeRepository, runGate, shell } from './execution-support.ts'
import { loadRuns, summarise } from './support/aggregator.ts'

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
const armOf = (result: object) => (result as { suites: { withoutSkill?: Arm }[] }).suites[0]?.withoutSkill

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
		['with_skill, old_skill', /"arms" must be with_skill or without_skill/],
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
