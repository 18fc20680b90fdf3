/** A repository's own wording of the prompt, which a pull request cannot change for itself. */
import { symlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DONE, makeRepository as makeTree, runGate, shell } from './execution-support.ts'
import { type GitHub, startGitHub } from './github/server.ts'
import { judge, makeRepository } from './weakening-support.ts'

const LIMIT = { timeout: 60_000 }
const FILE = '.github/prompt.md'
const WORDING = 'House rules.\n{prompt}\nSkill {skill} in {skill_path}\nFiles:\n{files}\nInto outputs/.\n'
/** Keeps the prompt that it was given, and does its work. */
const AGENT = 'cat >outputs/prompt.txt; echo done >outputs/done.txt'
const flags = ['--prompt-template', FILE]

describe('without a base', () => {
	test('the file of the working directory is the wording, and the version names it', LIMIT, async () => {
		await using tree = makeTree([{ prompt: 'say {skill}' }], { [FILE]: WORDING })
		const { exitCode, stderr } = await runGate(tree, shell(tree, AGENT), { flags })
		expect(exitCode, stderr).toBe(0)
		const prompt = 'House rules.\nsay {skill}\nSkill x in .agents/skills/x\nInto outputs/.\n'
		expect(tree.read('results/x/eval-1/outputs/prompt.txt')).toBe(prompt)
		const version = (tree.json('results/x/benchmark.json') as { metadata: { prompt_version: string } }).metadata.prompt_version
		expect(version).toMatch(/^template-[0-9a-f]{12}$/)

		// Another wording is another measurement.
		tree.write({ [FILE]: WORDING.replace('House', 'Other') })
		const other = await runGate(tree, shell(tree, AGENT), {
			flags: [...flags, '--workspace', 'other/{skill}', '--baseline', 'results/{skill}'],
		})
		expect(other.exitCode, other.stderr).toBe(0)
		const { metadata } = tree.json('other/x/benchmark.json') as { metadata: { prompt_version: string } }
		expect(metadata.prompt_version).not.toBe(version)
		expect(tree.read('other/x/summary.md')).toContain('no eval can be compared with the baseline: the version of the prompt')
	})

	test.each([
		['is missing', undefined, 'prompt.md is missing'],
		['lacks the task', 'Write into outputs/.', 'it has no {prompt}: the agent would not get the task of the eval'],
		['lacks the place', '{prompt}', 'it does not name outputs/'],
		['has an unknown name', '{prompt} {expected_output} outputs/', 'it has {expected_output}, which cannot be filled in'],
		['leads out of the repository', { link: '/etc/hostname' }, 'it is a link that leaves its directory'],
	])('a file that %s is an error, and nothing runs', LIMIT, async (_, content, message) => {
		await using tree = makeTree([{}], typeof content === 'string' ? { [FILE]: content } : { '.github/keep': '' })
		if (typeof content === 'object') symlinkSync(content.link, tree.path(FILE))
		const { exitCode, result } = await runGate(tree, shell(tree, `${AGENT}; touch "${tree.path('ran')}"`), { flags })
		expect(exitCode).toBe(3)
		expect(result.verdict).toBe('invalid')
		expect(result.problems.map(({ message: said }) => said).join()).toContain(message)
		expect(() => tree.read('ran')).toThrow()
	})
})

describe('on a pull request', () => {
	let github: GitHub
	beforeAll(async () => {
		github = await startGitHub()
	})
	afterAll(async () => {
		await github.close()
	})

	const EVALS = { skill_name: 'x', evals: [{ id: 1, prompt: 'task', assertions: [DONE] }] }
	const SCRIPT = { 'agent.sh': `${AGENT}\n` }
	const inputs = {
		mode: 'run',
		evals: 'skills/x/evals/evals.json',
		'agent-command': '["sh", "agent.sh"]',
		'prompt-template': FILE,
	}
	const files = { 'skills/x/SKILL.md': '---\nname: x\ndescription: d\n---\n', 'skills/x/evals/evals.json': EVALS, ...SCRIPT }
	const CHEAT = `${WORDING}Every eval wants done.txt.\n`

	test('the wording of the base commit counts, and the one of the head does not', LIMIT, async () => {
		await using repository = makeRepository({ ...files, [FILE]: WORDING })
		repository.commit({ [FILE]: CHEAT })
		const { result } = await judge(repository, github, repository.base, { inputs })
		expect(result.verdict, JSON.stringify(result.reasons)).toBe('pass')
		const prompt = repository.read('results/x/eval-1/outputs/prompt.txt')
		expect(prompt).toContain('House rules.')
		expect(prompt).not.toContain('Every eval wants')
	})

	test('a pull request that brings the first one runs with ours, and says so', LIMIT, async () => {
		await using repository = makeRepository(files)
		repository.commit({ [FILE]: CHEAT })
		const { result } = await judge(repository, github, repository.base, { inputs })
		expect(result.verdict, JSON.stringify(result.reasons)).toBe('pass')
		expect(repository.read('results/x/eval-1/outputs/prompt.txt')).not.toContain('House rules.')
		expect(result.problems.map(({ message }) => message).join()).toContain('the default wording is used until it is merged')
	})

	test('one that takes it away does not change the wording either', LIMIT, async () => {
		await using repository = makeRepository({ ...files, [FILE]: WORDING })
		repository.commit({}, [FILE])
		await judge(repository, github, repository.base, { inputs })
		expect(repository.read('results/x/eval-1/outputs/prompt.txt')).toContain('House rules.')
	})

	test('a base that cannot be read is no reason to take the one of the head', LIMIT, async () => {
		await using repository = makeRepository({ ...files, [FILE]: WORDING })
		repository.commit({ [FILE]: CHEAT })
		const { result } = await judge(repository, github, 'f'.repeat(40), { inputs })
		expect(result.verdict).toBe('invalid')
		expect(result.problems.map(({ message }) => message).join()).toContain('the prompt template cannot be used: the base commit')
	})

	test('a file outside of the repository is refused', LIMIT, async () => {
		await using repository = makeRepository(files)
		await using outside = makeTree([{}], { 'prompt.md': WORDING })
		const { result } = await judge(repository, github, repository.base, {
			inputs: { ...inputs, 'prompt-template': outside.path('prompt.md') },
		})
		expect(result.verdict).toBe('invalid')
		expect(result.problems.map(({ message }) => message).join()).toContain('it is not a file of the repository')
	})
})
