import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { followLinks, type Tree } from '../../core/tree.ts'
import { isInside } from '../files.ts'
import { readBlobs, readTree } from './git.ts'

/** What of a workspace a baseline is read from; outputs are never looked into. */
const READ = new Set(['grading.json', 'timing.json', 'benchmark.json', 'eval_metadata.json'])
const CLOSED = new Set(['outputs', 'inputs'])

export type WrittenTree =
	| { status: 'written'; directory: string; path: string }
	| { status: 'missing' }
	| { status: 'refused'; reason: string }

/**
 * Writes a baseline of a commit below `into`, under the name of its real directory. Links are followed inside the tree and written as what they
 * lead to, so that nothing that is read later leads anywhere. `missing` only if nothing is there; a link that leads nowhere is refused.
 */
export async function writeBaselineTree(repository: string, sha: string, path: string, into: string): Promise<WrittenTree> {
	const tree = await readTree(repository, sha)
	if (!tree) return refuse('the files of the commit could not be listed')
	const real = followLinks(tree, path)
	if (real === undefined) return refuse('it is a link that leads out of the repository, or in a circle')
	if (![...tree.keys()].some((each) => each.startsWith(`${real}/`))) return describeAbsence(tree, path, real)
	const wanted = chooseFiles(tree, real)
	if ('refused' in wanted) return refuse(wanted.refused)
	const { files } = wanted
	const blobs = await readBlobs(repository, [...new Set(files.values())])
	if (!blobs) return refuse('its files could not be read')
	const directory = join(into, basename(real))
	await mkdir(directory, { recursive: true })
	for (const [name, id] of files) {
		const target = join(directory, name)
		// A tree that git did not write may name anything.
		if (!isInside(target, directory)) return refuse('it holds a path that leads out of it')
		await mkdir(dirname(target), { recursive: true })
		await writeFile(target, blobs.get(id) ?? '', { flag: 'wx' })
	}
	return { status: 'written', directory, path: real }
}

/** By their paths below the directory the ids of the files that a baseline is read from. */
function chooseFiles(tree: Tree, directory: string): { files: Map<string, string> } | { refused: string } {
	const files = new Map<string, string>()
	for (const [path, { kind }] of tree) {
		const name = path.slice(directory.length + 1)
		const parts = name.split('/')
		if (!path.startsWith(`${directory}/`) || parts.some((part) => CLOSED.has(part))) continue
		const isRead = READ.has(parts.at(-1) ?? '')
		if (kind === 'file' && !isRead) continue
		const target = kind === 'link' ? followLinks(tree, path) : path
		const entry = target === undefined ? undefined : tree.get(target)
		if (entry?.kind !== 'file') return { refused: `${JSON.stringify(name)} in it is a link or a submodule and no file` }
		if (isRead) files.set(name, entry.id)
	}
	return { files }
}

/** Only what does not exist is a first run. */
function describeAbsence(tree: Tree, path: string, real: string): WrittenTree {
	const parent = followLinks(tree, dirname(path))
	const own = parent === undefined ? undefined : tree.get(parent === '' ? basename(path) : `${parent}/${basename(path)}`)
	if (own?.kind === 'link') return refuse('it is a link that leads to no directory')
	const parts = real.split('/')
	const isBlocked = parts.some((_, at) => tree.has(parts.slice(0, at + 1).join('/')))
	return isBlocked ? refuse('it is, or lies below, a file or a submodule') : { status: 'missing' }
}

function refuse(reason: string): WrittenTree {
	return { status: 'refused', reason }
}
