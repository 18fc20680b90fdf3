import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Problem } from '../../definition.ts'
import { isInside } from '../files.ts'
import { type ProcessEnd, runProcess } from '../process.ts'

const GIT_TIMEOUT_MS = 60_000
/** A definition larger than this is not read here, and its absence would look like "new": it is a problem. */
const KEPT_BYTES = 4 * 1024 * 1024
/** What definitions and policies are written in. */
const DEFINITION = /\.(json|ya?ml|mdc?)$/i
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

export type BaseCommit = {
	/** Object ids by path, of regular files only. */
	blobs: Map<string, string>
	problems: Problem[]
}

/**
 * Writes the definitions of one commit below `into`, for the same readers that read head, and lists all its files.
 * In: the repository, the full SHA. It is fetched where a shallow checkout lacks it; what cannot be read is an error, never "no base".
 */
export async function readBaseCommit(repository: string, sha: string, into: string): Promise<BaseCommit> {
	if (!SHA.test(sha)) return failed('the base commit is not named by a full SHA', 'run the gate on pull_request')
	if (!(await hasCommit(repository, sha))) await git(repository, ['fetch', '--no-tags', '--depth=1', 'origin', sha])
	if (!(await hasCommit(repository, sha)))
		return failed(
			`the base commit ${sha} is not in this checkout and could not be fetched`,
			'set fetch-depth: 0 at actions/checkout, so that what the pull request changes can be compared',
		)
	const tree = await git(repository, ['ls-tree', '-r', '-z', '--full-tree', sha])
	if (!isWhole(tree)) return failed(`the files of the base commit ${sha} could not be listed`)
	const blobs = new Map(
		[...tree.stdout.matchAll(/(?:^|\0)100\d{3} blob ([0-9a-f]+)\t([^\0]+)/g)].map(([, id, path]) => [path ?? '', id ?? '']),
	)
	const problems: Problem[] = []
	for (const [path, id] of blobs) {
		if (DEFINITION.test(path)) problems.push(...(await writeBlob(repository, id, path, into)))
	}
	return { blobs, problems }
}

async function writeBlob(repository: string, id: string, path: string, into: string): Promise<Problem[]> {
	const target = resolve(into, path)
	const blob = await git(repository, ['cat-file', 'blob', id])
	if (!isInside(target, into) || !isWhole(blob))
		return failed('a file of the base commit could not be read', undefined, path).problems
	await mkdir(dirname(target), { recursive: true })
	await writeFile(target, blob.stdout)
	return []
}

async function hasCommit(repository: string, sha: string): Promise<boolean> {
	return isWhole(await git(repository, ['cat-file', '-e', `${sha}^{commit}`]))
}

function isWhole(end: ProcessEnd): boolean {
	return end.exitCode === 0 && end.failure === undefined && !end.stdoutCut
}

/** Plumbing only: `status` and `diff` start programs that the repository's own configuration names. `git replace` must not alter what a SHA means. */
function git(repository: string, parameters: string[]): Promise<ProcessEnd> {
	const { PATH = '', HOME = '' } = process.env
	return runProcess({
		argv: ['git', '--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', ...parameters],
		cwd: repository,
		environment: { PATH, HOME, GIT_NO_REPLACE_OBJECTS: '1', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' },
		stdin: '',
		timeoutMs: GIT_TIMEOUT_MS,
		keptBytes: KEPT_BYTES,
	})
}

function failed(message: string, hint?: string, file?: string): BaseCommit {
	return { blobs: new Map(), problems: [{ code: 'base-unreadable', severity: 'error', message, hint, file }] }
}
