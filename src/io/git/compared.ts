import { dirname, join } from 'node:path'
import { numberAt, textAt } from '../../core/trust.ts'
import { isObject } from '../../formats/json.ts'
import type { Event } from '../event.ts'
import { exists } from '../files.ts'
import { git, readCommit } from './git.ts'

/** A pull request, and its commit where the event names it. */
export type PullHead = { number: number; headSha?: string | undefined }
/** `repository` is the top of the work tree; `base` is what the event says, a full SHA if it is right. */
export type Compared = { repository: string; base: string; head: string; pull?: PullHead | undefined }
export type Comparison =
	| { status: 'compared'; compared: Compared }
	/** Nobody asked for it. */
	| { status: 'none' }
	| { status: 'no-repository' }
	| { status: 'unreadable'; message: string; hint?: string | undefined }

/**
 * Which commit head is compared with: the base of the pull request or merge group that the event is about, else what `baseRef` names.
 * GitHub's own merge commit names the base that it was made with, which is newer than that of the event where the base branch moved on.
 */
export async function chooseBase(
	{ payload }: Event,
	baseRef: string | undefined,
	places: { cwd: string; files: string[]; githubSha: string | undefined },
): Promise<Comparison> {
	const isAsked = isObject(payload) && (payload.pull_request !== undefined || payload.merge_group !== undefined)
	if (!isAsked && baseRef === undefined) return { status: 'none' }
	const found = await findRepository([places.cwd, ...places.files.slice(0, 1).map((file) => dirname(file))])
	if (typeof found !== 'object') return isAsked ? { status: 'no-repository' } : unreadable('there is no git repository here')
	if (found.fault !== undefined) return unreadable(`git cannot read this checkout (${found.fault})`, 'install git in the job')
	const { repository } = found
	const head = await readCommit(repository, 'HEAD')
	if (!head) return unreadable('the commit that is checked out cannot be read')
	if (!isAsked) {
		const named = await readCommit(repository, baseRef ?? '')
		if (!named)
			return unreadable('the input "base-ref" names no commit of this repository', 'fetch it first, or correct the name')
		return { status: 'compared', compared: { repository, base: named.id, head: head.id } }
	}
	const pull = readPull(payload)
	const isMerge = head.id === places.githubSha && head.parents.length === 2 && head.parents[1] === pull?.headSha
	const said = textAt(payload, 'pull_request', 'base', 'sha') ?? textAt(payload, 'merge_group', 'base_sha')
	const base = isMerge ? head.parents[0] : said
	// An approval of the pull request's commit says nothing of another one that is checked out.
	const isTested = isMerge || head.id === (pull?.headSha ?? textAt(payload, 'merge_group', 'head_sha'))
	return { status: 'compared', compared: { repository, base: base ?? '', head: head.id, pull: isTested ? pull : undefined } }
}

/** The pull request of the event; a merge group names it in its branch, and its commit is asked of the API. */
function readPull(payload: unknown): PullHead | undefined {
	const number = numberAt(payload, 'pull_request', 'number')
	const headSha = textAt(payload, 'pull_request', 'head', 'sha')
	if (number !== undefined && headSha !== undefined) return { number, headSha }
	const [, queued] = /\/pr-(\d{1,9})-[0-9a-f]{40,64}$/.exec(textAt(payload, 'merge_group', 'head_ref') ?? '') ?? []
	return queued === undefined ? undefined : { number: Number(queued) }
}

/** The repository of the first of these directories that is in one. */
async function findRepository(directories: string[]): Promise<{ repository: string; fault?: string } | undefined> {
	for (const directory of directories) {
		const { isWhole, stdout, stderr } = await git(directory, ['rev-parse', '--show-toplevel'])
		if (isWhole) return { repository: stdout.toString('utf8').replace(/\r?\n$/, '') }
		if (await exists(join(directory, '.git'))) return { repository: directory, fault: stderr.trim().split('\n')[0] ?? '' }
	}
	return undefined
}

function unreadable(message: string, hint?: string): Comparison {
	return { status: 'unreadable', message, hint }
}
