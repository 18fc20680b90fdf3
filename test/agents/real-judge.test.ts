/** The real command-line programs as judges, with a scripted model on loopback as the only address that they are given. */
import { describe, expect, test } from 'vitest'
import { agentsRoot, problemOf } from '../../scripts/install-test-parts.mjs'
import { evalOf, makeRepository, runGate, shell } from '../execution-support.ts'
import { type Script, startModelServer } from '../models/server.ts'

const LIMIT = { timeout: 60_000 }
const assertions = ['It is done', 'It is good']

async function judgeBy(kind: 'claude' | 'codex', script: Script) {
	await using tree = makeRepository([{ assertions }], { 'home/keep': '' })
	const model = await startModelServer(script, 'x')
	try {
		const base = kind === 'codex' ? `${model.url}/v1` : model.url
		const flags = ['--judge', kind, '--judge-model', `${kind}-scripted`, '--judge-base-url', base, '--judge-key-env', 'JUDGE_KEY']
		const PATH = `${agentsRoot}node_modules/.bin:${process.env.PATH}`
		const env = { PATH, HOME: tree.path('home'), JUDGE_KEY: 'key-of-the-test' }
		const agent = shell(tree, 'echo work > outputs/done.txt')
		const ended = await runGate(tree, agent, { flags: [...flags, '--judge-timeout', '30'], env })
		return { ...ended, rows: evalOf(ended.result, 1).assertions, asked: model.requests.length }
	} finally {
		await model.close()
	}
}

describe.each(['claude'] as const)('%s', (kind) => {
	const problem = problemOf(kind)
	if (problem) {
		test.skip(problem, () => {})
		return
	}
	test.each([
		['judge', 'pass', 0, 'seen'],
		['gullible', 'error', 2, 'the judge passed an assertion that is known to be false'],
		['talk', 'error', 2, 'not usable, twice'],
	] as const)('%s: %s', LIMIT, async (script, outcome, status, sentence) => {
		const { exitCode, rows, asked, stderr } = await judgeBy(kind, script)
		expect(asked, stderr).toBeGreaterThan(0)
		expect({ exitCode, outcomes: rows.map((row) => row.outcome) }, rows[0]?.evidence).toEqual({
			exitCode: status,
			outcomes: [outcome, outcome],
		})
		expect(rows[0]?.evidence).toContain(sentence)
	})
})
