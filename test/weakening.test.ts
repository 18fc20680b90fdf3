/** A pull request that asks less than its base, in real checkouts, as the runner starts the action. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseEvals } from '../src/formats/evals.ts'
import { type GitHub, startGitHub } from './github/server.ts'
import type { ActionOptions } from './support/program.ts'
import type { TreeFile } from './support/tree.ts'
import {
	ASSERTION,
	DEFINITION,
	type Definition,
	EVALS,
	judge,
	makeRepository,
	POLICY,
	type Repository,
} from './weakening-support.ts'

let github: GitHub
beforeAll(async () => {
	github = await startGitHub()
})
afterAll(() => github.close())

const COMMITTED = { [EVALS]: DEFINITION, 'evals/reporter/in.csv': 'a,b\n', 'README.md': 'x\n' }
/** The definition with other assertions in its first eval. */
const withFirst = (...assertions: Definition['evals'][number]['assertions']): Definition => {
	const [first, ...rest] = DEFINITION.evals
	return { ...DEFINITION, evals: [{ ...first!, assertions }, ...rest] }
}
const SOFTER = withFirst({ ...ASSERTION, severity: 'warning' }, 'It says hello')
const OTHER: Definition = { skill_name: 'other', evals: [{ id: 1, prompt: 'p', assertions: ['New'] }] }

/** Every value of the file by itself: taken away, or another one. */
function* mutate(value: unknown): Generator<unknown> {
	if (Array.isArray(value)) {
		for (const [at, item] of value.entries()) {
			yield value.toSpliced(at, 1)
			for (const other of mutate(item)) yield value.with(at, other)
		}
	} else if (value !== null && typeof value === 'object') {
		for (const [key, item] of Object.entries(value)) {
			const { [key]: _, ...rest } = value as Record<string, unknown>
			yield rest
			for (const other of mutate(item)) yield { ...value, [key]: other }
		}
	} else if (typeof value === 'number') yield value - 1
	else yield value === 'error' ? 'warning' : value === 'regression' ? 'capability' : `${value}2`
}

/** Head is this, and everything that it still declares passed. */
async function judgeChange(
	definition: Definition,
	more: {
		files?: Record<string, TreeFile>
		removed?: string[]
		base?: Record<string, TreeFile>
		options?: Partial<ActionOptions>
	} = {},
) {
	const repository = makeRepository({ ...COMMITTED, ...more.base })
	repository.grade(definition)
	repository.commit({ [EVALS]: definition, ...more.files }, more.removed)
	try {
		return await judge(repository, github, repository.base, more.options)
	} finally {
		repository.remove()
	}
}

it('an unchanged pull request passes, and one that only adds passes too', async () => {
	const same = await judgeChange(DEFINITION, { files: { 'README.md': 'y\n' } })
	expect(same.exitCode, JSON.stringify(same.result)).toBe(0)
	expect(same.result.problems).toEqual([])
	await using repository = makeRepository(COMMITTED)
	const more = withFirst('First of all', ...DEFINITION.evals[0]!.assertions)
	repository.grade(more, OTHER)
	repository.commit({ [EVALS]: more, 'evals/other/evals.json': OTHER })
	const { exitCode, result } = await judge(repository, github, repository.base)
	expect(exitCode, JSON.stringify(result)).toBe(0)
})

it('no single-field mutation of a definition passes where everything that is left passed', async () => {
	await using repository = makeRepository(COMMITTED)
	let weaker = 0
	const mutants = [...mutate(DEFINITION)] as Definition[]
	// What no longer parses is red already; of the others a sample, because the comparison itself is tried with all beside its code.
	const isUsable = (mutant: Definition) =>
		parseEvals(JSON.stringify(mutant), EVALS, 'reporter').problems.every(({ severity }) => severity !== 'error')
	for (const mutant of mutants.filter(isUsable).filter((_, at) => at % 3 === 0)) {
		repository.grade(mutant)
		repository.commit({ [EVALS]: mutant })
		const { exitCode, reasons } = await judge(repository, github, repository.base)
		const isNeutral = mutant.evals?.[0]?.assertions?.some((each) => typeof each === 'object' && !(each.type && each.severity))
		expect(exitCode, JSON.stringify(mutant)).toBe(isNeutral ? 0 : 1)
		weaker += reasons.some(({ sentence }) => sentence.startsWith('less is asked than before')) ? 1 : 0
	}
	expect(weaker).toBeGreaterThan(5)
})

it('a softer assertion blocks with its place, both sentences and what to do, although everything passed', async () => {
	const { exitCode, result, reasons, stdout, summary } = await judgeChange(
		withFirst({ ...ASSERTION, text: 'The report @octocat' }, 'It says hello'),
	)
	expect(exitCode).toBe(1)
	expect(result.title).toMatch(/^1 weaker check blocks this merge · 3 of 3 assertions passed/)
	expect(reasons).toMatchObject([
		{
			verdict: 'fail',
			where: 'reporter eval-1 assertion 1',
			sentence: 'less is asked than before: the sentence is changed',
			quotes: ['The report names the total', 'The report @octocat'],
			file: EVALS,
			line: expect.any(Number),
			hint: expect.stringContaining('approve exactly this commit'),
		},
	])
	expect(reasons[0]?.hint).toMatch(/weakening: report.*base branch \(nobody has approved it\)/)
	expect(stdout).toContain('less is asked than before')
	expect(summary).toContain('**Before**\n<pre>The report names the total</pre>\n**Now**\n<pre>The report @octocat</pre>')
})

