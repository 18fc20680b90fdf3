import type { Published } from '../../decision.ts'
import { describeHttp, type Octokit, pauseBefore, type Repository, retry } from './client.ts'

export type CommentRequest = Repository & {
	/** The pull request's number, from the event or the API, never from a file. */
	number: number
	/** The comment's first line, by which it is found again. */
	marker: string
	body: string
	/** The tested commit: a comment about an older one would mislead. */
	headSha: string | undefined
	/** Nothing is created, but a comment that exists is still updated. */
	updateOnly: boolean
}

type Comment = { id: number; html_url: string }

/**
 * Leaves exactly one comment of ours under this marker: the oldest is updated, later ones of ours are removed, and only if there is none
 * is one created. Never touches anybody else's comment. Trouble is a value, because a verdict does not depend on it.
 */
export async function publishComment(octokit: Octokit, request: CommentRequest): Promise<Published> {
	try {
		const { data: pull } = await retry(() =>
			octokit.rest.pulls.get({ owner: request.owner, repo: request.repo, pull_number: request.number }),
		)
		if (request.headSha !== undefined && pull.head.sha !== request.headSha) {
			return { status: 'skipped', reason: `the pull request has moved on to commit ${pull.head.sha.slice(0, 7)}`, trouble: false }
		}
		const login = await readLogin(octokit)
		const [oldest, ...surplus] = await findComments(octokit, request, login)
		if (!oldest && request.updateOnly)
			return { status: 'skipped', reason: 'there is no earlier comment to update', trouble: false }
		if (!oldest) return await create(octokit, request, login)
		const updated = await update(octokit, request, oldest)
		return { ...updated, notes: await removeSurplus(octokit, request, surplus) }
	} catch (error) {
		return describeTrouble(error)
	}
}

/** GraphQL tells an App's own login, which REST does not; without the suffix `[bot]` that REST has. */
async function readLogin(octokit: Octokit): Promise<string> {
	const answer = await retry(() => octokit.graphql<{ viewer: { login: string } }>('query { viewer { login } }'))
	return answer.viewer.login.replace(/\[bot\]$/, '')
}

async function findComments(
	octokit: Octokit,
	{ owner, repo, number, marker }: CommentRequest,
	login: string,
): Promise<Comment[]> {
	const all = await retry(() =>
		octokit.paginate(octokit.rest.issues.listComments, { owner, repo, issue_number: number, per_page: 100 }),
	)
	const isOurs = (author: string | undefined) => author?.replace(/\[bot\]$/, '') === login
	return all
		.filter(({ body, user }) => body?.startsWith(`${marker}\n`) && isOurs(user?.login))
		.sort((a, b) => a.id - b.id)
		.map(({ id, html_url }) => ({ id, html_url }))
}

async function update(
	octokit: Octokit,
	{ owner, repo, body }: CommentRequest,
	{ id }: Comment,
): Promise<{ status: 'updated'; url: string }> {
	const { data } = await retry(() => octokit.rest.issues.updateComment({ owner, repo, comment_id: id, body }))
	return { status: 'updated', url: data.html_url }
}

/** A create that got no proper answer may have been stored all the same, so it is repeated only after a look that it was not. */
async function create(octokit: Octokit, request: CommentRequest, login: string): Promise<Published> {
	const { owner, repo, number, body } = request
	let url: string | undefined
	for (let attempt = 1; url === undefined; attempt++) {
		try {
			url = (await octokit.rest.issues.createComment({ owner, repo, issue_number: number, body })).data.html_url
		} catch (error) {
			const pauseMs = pauseBefore(error, attempt)
			if (pauseMs === undefined || attempt === 3) throw error
			await new Promise((resolve) => setTimeout(resolve, pauseMs))
			url = (await findComments(octokit, request, login))[0]?.html_url
		}
	}
	// Another job may have created one at the same moment: the oldest stays, so that both jobs agree which.
	const [oldest, ...surplus] = await findComments(octokit, request, login)
	return { status: 'created', url: oldest?.html_url ?? url, notes: await removeSurplus(octokit, request, surplus) }
}

async function removeSurplus(octokit: Octokit, { owner, repo }: CommentRequest, surplus: Comment[]): Promise<string[]> {
	const notes: string[] = []
	for (const { id } of surplus) {
		// A 404 means that another job was faster.
		const failed = await retry(() => octokit.rest.issues.deleteComment({ owner, repo, comment_id: id })).catch((error) =>
			describeHttp(error),
		)
		if ('message' in failed && failed.status !== 404)
			notes.push(`a second comment of ours (${id}) could not be removed: ${failed.message}`)
	}
	return notes
}

/** The failure and what to do about it. A private repository answers 404 where a permission is missing. */
function describeTrouble(error: unknown): Published {
	const { status, message, headers } = describeHttp(error)
	const skip = (reason: string, hint?: string): Published => ({ status: 'skipped', reason, hint, trouble: true })
	const isLimit = status === 429 || headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(message)
	if (isLimit) return skip(`GitHub's rate limit is reached (${message})`, 'the summary of this job has the whole report')
	if (status === 401) return skip('GitHub does not accept the token', 'check the input "github-token"')
	if (status === 403 || status === 404) {
		return skip(
			`the token may not comment (HTTP ${status}: ${message})`,
			'add to the job: permissions: { pull-requests: write }; a fork’s pull request has no such token',
		)
	}
	if (status === 422) return skip(`GitHub refused the comment (${message})`)
	return skip(status === undefined ? `GitHub could not be reached (${message})` : `GitHub answered HTTP ${status} (${message})`)
}
