/** The commands that measure a judge and graders, through the built bundle. */
import { describe, expect, test } from 'vitest'
import { runCommand } from './support/program.ts'
import { makeTree } from './support/tree.ts'

/** Passes what it finds word for word in the outputs; breaks where the task says so. */
const JUDGE = `
import { readFileSync } from 'node:fs'
const request = JSON.parse(readFileSync(0, 'utf8'))
if (request.eval.prompt === 'break') process.exit(3)
const all = request.outputs.map(({ text }) => text).join()
console.log(JSON.stringify({ results: request.assertions.map(({ n, text }) => ({ n, passed: all.includes(text.split(' ').at(-1)), evidence: 'x' })) }))
`
const flags = ['--judge', 'command', '--judge-command', JSON.stringify([process.execPath, 'judge.mjs'])]

async function calibrateWith(labels: unknown, more: string[] = []) {
	await using tree = makeTree({ 'judge.mjs': JUDGE, 'labels.yaml': JSON.stringify(labels), 'good/a.md': 'apple and pear\n' })
	return await runCommand(['calibrate', 'labels.yaml', ...flags, ...more], { cwd: tree.dir })
}

const label = (word: string, passed: boolean) => ({ text: `It names ${word}`, passed })
const RIGHT = [label('apple', true), label('pear', true), label('fig', false), label('plum', false)]

describe('calibrate', () => {
	test('a judge that is right passes its limits', async () => {
		const cases = [{ outputs: 'good/', assertions: RIGHT }]
		const { exitCode, stdout, stderr } = await calibrateWith({ limits: { 'false-pass': 0, 'false-fail': 0 }, cases })
		expect(exitCode, stderr).toBe(0)
		expect(stdout).toContain('agreement   4 of 4, 100.0 % (95 %: 51.0 % to 100.0 %)')
		expect(stdout).toContain('kappa       1.00')
	})

	test('one that passes what should fail is above its limit, and says where', async () => {
		const cases = [{ outputs: 'good', assertions: [...RIGHT, label('apple', false)] }]
		const { exitCode, stdout } = await calibrateWith({ limits: { 'false-pass': 0.1 }, cases })
		expect(exitCode).toBe(1)
		expect(stdout).toContain('false pass  1 of 3, 33.3 %')
		expect(stdout).toContain('- good: "It names apple" should fail; the judge: pass')
	})

	test.each([
		['something was not measured', { cases: [{ outputs: 'good', prompt: 'break', assertions: RIGHT }] }],
		[
			'a limit has no label to be measured by',
			{ limits: { 'false-pass': 0.5 }, cases: [{ outputs: 'good', assertions: RIGHT.slice(0, 2) }] },
		],
	])('%s: incomplete', async (_name, labels) => {
		const { exitCode, stdout } = await calibrateWith(labels, ['--json'])
		expect({ exitCode, verdict: JSON.parse(stdout).verdict }).toEqual({ exitCode: 2, verdict: 'incomplete' })
	})

	test.each([
		['no cases', { cases: [] }, 'cases: '],
		['an answer that is no boolean', { cases: [{ outputs: 'good', assertions: [{ text: 'x', passed: 'yes' }] }] }, 'passed: '],
		['a limit above 1', { limits: { 'false-pass': 10 }, cases: [{ outputs: 'good', assertions: RIGHT }] }, 'false-pass: '],
		['outputs that are not there', { cases: [{ outputs: 'bad', assertions: RIGHT }] }, 'cases.0: the outputs bad cannot be read'],
		['the directory above', { cases: [{ outputs: '../', assertions: RIGHT }] }, 'the outputs ../ lie outside'],
		['an absolute directory', { cases: [{ outputs: '/usr', assertions: RIGHT }] }, 'the outputs /usr lie outside'],
	])('%s is refused', async (_name, labels, sentence) => {
		const { exitCode, stderr } = await calibrateWith(labels)
		expect(exitCode, stderr).toBe(3)
		expect(stderr).toContain(sentence)
	})
})

describe('check-graders', () => {
	const absent = { text: 'No secret is left', grader: 'file-not-exists', options: { path: 'secret' } }
	const present = { text: 'There is a report', grader: 'file-exists', options: { path: 'report.md' } }
	const lazy = { text: 'It is well', grader: 'command', options: { command: ['true'] } }
	const check = async (evals: unknown[][], more: string[] = []) => {
		const list = evals.map((assertions, at) => ({ id: at + 1, prompt: 'p', assertions }))
		await using tree = makeTree({ 'evals/evals.json': { skill_name: 'x', evals: list } })
		return await runCommand(['check-graders', ...more], { cwd: tree.dir })
	}

	test('lists what passes on nothing, and is content where something else blocks', async () => {
		const { exitCode, stdout, stderr } = await check([[absent, present, 'It is good']])
		expect(exitCode, stderr).toBe(0)
		expect(stdout).toContain('1 of 2 deterministic assertions passes on empty outputs')
		expect(stdout).toContain('x eval-1 assertion 1 (file-not-exists): "No secret is left"')
	})

	test('an eval that an agent which did nothing would pass fails, also by a command', async () => {
		const { exitCode, stdout } = await check([[present], [absent, lazy, { ...present, severity: 'warning' }]], ['--json'])
		expect(exitCode).toBe(1)
		expect(JSON.parse(stdout)).toMatchObject({
			checked: 4,
			passed: [{ index: 1 }, { index: 2, grader: 'command' }],
			toothless: [{ skill: 'x', evalId: '2' }],
		})
	})

	test('definitions that cannot be used are invalid', async () => {
		const { exitCode } = await check([[]])
		expect(exitCode).toBe(3)
	})
})
