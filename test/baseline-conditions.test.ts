/** A baseline that was measured under other conditions is not compared, and says which; what the skill itself does is. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DONE, makeRepository, runGate, shell } from './execution-support.ts'
import { runCommand } from './support/program.ts'
import type { Tree } from './support/tree.ts'

const LIMIT = { timeout: 60_000 }
const FILE = 'skills/x/evals/files/in.txt'
const EVALS = [{ prompt: 'one', files: ['files/in.txt'] }, { prompt: 'two' }]
const GOOD = 'echo done >outputs/done.txt'
const BAD = 'echo other >outputs/other.txt'
/** What it does stands in the skill, so that the agent stays the same. */
const AGENT = 'sh .claude/skills/x/do.sh'

type Suite = { evals: { assertions: { change?: string }[] }[] }

async function changesAfter(tree: Tree, flags: string[] = [], agent = AGENT) {
	const { exitCode, result, stderr } = await runGate(tree, shell(tree, agent), { flags: ['--baseline', 'base', ...flags] })
	const suites = result.suites as unknown as Suite[]
	const changes = suites.flatMap(({ evals }) =>
		evals.map(({ assertions }) => assertions.map(({ change }) => change ?? 'same').join()),
	)
	const says = result.problems.filter(({ code }) => code === 'baseline-conditions').map(({ message }) => message)
	return { exitCode, stderr, changes, says }
}

test('the skill may change, the conditions may not', LIMIT, async () => {
	await using tree = makeRepository(EVALS, { [FILE]: 'a', 'skills/x/do.sh': GOOD })
	expect((await runGate(tree, shell(tree, AGENT))).exitCode).toBe(0)
	cpSync(tree.path('results/x'), tree.path('base'), { recursive: true })
	const original = readFileSync(tree.path('skills/x/evals/evals.json'), 'utf8')
	const edit = (evals: object[]) => tree.write({ 'skills/x/evals/evals.json': { skill_name: 'x', evals } })

	tree.write({ 'skills/x/do.sh': BAD })
	expect(await changesAfter(tree)).toMatchObject({ exitCode: 1, changes: ['regression', 'regression'], says: [] })

	// Another program is another agent.
	expect(await changesAfter(tree, [], `true; ${AGENT}`)).toMatchObject({
		exitCode: 1,
		changes: ['not-comparable', 'not-comparable'],
		says: ['no eval can be compared with the baseline: the command or the arguments of the agent changed'],
	})

	// The bytes of a fixture under the same name: only its eval.
	tree.write({ [FILE]: 'b' })
	expect(await changesAfter(tree)).toMatchObject({
		exitCode: 1,
		changes: ['not-comparable', 'regression'],
		says: ['eval 1 cannot be compared with the baseline: the content of its files changed'],
	})
	tree.write({ [FILE]: 'a' })

	// An easier grader behind the same sentence, and an easier prompt; what is no longer declared is said all the same.
	edit([
		{ id: 1, prompt: 'one', files: ['files/in.txt'], assertions: [{ ...DONE, options: { path: 'other.txt' } }] },
		{ id: 2, prompt: 'two, and easier', assertions: [{ text: 'Something else', grader: 'file-exists', options: { path: 'x' } }] },
	])
	const eased = await changesAfter(tree)
	expect(eased).toMatchObject({ exitCode: 1, changes: ['not-comparable', 'new'] })
	expect(eased.says).toEqual([
		expect.stringMatching(/^eval 2 cannot be compared .*: the prompt, the expected output or the list/),
	])
	expect(tree.json('results/result.json')).toMatchObject({
		suites: [{ baseline: { removed: [{ evalId: '2', text: DONE.text }] } }],
	})
	writeFileSync(tree.path('skills/x/evals/evals.json'), original)

	// A record that somebody spoilt fits nothing; one that other tools never wrote does not stand in the way.
	const benchmark = tree.read('base/benchmark.json')
	tree.write({ 'base/benchmark.json': benchmark.replace('"evals": {', '"evals": 1, "x": {') })
	expect(await changesAfter(tree)).toMatchObject({ exitCode: 1, changes: ['not-comparable', 'not-comparable'] })
	rmSync(tree.path('base/benchmark.json'))
	expect(await changesAfter(tree)).toMatchObject({ exitCode: 1, changes: ['regression', 'regression'], says: [] })

	// Results that are only read keep the record of the job that measured them.
	tree.write({ 'base/benchmark.json': benchmark })
	await runGate(tree, shell(tree, `true; ${AGENT}`))
	const flags = ['--evals', 'skills/x/evals/evals.json', '--workspace', 'results/x', '--baseline', 'base']
	const report = await runCommand(['report', ...flags], { cwd: tree.dir })
	expect(report.exitCode, report.stderr).toBe(1)
	expect(report.stderr).toContain('no eval can be compared with the baseline: the command or the arguments of the agent changed')
})
