import { git, readCommit } from './git.ts'

/** 40 hex digits, or 64: a shorter name could be another commit the next time. */
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/** `missing`: the repository was asked and has no such branch. `refused`: why nobody can tell. */
export type Resolved = { sha: string } | { missing: string } | { refused: string; hint?: string | undefined }

/**
 * The commit that a full SHA, a branch or a tag names, present in this repository afterwards. Where there is a remote `origin`, it is asked: a
 * job's checkout has no other branches, and a local one of the same name may be old or somebody else's.
 */
export async function resolveRef(repository: string, name: string): Promise<Resolved> {
	const resolved = SHA.test(name) ? { sha: name } : await lookUp(repository, name)
	if (!('sha' in resolved)) return resolved
	const { sha } = resolved
	if (!(await readCommit(repository, sha)))
		await git(repository, ['fetch', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--depth=1', 'origin', sha])
	const commit = await readCommit(repository, sha)
	if (commit) return { sha: commit.id }
	const hint = 'set fetch-depth: 0 at actions/checkout, and keep its persist-credentials'
	return { refused: `the commit ${sha} is not in this checkout and could not be fetched`, hint }
}

async function lookUp(repository: string, name: string): Promise<Resolved> {
	const names = [`refs/heads/${name}`, `refs/tags/${name}`]
	const remote = await git(repository, ['config', '--get', 'remote.origin.url'])
	const listed = remote.isWhole
		? await git(repository, ['ls-remote', '--', 'origin', ...names])
		: await git(repository, ['for-each-ref', '--format=%(objectname)%09%(refname)', ...names])
	if (!listed.isWhole) {
		const what = remote.isWhole ? 'origin could not be asked for' : 'this is no git repository that could be asked for'
		return { refused: `${what} ${name}`, hint: 'check out with actions/checkout, and keep its persist-credentials' }
	}
	const lines = listed.stdout.toString('utf8').split('\n')
	const found = lines.flatMap((line) => {
		const [sha = '', ref = ''] = line.split('\t')
		return names.includes(ref) ? [sha] : []
	})
	const [sha, second] = found
	if (second !== undefined) return { refused: `${name} is a branch and a tag`, hint: 'name the commit by its full SHA' }
	return sha === undefined ? { missing: `there is no branch or tag ${name}` } : { sha }
}
