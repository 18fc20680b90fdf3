import { type Account, makeAccount } from './objects.ts'

/** The parts of GitHub's pull request object that a reporter reads; also the `pull_request` of an event payload. */
export type Repository = {
	id: number
	name: string
	full_name: string
	owner: { login: string; type: string }
	private: boolean
	fork: boolean
	default_branch: string
	html_url: string
}

type Side<Repo> = { label: string; ref: string; sha: string; repo: Repo }

export type PullRequest = {
	number: number
	state: 'open' | 'closed'
	title: string
	draft: boolean
	merged: boolean
	locked: boolean
	html_url: string
	user: Account
	author_association: string
	/** `repo` is null once a fork was deleted. */
	head: Side<Repository | null>
	base: Side<Repository>
}

export const HEAD_SHA = 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334'
export const BASE_SHA = '0f1e2d3c4b5a69788796a5b4c3d2e1f00fedcba9'

export function makeRepository(fullName: string, changes: Partial<Repository> = {}): Repository {
	const [owner = '', name = ''] = fullName.split('/')
	return {
		id: 1296269,
		name,
		full_name: fullName,
		owner: { login: owner, type: 'Organization' },
		private: false,
		fork: false,
		default_branch: 'main',
		html_url: `https://github.com/${fullName}`,
		...changes,
	}
}

export function makePull(repository: Repository, number: number): PullRequest {
	const { login } = repository.owner
	return {
		number,
		state: 'open',
		title: 'Teach the skill to read scanned pages',
		draft: false,
		merged: false,
		locked: false,
		html_url: `https://github.com/${repository.full_name}/pull/${number}`,
		user: makeAccount('octocat'),
		author_association: 'CONTRIBUTOR',
		head: { label: `${login}:scanned-pages`, ref: 'scanned-pages', sha: HEAD_SHA, repo: repository },
		base: { label: `${login}:main`, ref: 'main', sha: BASE_SHA, repo: repository },
	}
}
