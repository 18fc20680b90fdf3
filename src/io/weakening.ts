import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { basename, isAbsolute, join, relative } from 'node:path'
import { findWeakenings, type Weakening } from '../core/contract.ts'
import { findChangedFiles } from '../core/contract-files.ts'
import type { Reason, Weakened } from '../decision.ts'
import type { Policy, Problem, Suite } from '../definition.ts'
import type { Inputs } from '../inputs.ts'
import { VERSION } from '../version.ts'
import { type BasePlaces, findLost, listWatched, moveInputs, selectDefinitions } from './base-files.ts'
import type { Event } from './event.ts'
import type { Machine } from './execute.ts'
import { exists, isInside, showPath } from './files.ts'
import { readBaseCommit } from './git/base-commit.ts'
import { type Compared, chooseBase, type PullHead } from './git/compared.ts'
import { readTree } from './git/git.ts'
import { type Approval, findApproval } from './github/approval.ts'
import { createClient } from './github/client.ts'
import { findSuites, POLICY_FILE, readDefinitions, readPolicy } from './suites.ts'

/** What there is to say against head, and what the policy of base says that this means. */
type Compare = { reasons: Reason[]; policy: Policy['weakening']; isFirst?: boolean }

/**
 * What head asks less than its base commit, and whether that blocks: not if the policy of base only reports it, or if somebody who may has approved head.
 * In: the suites of head. Nothing where no base is named. A base that cannot be read is a reason, never taken for none.
 */
export async function findWeakened(
	head: Suite[],
	inputs: Inputs,
	{ places, environment, event }: Machine & { event: Event },
): Promise<{ weakened?: Weakened | undefined; problems: Problem[] }> {
	const files = head.map((suite) => join(suite.evalsDir, basename(suite.file)))
	const chosen = await chooseBase(event, inputs['base-ref'], { cwd: places.cwd, files, githubSha: environment.GITHUB_SHA })
	if (chosen.status === 'none') return { problems: [] }
	if (chosen.status === 'no-repository') {
		const message = 'this is no git checkout, so that what is asked could not be compared with the base of the pull request'
		return { problems: [notice(message, 'check the repository out with actions/checkout')] }
	}
	if (chosen.status === 'unreadable') return { weakened: { found: [toUnreadable(chosen)], blocks: true }, problems: [] }
	const { reasons, policy, isFirst } = await compareCommits(head, chosen.compared, inputs, places)
	if (isFirst) return { problems: [notice('the base commit has no evals yet: there is nothing to compare what is asked with')] }
	if (reasons.length === 0) return { problems: [] }
	if (policy === 'report') {
		return { weakened: { found: reasons, blocks: false, because: 'the policy of the base commit only reports it' }, problems: [] }
	}
	const approval = await askApproval(chosen.compared.pull, inputs, environment)
	if ('by' in approval)
		return { weakened: { found: reasons, blocks: false, because: `${approval.by} approved this commit` }, problems: [] }
	const [first, ...rest] = reasons
	const hint = `${first?.hint === undefined ? '' : `${first.hint}; or `}${ADVICE} (${approval.missing})`
	return { weakened: { found: [...(first ? [{ ...first, hint }] : []), ...rest], blocks: true }, problems: [] }
}

const ADVICE = `let somebody with write access who is not the author approve exactly this commit, and run this job again; or put weakening: report into ${POLICY_FILE} of the base branch`

async function compareCommits(head: Suite[], compared: Compared, inputs: Inputs, places: Machine['places']): Promise<Compare> {
	await mkdir(places.temp, { recursive: true })
	const temp = await realpath(await mkdtemp(join(places.temp, 'skill-eval-base-')))
	const cwd = await realpath(places.cwd)
	const { repository } = compared
	// Every path relative to the working directory means the same in base.
	const base = isInside(repository, cwd)
		? { cwd: temp, treeDir: join(temp, relative(cwd, repository)) }
		: { cwd: join(temp, relative(repository, cwd)), treeDir: temp }
	const toHead = (suite: Suite): Suite => {
		const path = isAbsolute(suite.file) ? join(repository, relative(base.treeDir, suite.file)) : undefined
		return path === undefined ? suite : { ...suite, file: showPath(path, places.cwd) }
	}
	try {
		return await compareIn(base, head, toHead, compared, moveInputs(inputs, places.cwd, repository))
	} finally {
		await rm(temp, { recursive: true, force: true })
	}
}

async function compareIn(
	base: BasePlaces,
	head: Suite[],
	toHead: (suite: Suite) => Suite,
	{ repository, base: baseId, head: headId }: Compared,
	inputs: Inputs,
): Promise<Compare> {
	await mkdir(base.cwd, { recursive: true })
	const { tree, problems } = await readBaseCommit(repository, baseId, base.treeDir, (all) => selectDefinitions(all, inputs.evals))
	if (problems.length > 0) return { reasons: problems.map(toUnreadable), policy: 'block' }
	const headTree = await readTree(repository, headId)
	if (!headTree)
		return { reasons: [toUnreadable({ message: 'the files of the tested commit could not be listed' })], policy: 'block' }
	const places = { cwd: base.cwd, temp: base.treeDir }
	const found = await findSuites({ ...inputs, 'allow-empty': true }, places)
	const read = await readDefinitions(await keepExisting(found.files), inputs, places)
	const policy = (await readPolicy(base.cwd)).value?.weakening ?? 'block'
	const lost = findLost(inputs.evals, tree, headTree, base)
	const faults = [...found.problems, ...read.problems, ...lost].filter(({ severity }) => severity === 'error')
	if (faults.length > 0) return { reasons: faults.map(toUnreadable), policy }
	const suites = read.suites.map(toHead)
	if (suites.length === 0) return { reasons: [], policy, isFirst: true }
	const changed = findChangedFiles(listWatched(suites, POLICY_FILE, base), tree, headTree)
	return { reasons: [...findWeakenings(suites, head), ...changed].map(toReason), policy }
}

/** A path that base has not is that of a new suite; a link that leads nowhere is there. */
async function keepExisting(files: string[]): Promise<string[]> {
	const kept = await Promise.all(files.map(exists))
	return files.filter((_, at) => kept[at])
}

async function askApproval(pull: PullHead | undefined, inputs: Inputs, environment: NodeJS.ProcessEnv): Promise<Approval> {
	const [owner, repo] = (environment.GITHUB_REPOSITORY ?? '').split('/')
	const token = inputs['github-token']
	if (!pull) return { missing: 'what is checked out is not the commit of a pull request, so that no approval counts' }
	if (!owner || !repo || !token) return { missing: 'without a token reviews cannot be read: set the input "github-token"' }
	return findApproval(await createClient(token, environment, VERSION), { owner, repo, ...pull })
}

function toReason({ sentence, ...weakening }: Weakening): Reason {
	return { verdict: 'fail', severity: 'error', ...weakening, sentence: `less is asked than before: ${sentence}`, weakening: true }
}

function toUnreadable({ message, file, line, hint }: Pick<Problem, 'message'> & Partial<Problem>): Reason {
	const sentence = `what the base commit asks cannot be read, and so not compared: ${message}`
	return { verdict: 'incomplete', severity: 'error', where: '', sentence, quotes: [], file, line, hint, weakening: true }
}

function notice(message: string, hint?: string): Problem {
	return { code: 'weakening', severity: 'notice', message, hint }
}
