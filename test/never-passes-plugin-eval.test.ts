/** A green result of `claude plugin eval` beside its plugin, and one thing wrong with it: whatever it is, the gate must not pass, and must say where. */
import { describe, expect, it } from 'vitest'
import { makeCaseYaml, makePluginResult, makeRun, PLUGIN, type Result, type Row, row, votes } from './support/plugin-results.ts'
import { runCommand } from './support/program.ts'
import { makeTree, type TreeFile } from './support/tree.ts'

type Change = { result?: (result: Result) => unknown; files?: Record<string, TreeFile>; args?: string[] }

async function judge({ result: change, files = {}, args = ['--evals', 'kitchen'] }: Change) {
	const result = makePluginResult()
	const changed = change?.(result)
	const text = typeof changed === 'string' ? changed : result
	await using tree = makeTree({ ...PLUGIN, 'out/aggregate-result.json': text, ...files })
	const flags = ['report', '--workspace', 'out/aggregate-result.json', ...args]
	const { exitCode, stderr, stdout } = await runCommand(flags, { cwd: tree.dir })
	return { exitCode, stderr, stdout }
}

/** The first case's first run with the plugin. */
const first = (result: Result) => result.cases[0]!.arms.with[0]!
const setRow = (name: string, more: object) => (result: Result) => {
	const found: Row = first(result).graders.find((each) => each.name === name)!
	Object.assign(found, more)
}
const setRun = (more: object) => (result: Result) => void Object.assign(first(result), more)

