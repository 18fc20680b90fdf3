/** The files that evals declare are looked for before any agent starts. */
import { existsSync, mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makePipes, makeRepository, runGate, shell } from './execution-support.ts'

const LIMIT = { timeout: 60_000 }
const STAYS_BELOW = 'must be a relative path that stays below its directory'
const LEADS_OUT = 'is a link that leads out of its directory'
const NO_EVALS = 'holds the evals themselves, which the agent must not see'

const BAD: [string, string][] = [
	['missing.txt', 'exists neither beside the evals nor in the skill’s directory'],
	['/etc/passwd', STAYS_BELOW],
	['../evals/in.txt', STAYS_BELOW],
	['files/../../../../secret.txt', STAYS_BELOW],
	['a//b', STAYS_BELOW],
	['C:/x', STAYS_BELOW],
	['a\\b', STAYS_BELOW],
	['./', STAYS_BELOW],
	['.', STAYS_BELOW],
	['./././outputs/done.txt', STAYS_BELOW],
	['files/in\0.txt', STAYS_BELOW],
	['link-out.txt', LEADS_OUT],
	['link-dir/secret.txt', LEADS_OUT],
	['link-nowhere', LEADS_OUT],
	['link-environ', LEADS_OUT],
	['differs.txt', 'exists beside the evals and in the skill’s directory, with different content'],
	['outputs/done.txt', 'lies in outputs/, which must be empty when the agent starts'],
	['outputs', 'lies in outputs/, which must be empty when the agent starts'],
	['Outputs/done.txt', 'lies in outputs/, which must be empty when the agent starts'],
	['evals.json', NO_EVALS],
	['evals/evals.json', NO_EVALS],
	['evals', NO_EVALS],
	['link-evals', NO_EVALS],
	['pipe', 'is neither a file nor a directory: it would not be copied'],
	['with-link', 'holds "passwd", which is neither a file nor a directory: it would not be copied'],
]
const GOOD = ['in.txt', './in.txt', 'files', 'files/', 'same.txt', 'skill-only.txt', 'link-inside.txt', 'empty']

const FILES = {
	'secret.txt': 'secret',
	'skills/x/evals/in.txt': 'in',
	'skills/x/evals/files/a/b.txt': 'b',
	'skills/x/evals/link-out.txt': { link: '../../../secret.txt' },
	'skills/x/evals/link-dir': { link: '../../..' },
	'skills/x/evals/link-nowhere': { link: 'nothing' },
	'skills/x/evals/link-environ': { link: '/proc/self/environ' },
	'skills/x/evals/link-inside.txt': { link: 'in.txt' },
	'skills/x/evals/link-evals': { link: 'evals.json' },
	'skills/x/evals/with-link/deep/passwd': { link: '/etc/passwd' },
	'skills/x/evals/outputs/done.txt': 'done before',
	'skills/x/evals/differs.txt': 'one',
	'skills/x/differs.txt': 'two',
	'skills/x/evals/same.txt': 'same',
	'skills/x/same.txt': 'same',
	'skills/x/skill-only.txt': 'skill',
}

test('each fault is said in one line, all of them at once, and no agent starts', LIMIT, async () => {
	await using tree = makeRepository([{ files: GOOD }, ...BAD.map(([file]) => ({ files: [file] }))], FILES)
	mkdirSync(tree.path('skills/x/evals/empty'))
	makePipes(tree, ['skills/x/evals/pipe'])
	const { exitCode, result } = await runGate(tree, shell(tree, 'echo ran >> "$1/started"; echo ok > outputs/done.txt'))
	expect({ exitCode, verdict: result.verdict }).toEqual({ exitCode: 3, verdict: 'invalid' })
	const messages = BAD.map(([file, why], at) => `the file ${JSON.stringify(file)} of eval ${at + 2} ${why}`)
	expect(result.problems.map(({ message }) => message)).toEqual(messages)
	expect(result.problems.every(({ code, severity }) => code === 'eval-file' && severity === 'error')).toBe(true)
	expect(existsSync(tree.path('started'))).toBe(false)
	expect(existsSync(tree.path('results/x'))).toBe(false)
})

test('the others arrive where they were declared', LIMIT, async () => {
	await using tree = makeRepository([{ files: GOOD }], FILES)
	mkdirSync(tree.path('skills/x/evals/empty'))
	const look =
		'list=$(find . -path "./.*" -prune -o -print | sort); echo "$list" > outputs/done.txt; cat link-inside.txt >> outputs/done.txt'
	const { exitCode, stderr } = await runGate(tree, shell(tree, look))
	expect(exitCode, stderr).toBe(0)
	const expected = [
		'.',
		'./empty',
		'./files',
		'./files/a',
		'./files/a/b.txt',
		'./in.txt',
		'./link-inside.txt',
		'./outputs',
		'./same.txt',
		'./skill-only.txt',
	]
	expect(tree.read('results/x/eval-1/outputs/done.txt')).toBe(`${expected.join('\n')}\nin`)
})

test('one bad file of one suite keeps every suite from running, and clears nothing', LIMIT, async () => {
	await using tree = makeRepository([{}], {
		'skills/y/evals/evals.json': { skill_name: 'y', evals: [{ id: 1, prompt: 'do', files: ['none'], assertions: ['x'] }] },
	})
	const agent = shell(tree, 'echo ran >> "$1/started"; echo ok > outputs/done.txt')
	expect((await runGate(tree, agent)).exitCode).toBe(0)
	const before = tree.read('results/x/eval-1/grading.json')
	const { exitCode } = await runGate(tree, agent, { flags: ['--evals', 'skills/*/evals/evals.json'] })
	expect(exitCode).toBe(3)
	expect(tree.read('started')).toBe('ran\n')
	expect(tree.read('results/x/eval-1/grading.json')).toBe(before)
})
