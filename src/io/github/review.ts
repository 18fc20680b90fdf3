import type { Published } from '../../decision.ts'
import { retry } from './client.ts'
import { describeRefusal, type Surface } from './surface.ts'

/** A review that neither approves nor blocks. Not repeated without an answer, since it may have been stored and cannot be removed. */
export async function publishReview(surface: Surface, number: number, body: string): Promise<Published> {
	const { octokit, owner, repo, headSha } = surface
	try {
		const { data: pull } = await retry(() => octokit.rest.pulls.get({ owner, repo, pull_number: number }))
		if (pull.head.sha !== headSha)
			return { status: 'skipped', reason: `the pull request has moved on to commit ${pull.head.sha.slice(0, 7)}`, trouble: false }
		const { data } = await octokit.rest.pulls.createReview({
			owner,
			repo,
			pull_number: number,
			commit_id: headSha,
			event: 'COMMENT',
			body,
		})
		return { status: 'created', url: data.html_url, notes: [] }
	} catch (error) {
		return describeRefusal(error, 'pull-requests: write')
	}
}