it('files that decide what a definition is worth are compared too', async () => {
	const definition = withFirst({
		text: 'It checks',
		grader: 'command',
		options: { command: ['node', 'check.mjs', '--rules=rules.txt'] },
	})
	const [first, second] = definition.evals
	const linked: Definition = { ...definition, evals: [{ ...first!, files: ['in.csv', 'linked.csv', 'data'] }, second!] }
	const base = {
		[EVALS]: linked,
		...{ 'evals/reporter/linked.csv': { link: '../../shared/in.csv' }, 'shared/in.csv': 'a' },
		...{ 'evals/reporter/data/a': 'a', 'evals/reporter/check.mjs': '1', 'evals/reporter/rules.txt': '1' },
		'base/reporter/eval-1/grading.json': { assertion_results: [{ text: 'It checks', passed: true, evidence: 'old' }] },
	}
	const files = {
		...{ 'evals/reporter/in.csv': 'a\n', 'shared/in.csv': 'b', 'evals/reporter/data/b': 'b' },
		...{ 'evals/reporter/check.mjs': '2', 'evals/reporter/rules.txt': '2' },
		'base/reporter/eval-1/grading.json': { assertion_results: [{ text: 'It checks', passed: false, evidence: 'old' }] },
		[POLICY]: 'severities: [{ eval: 2, severity: notice }]\nweakening: report\n',
	}
	const options = { inputs: { baseline: 'base/{skill}' } }
	const { exitCode, reasons } = await judgeChange(linked, { base, files, options })
	expect(exitCode).toBe(1)
	expect(reasons.map(({ where, sentence, file }) => `${where}: ${sentence.split(': ')[1]}: ${file}`)).toEqual([
		'reporter eval-2 assertion 1: the severity is lowered from error to notice: evals/reporter/evals.json',
		'reporter eval-1: an input file is changed: evals/reporter/in.csv',
		'reporter eval-1: an input file is changed: evals/reporter/linked.csv',
		'reporter eval-1: an input file is changed: evals/reporter/data',
		'reporter eval-1 assertion 1: a program that grades is changed: evals/reporter/check.mjs',
		'reporter eval-1 assertion 1: a program that grades is changed: evals/reporter/rules.txt',
		'reporter: the baseline is changed: base/reporter',
		': the policy is added: .github/skill-evals.yml',
	])
	expect((await judgeChange(linked, { base, options })).exitCode).toBe(0)
})

describe('an approval of exactly this commit by somebody with write access', () => {
	type Review = Parameters<GitHub['addReview']>[0]
	const approve = (author: string, more: Partial<Review> = {}): Review => ({ author, event: 'APPROVE', ...more })
	/** Who wrote the pull request is octocat. */
	async function judgeReviewed(
		reviews: Review[],
		options: {
			fail?: Parameters<GitHub['fail']>[0]
			action?: Partial<ActionOptions>
			after?: (repository: Repository) => void
		} = {},
	) {
		await using reviewed = await startGitHub()
		for (const login of ['maintainer', 'octocat', 'github-actions[bot]']) reviewed.permissions.set(login, 'write')
		await using repository = makeRepository(COMMITTED)
		repository.grade(SOFTER)
		reviewed.setHeadSha(repository.commit({ [EVALS]: SOFTER }))
		for (const review of reviews) await reviewed.addReview(review)
		options.after?.(repository)
		if (options.fail) reviewed.fail(options.fail)
		const ended = await judge(repository, reviewed, repository.base, options.action)
		return { ...ended, violations: reviewed.violations }
	}

	it('lifts the block, and the comment says first who it was', async () => {
		const { exitCode, result, summary, stdout, violations } = await judgeReviewed([
			approve('reader'),
			approve('maintainer', { event: 'REQUEST_CHANGES' }),
			approve('maintainer'),
			approve('maintainer', { event: 'COMMENT' }),
		])
		expect(violations).toEqual([])
		expect(exitCode, JSON.stringify(result)).toBe(0)
		expect(result.weakened).toMatchObject({ blocks: false, because: 'maintainer approved this commit' })
		expect(summary.split('\n').slice(0, 5)).toEqual([
			'### ✅ 3 of 3 assertions passed · 2 of 2 evals graded',
			'',
			'⚠️ **This change asks less than its base** in 1 place, which does not block: maintainer approved this commit.',
			'',
			expect.stringMatching(
				/^- \*\*reporter eval-1 assertion 1\*\* · less is asked than before: the severity is lowered from error to warning/,
			),
		])
		expect(stdout).toContain('the severity is lowered from error to warning')
	})

	it('is none for another commit than the one that is checked out', async () => {
		const { exitCode, reasons } = await judgeReviewed([approve('maintainer')], {
			action: { env: { GITHUB_SHA: 'f'.repeat(40) } },
			after: (repository) => repository.commit({ 'README.md': 'z' }),
		})
		expect(exitCode).toBe(1)
		expect(reasons[0]?.hint).toMatch(/older commit/)
	})
})
