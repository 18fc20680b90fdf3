import type { Published } from '../../decision.ts'
import type { Verdict } from '../../model.ts'
import { retry } from './client.ts'
import { describeRefusal, type Surface } from './surface.ts'

/** GitHub refuses a longer description. */
const DESCRIPTION_CHARACTERS = 140

/** The commit status under our context; the latest of a context counts, so repeating the request is harmless. */
export async function publishStatus(
	surface: Surface,
	verdict: Verdict | 'pending',
	description: string,
	url: string | undefined,
): Promise<Published> {
	const { octokit, owner, repo, headSha, key } = surface
	const states = { pass: 'success', fail: 'failure', incomplete: 'error', invalid: 'error', pending: 'pending' } as const
	try {
		const { data } = await retry(() =>
			octokit.rest.repos.createCommitStatus({
				owner,
				repo,
				sha: headSha,
				state: states[verdict],
				context: `Skill evals: ${key}`,
				description: [...description].slice(0, DESCRIPTION_CHARACTERS).join(''),
				...(url === undefined ? {} : { target_url: url }),
			}),
		)
		return { status: 'created', url: data.target_url ?? url ?? data.url, notes: [] }
	} catch (error) {
		return describeRefusal(error, 'statuses: write')
	}
}
