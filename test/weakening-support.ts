import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { makePullRequestEvent } from './github/events.ts'
import type { GitHub } from './github/server.ts'
import { type ActionOptions, type ActionResult, runAction } from './support/program.ts'
import { makeTree, type Tree, type TreeFile } from './support/tree.ts'

export const EVALS = 'evals/reporter/evals.json'
export const POLICY = '.github/skill-evals.yml'
export const ASSERTION = {
	id: 'total',
	text: 'The report names the total',
	severity: 'error',
	type: 'regression',
	weight: 2,
	grader: 'contains',
	options: { value: 'Revenue: 42' },
	target: { source: 'file', path: 'report.md' },
}
export const DEFINITION: Definition = {
	skill_name: 'reporter',
	evals: [
		{ id: 1, prompt: 'Write it.', expected_output: 'A report', files: ['in.csv'], assertions: [ASSERTION, 'It says hello'] },
		{ id: 2, prompt: 'Write it again.', assertions: ['It is short'] },
	],
}
export type Definition = {
	skill_name: string
	evals: {
		id: number
		prompt: string
		expected_output?: string
		files?: string[]
		assertions: (string | { text: string; [field: string]: unknown })[]
	}[]
	[field: string]: unknown
}

/** A grading for each eval in which everything that is declared passed: only what was weakened can make this red. */
function gradeAll({ skill_name, evals = [] }: Definition): Record<string, TreeFile> {
	const rows = (assertions: Definition['evals'][number]['assertions'] = []) =>
		assertions.map((each) => ({ text: typeof each === 'string' ? each : each.text, passed: true, evidence: 'seen' }))
	const place = (id: unknown) => `results/${skill_name}/eval-${id}/grading.json`
	return Object.fromEntries(evals.map(({ id, assertions }) => [place(id), { assertion_results: rows(assertions) }]))
}

export type Repository = Tree & {
	git: (...parameters: string[]) => string
	commit: (files?: Record<string, TreeFile>, removed?: string[]) => string
	/** Puts results there in which everything of these passed, and nothing else. */
	grade: (...definitions: Definition[]) => void
}

/** A checkout with one commit. Results are never in a commit. */
export function makeRepository(files: Record<string, TreeFile>): Repository & { base: string } {
	const tree = makeTree({ '.git/info/exclude': 'results\n' })
	const git = (...parameters: string[]) =>
		execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...parameters], {
			cwd: tree.dir,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'pipe'],
		}).trim()
	git('init', '-q', '-b', 'main')
	git('config', 'core.excludesFile', tree.path('.git/info/exclude'))
	const commit = (changed: Record<string, TreeFile> = {}, removed: string[] = []) => {
		for (const path of [...removed, ...Object.keys(changed)]) rmSync(tree.path(path), { recursive: true, force: true })
		tree.write(changed)
		git('add', '-A')
		git('commit', '-qm', 'c', '--allow-empty')
		return git('rev-parse', 'HEAD')
	}
	const grade = (...definitions: Definition[]) => {
		rmSync(tree.path('results'), { recursive: true, force: true })
		for (const definition of definitions) tree.write(gradeAll(definition))
	}
	return { ...tree, git, commit, grade, base: commit(files) }
}

export const INPUTS = { mode: 'report', evals: 'evals/*/evals.json', workspace: 'results/{skill}', comment: 'never' }

/** The action on a pull request from `base` to what is checked out. */
export async function judge(
	repository: Repository,
	github: GitHub,
	base: string,
	more: Partial<ActionOptions> = {},
): Promise<
	ActionResult & {
		reasons: { sentence: string; verdict: string; where: string; file?: string; line?: number; hint?: string; quotes: string[] }[]
		result: Result
	}
> {
	github.setHeadSha(repository.git('rev-parse', 'HEAD'))
	github.pull.base.sha = base
	const ended = await runAction({
		event: makePullRequestEvent(github),
		github,
		cwd: repository.dir,
		...more,
		inputs: { ...INPUTS, ...more.inputs },
	})
	const result = repository.json('results/result.json') as Result
	return { ...ended, result, reasons: result.reasons as never }
}
type Result = {
	verdict: string
	title: string
	reasons: unknown[]
	weakened?: { found: unknown[]; blocks: boolean; because?: string }
	problems: { message: string }[]
}
