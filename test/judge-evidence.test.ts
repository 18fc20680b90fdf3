/** What a judge is shown and what its quotes are worth. */
import { expect, test } from 'vitest'
import { evalOf, makeRepository, runGate, shell } from './execution-support.ts'
import type { Tree } from './support/tree.ts'

const LIMIT = { timeout: 60_000 }
const NOT_FOUND = '(this quote was not found in the outputs)'

type Row = { n: number; passed: boolean; evidence: string; quote?: string; file?: string }

/** Keeps the request, and gives the answers to the eval's own assertions in their order; the false one among them fails. */
const JUDGE = `
import { readFileSync, writeFileSync } from 'node:fs'
const [own, dir] = process.argv.slice(2)
const text = readFileSync(0, 'utf8')
writeFileSync(dir + '/request.json', text)
const rows = JSON.parse(readFileSync(dir + '/answer.json', 'utf8')).results
const results = JSON.parse(text).assertions.map(({ n, text }) => {
	const row = new RegExp(own).test(text) ? rows.shift() : { passed: false, evidence: 'nowhere' }
	return { ...row, n }
})
console.log(JSON.stringify({ results }))
`

function judgeWith(tree: Tree, answer: { results: Row[] }): string[] {
	tree.write({ 'answer.json': answer, 'judge.mjs': JUDGE })
	const command = [process.execPath, tree.path('judge.mjs'), '^(It |Assertion )', tree.dir]
	return ['--judge', 'command', '--judge-command', JSON.stringify(command)]
}

test('a quote that is not in the named file is flagged in the evidence', LIMIT, async () => {
	const quotes = [
		{ quote: 'the work is done', file: 'done.txt' },
		{ quote: 'the work\n is   done', file: './outputs/done.txt' },
		{ quote: 'the work is done' },
		{ quote: 'my last word' },
		{ quote: 'my last word', file: 'last message' },
		{ quote: 'the work is undone', file: 'done.txt' },
		{ quote: 'the work is undone' },
		{ quote: 'the work is done', file: 'other.txt' },
		{ quote: 'the work is done', file: 'nowhere.txt' },
		{ quote: 'my last word', file: 'done.txt' },
		{ quote: '' },
		{ quote: ' \n ' },
	]
	await using tree = makeRepository([{ assertions: quotes.map((_, at) => `Assertion ${at}`) }])
	const answer = { results: quotes.map((more, at) => ({ n: at + 1, passed: true, evidence: 'seen', ...more })) }
	const agent = shell(tree, 'echo "the work is done" > outputs/done.txt; echo other > outputs/other.txt; echo "my last word"')
	const { result, stderr } = await runGate(tree, agent, { flags: judgeWith(tree, answer) })
	const flagged = evalOf(result, 1).assertions.map(({ evidence }) => evidence.endsWith(NOT_FOUND))
	expect(flagged, stderr).toEqual([false, false, false, false, false, true, true, true, true, true, true, true])
})

test('what stands beyond the cut may be there: a fail is no fail, and a pass stays one', LIMIT, async () => {
	await using tree = makeRepository([
		{ assertions: ['It ends well', 'It begins well'] },
		{ assertions: ['It ends well', 'It begins well'] },
	])
	const row = { evidence: 'seen' }
	const flags = judgeWith(tree, {
		results: [
			{ n: 1, passed: false, ...row },
			{ n: 2, passed: true, ...row },
		],
	})
	const script = `
		read -r _ id; echo short > outputs/done.txt
		if [ $id = 1 ]; then head -c 1500000 /dev/zero | tr "\\0" a > outputs/long.txt; fi`
	const { exitCode, result } = await runGate(tree, shell(tree, script), { flags: [...flags, '--concurrency', '1'] })
	const outcomes = (id: number) => evalOf(result, id).assertions.map(({ outcome }) => outcome)
	expect({ exitCode, cut: outcomes(1), whole: outcomes(2) }).toEqual({
		exitCode: 2,
		cut: ['error', 'pass'],
		whole: ['fail', 'pass'],
	})
	expect(evalOf(result, 1).assertions[0]?.evidence).toContain('the judge saw only the beginning of long.txt')
})

test('nor does a pass count that only the whole file can prove', LIMIT, async () => {
	const wholes = [
		'It must not contain a password',
		"It doesn't end in z",
		'It has no secret',
		'It has an a in every place',
		'It has only letters',
	]
	await using tree = makeRepository([{ assertions: ['It begins well', ...wholes] }])
	const results = [1, 2, 3, 4, 5, 6].map((n) => ({ n, passed: true, evidence: 'seen' }))
	const agent = shell(tree, 'head -c 1500000 /dev/zero | tr "\\0" a > outputs/long.txt')
	const { exitCode, result } = await runGate(tree, agent, { flags: judgeWith(tree, { results }) })
	const rows = evalOf(result, 1).assertions
	expect({ exitCode, verdict: result.verdict }).toEqual({ exitCode: 2, verdict: 'incomplete' })
	expect(rows.map(({ outcome }) => outcome)).toEqual(['pass', ...wholes.map(() => 'error')])
	expect(rows[1]?.evidence).toContain('the judge saw only the beginning of long.txt')
})

