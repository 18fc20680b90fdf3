import { execa } from 'execa'
import { parseTree, type Tree } from '../../core/tree.ts'
import { allowEnvironment } from '../environment.ts'

const TIMEOUT_MS = 120_000
/** The list of a repository with a million files comes near. */
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Settings that a repository must not choose: `fsmonitor` and hooks are programs. The checkout may belong to another user, as in a container;
 * only what is a checkout by its `.git` is one.
 */
const SETTINGS = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'safe.directory=*', 'safe.bareRepository=explicit']

export type GitEnd = { isWhole: boolean; stdout: Buffer; stderr: string }

/** Plumbing only: `status` and `diff` start programs that the repository's own configuration names. `git replace` must not alter what a SHA means. Never throws. */
export async function git(directory: string, parameters: string[], stdin = ''): Promise<GitEnd> {
	const settings = SETTINGS.flatMap((setting) => ['-c', setting])
	const end = await execa('git', ['--no-pager', ...settings, ...parameters], {
		cwd: directory,
		env: { ...allowEnvironment(process.env, []), GIT_NO_REPLACE_OBJECTS: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
		extendEnv: false,
		input: stdin,
		encoding: 'buffer',
		stripFinalNewline: false,
		maxBuffer: MAX_BYTES,
		timeout: TIMEOUT_MS,
		reject: false,
	})
	const stderr = end.failed && end.stderr === undefined ? end.shortMessage : Buffer.from(end.stderr ?? []).toString('utf8')
	return { isWhole: !end.failed, stdout: Buffer.from(end.stdout ?? []), stderr: stderr ?? '' }
}

/** One commit's id and parents. Undefined if the name, which holds no line end, is none of a commit in this repository. */
export async function readCommit(repository: string, name: string): Promise<{ id: string; parents: string[] } | undefined> {
	const { isWhole, stdout } = await git(repository, ['cat-file', '--batch'], `${name}^{commit}\n`)
	const text = stdout.toString('utf8')
	const [, id] = /^([0-9a-f]{40,64}) commit \d+\n/.exec(text) ?? []
	if (!isWhole || id === undefined) return undefined
	const [header = ''] = text.split('\n\n')
	return { id, parents: [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent) }
}

/** All files of a commit, with the targets of links. Undefined if they cannot all be listed. */
export async function readTree(repository: string, id: string): Promise<Tree | undefined> {
	const listed = await git(repository, ['ls-tree', '-r', '-z', '--full-tree', id])
	const tree = listed.isWhole ? parseTree(listed.stdout.toString('utf8')) : undefined
	if (!tree) return undefined
	const links = [...tree.values()].filter(({ kind }) => kind === 'link')
	const targets = await readBlobs(repository, [...new Set(links.map((link) => link.id))])
	if (!targets) return undefined
	for (const link of links) link.target = targets.get(link.id)?.toString('utf8')
	return tree
}

/** Several blobs by one process. Undefined if one of them is missing or the answer is not as promised. */
export async function readBlobs(repository: string, ids: string[]): Promise<Map<string, Buffer> | undefined> {
	if (ids.length === 0) return new Map()
	const { isWhole, stdout } = await git(repository, ['cat-file', '--batch'], ids.map((id) => `${id}\n`).join(''))
	const blobs = new Map<string, Buffer>()
	let at = 0
	for (const id of isWhole ? ids : []) {
		const end = stdout.indexOf('\n', at)
		const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(stdout.toString('latin1', at, end)) ?? []
		const from = end + 1
		const to = from + Number(size)
		if (end < 0 || size === undefined || stdout.length <= to) return undefined
		blobs.set(id, stdout.subarray(from, to))
		at = to + 1
	}
	return blobs.size === ids.length ? blobs : undefined
}