describe('a result of claude plugin eval', () => {
	it('passes as it is, and says what of it decides nothing', async () => {
		const { exitCode, stderr, stdout } = await judge({})
		expect(exitCode, stderr).toBe(0)
		expect(stderr).toMatch(/evals\/lunch: "fired" fired in 2 of 2 runs/)
		expect(stderr).toMatch(/evals\/lunch: score 1\.00 with_skill, 0\.50 without_skill, difference \+0\.50/)
		expect(stdout).toContain('| eval-lunch | 2/2 |')
	})

	it('passes without the skill, with a warning', async () => {
		const { exitCode, stderr } = await judge({
			result: ({ cases }) => {
				for (const run of cases[0]!.arms.with) run.graders[1]!.passed = false
			},
		})
		expect(exitCode, stderr).toBe(0)
		expect(stderr).toMatch(/^warning: .*fired in 0 of 2 runs: the case passes without the skill/m)
	})

	it.each([
		['x-gate by grader', 'x-gate: {severity: {price: warning}}'],
		['x-gate of the case', 'x-gate: {severity: notice}'],
		['a tag', 'tags: ["severity:warning"]'],
	])('passes with a failed grader whose severity is lower: %s', async (_name, more) => {
		const files = { 'kitchen/evals/lunch/case.yaml': makeCaseYaml('lunch', more) }
		const { exitCode, stderr } = await judge({ result: setRow('price', { passed: false }), files })
		expect(exitCode, stderr).toBe(0)
		expect(stderr).toMatch(/1 failed without blocking/)
	})

	it('passes in two parts, filtered by --case', async () => {
		const [one, other] = [makePluginResult(), makePluginResult()]
		for (const [at, part] of [one, other].entries()) {
			part.cases.splice(at, 1)
			part.suite.caseFilter = 'x'
			part.aggregates.casesTotal = 1
		}
		await using tree = makeTree({ ...PLUGIN, 'out/a.json': one, 'out/b.json': other })
		const { exitCode, stderr } = await runCommand(['report', '--workspace', 'out/*.json', '--evals', 'kitchen'], {
			cwd: tree.dir,
		})
		expect(exitCode, stderr).toBe(0)
	})

	it.each<[string, number, RegExp, Change]>([
		['a failed grader', 1, /eval-lunch assertion 1: fails/, { result: setRow('price', { passed: false }) }],
		[
			'a timeout with passing graders',
			2,
			/did not finish \(timed out after 60s\)/,
			{ result: setRun({ error: 'timed out after 60s' }) },
		],
		['no turn at all', 2, /measured nothing/, { result: setRun({ turns: 0 }) }],
		['an API error', 2, /measured nothing/, { result: setRun({ error: 'exit 1: API Error: 500', graders: [] }) }],
		['the ceiling', 2, /cost ceiling/, { result: setRun({ skippedPaidGraders: true }) }],
		[
			'broken mocks',
			2,
			/measured nothing/,
			{ result: setRun({ aborted: { server: 's', tool: 't', reason: 'it broke' }, graders: [] }) },
		],
		[
			'a call that mocks forbid',
			1,
			/assertion 1: fails/,
			{ result: setRun({ aborted: { server: 's', tool: 't', reason: "the model's call violates expect: x" }, graders: [] }) },
		],
		['a judge that failed', 2, /assertion 2: was not measured/, { result: setRow('tone', { judgeVotes: undefined }) }],
		[
			'votes against the result',
			2,
			/assertion 2: was not measured/,
			{ result: setRow('tone', { judgeVotes: [true, false, false] }) },
		],
		[
			'a grader that threw',
			2,
			/was not measured/,
			{ result: setRow('price', { explanation: 'grader threw: Invalid regular expression' }) },
		],
		['a grader that is not scored', 2, /was not measured/, { result: setRow('price', { scored: false }) }],
		['a grader without a row', 2, /was not measured/, { result: (result) => void first(result).graders.shift() }],
		['a grader with two rows', 2, /was not measured/, { result: (result) => void first(result).graders.push(row('price')) }],
		[
			'a row of no grader',
			2,
			/graders that the case does not have/,
			{ result: (result) => void first(result).graders.push(row('x')) },
		],
		['a run too few', 2, /1 of 2 runs with the plugin/, { result: ({ cases }) => void cases[0]!.arms.with.pop() }],
		[
			'a run too many',
			2,
			/3 of 2 runs/,
			{ result: ({ cases }) => void cases[0]!.arms.with.push(makeRun([row('price'), votes(true)])) },
		],
		[
			'a dead baseline',
			2,
			/runs without the plugin measured nothing/,
			{ result: ({ cases }) => void Object.assign(cases[0]!.arms.without![0]!, { error: 'exit 1', graders: [] }) },
		],
		[
			'an unknown advisory',
			2,
			/Claude Code warns/,
			{ result: ({ cases }) => void Object.assign(cases[0]!, { advisories: ['it cannot be'] }) },
		],
		[
			'no grader at all',
			2,
			/no grader that is scored/,
			{ result: ({ cases }) => void Object.assign(cases[0]!, { graders: [] }) },
		],
		['no plugin', 2, /no plugin was loaded/, { result: ({ suite }) => void Object.assign(suite, { plugins: [] }) }],
		[
			'an unloaded plugin',
			2,
			/will_not_load/,
			{ result: ({ suite }) => void Object.assign(suite, { plugins: [{ name: 'kitchen', problem: 'will_not_load' }] }) },
		],
		[
			'an end too early',
			2,
			/stopped early \(interrupted\)/,
			{ result: (result) => void Object.assign(result, { partial: true, partialReason: 'interrupted' }) },
		],
		[
			'a filter',
			2,
			/only some cases were run/,
			{ result: ({ suite }) => void Object.assign(suite, { caseFilter: 'lunch' }), args: [] },
		],
		['fewer cases than it counts', 2, /counts 2 cases and holds 1/, { result: ({ cases }) => void cases.pop() }],
		['no case', 2, /there is no case/, { result: ({ cases }) => void cases.splice(0) }],
		['one case twice', 2, /evals\/lunch is here twice/, { result: ({ cases }) => void cases.splice(1, 1, { ...cases[0]! }) }],
		[
			'a case that the plugin has and it has not',
			2,
			/evals\/tea has no result/,
			{ files: { 'kitchen/evals/tea/case.yaml': makeCaseYaml('tea') } },
		],
		[
			'nothing to show that no case was lost',
			2,
			/case files are not at hand: .*\n.*name the directory of the plugin/,
			{ args: [] },
		],
		[
			'a case that was not loaded',
			2,
			/not every case could be loaded/,
			{ files: { 'out/aggregate-result.stderr.log': "Couldn't load 1 case file\n" } },
		],
		[
			'a scaffold of which nobody knows',
			2,
			/scaffold_script/,
			{ files: { 'kitchen/evals/lunch/case.yaml': makeCaseYaml('lunch', 'context: {scaffold_script: x.sh}') } },
		],
		[
			'another prompt than the plugin',
			2,
			/its prompt is not that of the plugin/,
			{ files: { 'kitchen/evals/lunch/prompt.md': 'Write a long menu.' } },
		],
		[
			'another pattern than the plugin',
			2,
			/the grader "price" is not that of the plugin/,
			{ files: { 'kitchen/evals/lunch/case.yaml': makeCaseYaml('lunch').replace('EUR', 'USD') } },
		],
		[
			'a grader fewer than the plugin',
			2,
			/the grader "short" is not that of the plugin/,
			{ files: { 'kitchen/evals/lunch/graders/short.md': '---\ntype: llm\n---\nThe menu is short.\n' } },
		],
		['an invalid case beside valid ones', 3, /there is no grader/, { files: { 'kitchen/evals/tea/prompt.md': 'Tea.' } }],
		[
			'a severity of no grader',
			3,
			/which is no grader of this case/,
			{ files: { 'kitchen/evals/lunch/case.yaml': makeCaseYaml('lunch', 'x-gate: {severity: {prize: warning}}') } },
		],
		[
			'a severity that does not exist',
			3,
			/the tag severity:low is not usable/,
			{ files: { 'kitchen/evals/lunch/case.yaml': makeCaseYaml('lunch', 'tags: ["severity:low"]') } },
		],
		[
			'a newer version',
			3,
			/schemaVersion 2; only 1 can be read/,
			{ result: (result) => void Object.assign(result, { schemaVersion: 2 }) },
		],
		['half a file', 3, /a partial file is never read/, { result: (result) => JSON.stringify(result).slice(0, 500) }],
		[
			'a score that is no number',
			3,
			/"cases\.0\.arms\.with\.0\.passed" must be true or false/,
			{ result: setRun({ passed: 'yes' }) },
		],
		['another file', 3, /not a result of claude plugin eval/, { result: () => '{"evals": []}' }],
		['another plugin', 3, /evals names bakery/, { args: ['--evals', 'bakery'] }],
	])('does not pass with %s', async (_name, status, says, change) => {
		const { exitCode, stderr } = await judge(change)
		expect(exitCode, stderr).toBe(status)
		expect(stderr).toMatch(says)
	})

	it('is invalid without a file, and says so', async () => {
		await using tree = makeTree()
		const { exitCode, stderr } = await runCommand(['report', '--workspace', 'nowhere/aggregate-result.json'], {
			cwd: tree.dir,
		})
		expect(exitCode).toBe(3)
		expect(stderr).toMatch(/aggregate-result\.json is missing/)
	})

	it('is not replaced by the verdict, whatever its name', async () => {
		await using tree = makeTree({ ...PLUGIN, 'out/result.json': makePluginResult() })
		const args = ['report', '--workspace', 'out/result.json', '--evals', 'kitchen']
		for (const _time of ['first', 'second']) expect((await runCommand(args, { cwd: tree.dir })).exitCode).toBe(0)
		expect(tree.json('out/result.json')).toEqual(makePluginResult())
		expect(tree.json('out/result.gate/result.json')).toMatchObject({ verdict: 'pass' })
	})

	it('is a baseline for the next one', async () => {
		const now = makePluginResult()
		now.cases[0]!.arms.with[0]!.graders[0]!.passed = false
		await using tree = makeTree({ ...PLUGIN, 'base/r.json': makePluginResult(), 'out/r.json': now })
		await runCommand(['report', '--workspace', 'base/r.json', '--evals', 'kitchen'], { cwd: tree.dir })
		const args = ['report', '--workspace', 'out/r.json', '--evals', 'kitchen', '--baseline', 'base/r.gate']
		const { exitCode, stderr } = await runCommand(args, { cwd: tree.dir })
		expect(exitCode, stderr).toBe(1)
		expect(stderr).toMatch(/eval-lunch assertion 1: passed in the baseline, fails now/)
	})
})
