import type { Repository } from './pull.ts'

/** GitHub's objects as a reporter sees them, made from what emulate stored and who wrote it. */
export type Account = { login: string; id: number; type: 'Bot' | 'User'; html_url: string }
export type Author = { login: string; association: string }

export type Comment = {
	id: number
	node_id: string
	url: string
	html_url: string
	issue_url: string
	body: string
	user: Account
	author_association: string
	created_at: string
	updated_at: string
	performed_via_github_app: { slug: string } | null
}

export type Review = {
	id: number
	node_id: string
	html_url: string
	body: string
	state: string
	commit_id: string
	submitted_at?: string
	user: Account
	author_association: string
}

/** What emulate answers for a comment or a review; its `user` is always the seeded admin. */
export type Stored = { id: number; node_id: string; body: string | null; issue_url: string } & Record<
	'created_at' | 'updated_at' | 'state' | 'commit_id' | 'submitted_at',
	string
>

const BOT_SUFFIX = /\[bot\]$/

export function makeAccount(login: string): Account {
	const isBot = BOT_SUFFIX.test(login)
	const profile = isBot ? `apps/${login.replace(BOT_SUFFIX, '')}` : login
	const id = [...login].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 99_999_989, 7)
	return { login, id, type: isBot ? 'Bot' : 'User', html_url: `https://github.com/${profile}` }
}

export function makeComment(stored: Stored, author: Author, origin: string, repository: Repository): Comment {
	const { id, node_id, body } = stored
	const number = stored.issue_url.split('/').at(-1)
	const api = `${origin}/repos/${repository.full_name}/issues`
	const user = makeAccount(author.login)
	return {
		id,
		node_id,
		url: `${api}/comments/${id}`,
		html_url: `${repository.html_url}/pull/${number}#issuecomment-${id}`,
		issue_url: `${api}/${number}`,
		body: body ?? '',
		user,
		author_association: author.association,
		created_at: cutMilliseconds(stored.created_at),
		updated_at: cutMilliseconds(stored.updated_at),
		performed_via_github_app: user.type === 'Bot' ? { slug: author.login.replace(BOT_SUFFIX, '') } : null,
	}
}

export function makeReview(stored: Stored, author: Author, pullUrl: string): Review {
	const { id, node_id, body, state, commit_id } = stored
	return {
		id,
		node_id,
		html_url: `${pullUrl}#pullrequestreview-${id}`,
		body: body ?? '',
		state,
		commit_id,
		...(stored.submitted_at ? { submitted_at: cutMilliseconds(stored.submitted_at) } : {}),
		user: makeAccount(author.login),
		author_association: author.association,
	}
}

/** GitHub's times end at the second, so that two comments can bear the same one. */
function cutMilliseconds(time: string): string {
	return time.replace(/\.\d+Z$/, 'Z')
}
