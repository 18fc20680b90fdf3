import { describeHttp, type Octokit, type Repository, retry } from './client.ts'

export type Approval = { by: string } | { missing: string }

/** Who may merge may also say that less is asked; `maintain` is `write` here. */
const MAY_APPROVE = ['admin', 'write']

/**
 * Whether somebody with write access other than the author approves exactly this commit of a pull request (absent: its newest); with the login or the reason (untrusted text).
 * Of each person the last review that says yes or no counts. An app is no person. Whatever cannot be read is no approval.
 */
export async function findApproval(
	octokit: Octokit,
	{ owner, repo, number, headSha }: Repository & { number: number; headSha?: string | undefined },
): Promise<Approval> {
	try {
		const pull_number = number
		const { data: pull } = await retry(() => octokit.rest.pulls.get({ owner, repo, pull_number }))
		const sha = headSha ?? pull.head.sha
		if (pull.head.sha !== sha) return { missing: 'the pull request has moved on to another commit' }
		const reviews = await retry(() =>
			octokit.paginate(octokit.rest.pulls.listReviews, { owner, repo, pull_number, per_page: 100 }),
		)
		const last = new Map<number, (typeof reviews)[number]>()
		for (const review of reviews) {
			if (review.user && ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'].includes(review.state)) last.set(review.user.id, review)
		}
		const yes = [...last.values()].filter(({ state }) => state === 'APPROVED')
		const refused: string[] = []
		for (const { user, commit_id } of yes) {
			const fault = await findFault(octokit, { owner, repo }, user, { isOlder: commit_id !== sha, author: pull.user })
			if (fault === undefined) return { by: user?.login ?? '' }
			refused.push(`${user?.login} ${fault}`)
		}
		return { missing: refused.length > 0 ? refused.join(', ') : 'nobody has approved it' }
	} catch (error) {
		const { status, message } = describeHttp(error)
		return { missing: `the reviews could not be read (${status === undefined ? message : `HTTP ${status}: ${message}`})` }
	}
}

type Account = { id: number; login: string; type: string } | null

/** Why this approval does not count; undefined if it does. */
async function findFault(
	octokit: Octokit,
	{ owner, repo }: Repository,
	user: Account,
	{ isOlder, author }: { isOlder: boolean; author: Account },
): Promise<string | undefined> {
	if (isOlder) return 'approved an older commit'
	if (user?.type !== 'User') return 'is no person'
	if (!(author && author.id > 0 && user.id !== author.id)) return 'wrote the pull request'
	const { data } = await retry(() => octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: user.login }))
	return MAY_APPROVE.includes(data.permission) ? undefined : 'has no write access'
}