test('files that are too much together are cut too, and said', LIMIT, async () => {
	await using tree = makeRepository([{ assertions: ['It is complete'] }])
	const flags = judgeWith(tree, { results: [{ n: 1, passed: false, evidence: 'nothing of it in b.txt' }] })
	const agent = shell(
		tree,
		'for name in a b; do head -c 300000 /dev/zero | tr "\\0" $name > outputs/$name.txt; done; printf "\\0" > outputs/c.bin',
	)
	const { exitCode, result } = await runGate(tree, agent, { flags })
	expect({ exitCode, outcome: evalOf(result, 1).outcome }).toEqual({ exitCode: 2, outcome: 'error' })
	const request = tree.json('request.json') as {
		notShownWhole: string[]
		outputs: { path: string; text?: string; note?: string }[]
	}
	expect(request.notShownWhole).toEqual(['b.txt'])
	expect(request.outputs.map(({ text }) => text?.length)).toEqual([300_000, 100_000, undefined])
	expect(request.outputs.map(({ note }) => note)).toEqual([
		undefined,
		'only the first 100000 characters are shown',
		'binary: its content is not shown',
	])
})

test('links and what they lead to are not shown to the judge', LIMIT, async () => {
	await using tree = makeRepository([{ assertions: ['It is good'] }], { 'secret.txt': 'CANARY-SECRET' })
	const flags = judgeWith(tree, { results: [{ n: 1, passed: true, evidence: 'seen' }] })
	await runGate(tree, shell(tree, 'echo a > outputs/a.txt; ln -s "$1/secret.txt" outputs/b.txt'), { flags })
	expect(tree.read('request.json')).not.toContain('CANARY-SECRET')
	expect(tree.json('request.json')).toMatchObject({
		outputs: [{ path: 'a.txt' }, { path: 'b.txt', note: 'link: its content is not shown' }],
	})
})

test('without a judge, what only a judge can tell is not measured; the rest is', LIMIT, async () => {
	const exists = { text: 'There is a file', grader: 'file-exists', options: { path: 'done.txt' } }
	await using tree = makeRepository([{ assertions: ['It reads well', exists] }])
	const { exitCode, result } = await runGate(tree, shell(tree, 'echo ok > outputs/done.txt'))
	const [judged, found] = evalOf(result, 1).assertions
	expect({ exitCode, judged: judged?.outcome, found: found?.outcome }).toEqual({ exitCode: 2, judged: 'error', found: 'pass' })
	expect(judged?.evidence).toContain('no judge configured')
})

test.each([
	['is missing', ['/nonexistent/judge'], 'the judge could not be started (there is no such program on the PATH)'],
	[
		'reads nothing of a large request and answers',
		['sh', '-c', 'exec <&-; echo \'{"results":[{"n":1,"passed":false,"evidence":"x"},{"n":2,"passed":false,"evidence":"x"}]}\''],
		undefined,
	],
	[
		'says the answer on standard error',
		['sh', '-c', 'cat > /dev/null; echo \'{"results":[{"n":1,"passed":true,"evidence":"x"}]}\' >&2'],
		'not usable, twice',
	],
])('a judge that %s', LIMIT, async (_name, command, why) => {
	await using tree = makeRepository([{ assertions: ['It is good'] }])
	const agent = shell(tree, 'head -c 300000 /dev/zero | tr "\\0" a > outputs/a.txt')
	const flags = ['--judge', 'command', '--judge-command', JSON.stringify(command)]
	const { exitCode, result } = await runGate(tree, agent, { flags })
	expect(exitCode).toBe(why === undefined ? 1 : 2)
	if (why !== undefined) expect(evalOf(result, 1).assertions[0]?.evidence).toContain(why)
})

test('the judge is not asked about a run that broke, nor about what a program can tell', LIMIT, async () => {
	const exists = { text: 'There is a file', grader: 'file-exists', options: { path: 'done.txt' } }
	await using tree = makeRepository([{ assertions: ['It is good'] }, { assertions: [exists] }])
	const asking = JSON.stringify(['sh', '-c', 'echo asked >> "$1/asked"; exit 1', 'sh', tree.dir])
	const script = 'read -r _ id; echo ok > outputs/done.txt; [ $id = 2 ]'
	const { exitCode } = await runGate(tree, shell(tree, script), { flags: ['--judge', 'command', '--judge-command', asking] })
	expect(exitCode).toBe(2)
	expect(() => tree.read('asked')).toThrow('ENOENT')
})
