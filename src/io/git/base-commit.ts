import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { followLinks, type Tree } from '../../core/tree.ts'
import type { Problem } from '../../definition.ts'
import { isInside } from '../files.ts'
import { git, readBlobs, readCommit, readTree } from './git.ts'

/** 40 hex digits, or 64: a name could be another commit the next time. */
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

export type BaseCommit = { tree: Tree; problems: Problem[] }

/**
 * Lists one commit and writes the files that `select` names below `into`, and all links, for the same readers that read head.
 * In: the repository, the full SHA. It is fetched where a shallow checkout lacks it; what cannot be read is an error, never "no base".
 */
export async function readBaseCommit(
	repository: string,
	sha: string,
	into: string,
	select: (tree: Tree) => string[],
): Promise<BaseCommit> {
	const { tree, problems } = await openBaseCommit(repository, sha)
	return problems.length > 0 ? { tree, problems } : { tree, problems: await writeFiles(repository, tree, into, select(tree)) }
}

/** Lists its files, and writes none. */
export async function openBaseCommit(repository: string, sha: string): Promise<BaseCommit> {
	if (!SHA.test(sha)) return failed('the base commit is not named by a full SHA', 'run the gate on pull_request')
	if (!(await readCommit(repository, sha)) && !(await fetchCommit(repository, sha)))
		return failed(
			`the base commit ${sha} is not in this checkout and could not be fetched`,
			'set fetch-depth: 0 at actions/checkout, so that what the pull request changes can be compared',
		)
	const tree = await readTree(repository, sha)
	return tree ? { tree, problems: [] } : failed(`the files of the base commit ${sha} could not be listed`)
}

async function fetchCommit(repository: string, sha: string): Promise<boolean> {
	const options = ['--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--depth=1']
	await git(repository, ['fetch', ...options, 'origin', sha])
	return (await readCommit(repository, sha)) !== undefined
}

async function writeFiles(repository: string, tree: Tree, into: string, wanted: string[]): Promise<Problem[]> {
	const real = new Set(wanted.flatMap((path) => followLinks(tree, path) ?? []))
	const files = [...real].filter((path) => tree.get(path)?.kind === 'file')
	const ids = files.map((path) => tree.get(path)?.id ?? '')
	const blobs = await readBlobs(repository, [...new Set(ids)])
	if (!blobs) return failed('the definitions of the base commit could not be read').problems
	const lost: string[] = []
	const write = async (path: string, step: (target: string) => Promise<void>) => {
		const target = resolve(into, path)
		const isDone =
			isInside(target, into) &&
			(await mkdir(dirname(target), { recursive: true })
				.then(() => step(target))
				.then(isFine, isNot))
		if (!isDone) lost.push(path)
	}
	for (const [at, path] of files.entries())
		await write(path, (target) =>
			writeFile(target, blobs.get(ids[at] ?? '') ?? '', { flag: 'wx', mode: tree.get(path)?.isProgram ? 0o755 : 0o644 }),
		)
	// After the files, so that none is written through a link.
	for (const [path, { kind, target = '' }] of tree) if (kind === 'link') await write(path, (link) => symlink(target, link))
	return lost.flatMap((path) => failed('a file of the base commit could not be read', undefined, path).problems)
}

const isFine = () => true
const isNot = () => false

function failed(message: string, hint?: string, file?: string): BaseCommit {
	return { tree: new Map(), problems: [{ code: 'base-unreadable', severity: 'error', message, hint, file }] }
}
