import * as core from '@actions/core'
import { textAt } from '../../core/trust.ts'
import type { Published } from '../../decision.ts'
import type { Inputs } from '../../inputs.ts'
import { describeJob, type Event } from '../event.ts'
import { createClient, describeHttp, type Octokit, type Repository } from './client.ts'

export type Surface = Repository & { octokit: Octokit; headSha: string; key: string }

/** Events whose GITHUB_SHA is not the tested commit: what is written there would be about another one. */
const OTHER_COMMIT = new Set(['workflow_run', 'issue_comment'])

/** Where a check or a status goes, by the event and never by a file; else the reason why nowhere. */
export async function openSurface(
	inputs: Inputs,
	event: Event,
	environment: NodeJS.ProcessEnv,
	version: string,
	key: string,
): Promise<Surface | Published> {
	const skip = (reason: string, hint?: string): Published => ({ status: 'skipped', reason, hint, trouble: true })
	const headSha = describeJob(environment, event).commit
	const isPullRequest = textAt(event.payload, 'pull_request', 'head', 'sha') !== undefined
	if (headSha === undefined) return skip('the tested commit is not known')
	if (OTHER_COMMIT.has(event.name ?? '') && !isPullRequest) return skip(`the event ${event.name} does not name the tested commit`)
	const [owner, repo, ...rest] = (environment.GITHUB_REPOSITORY ?? '').split('/')
	if (!owner || !repo || rest.length > 0) return skip('GITHUB_REPOSITORY is not set')
	const token = inputs['github-token']
	if (!token) return skip('there is no token', 'set the input "github-token"')
	core.setSecret(token)
	return { octokit: await createClient(token, environment, version), owner, repo, headSha, key }
}

/** A failed request as a reason. A private repository answers 404 where a permission is missing. */
export function describeRefusal(error: unknown, permission: string): Published {
	const { status, message } = describeHttp(error)
	const isDenied = status === 403 || status === 404
	return {
		status: 'skipped',
		reason: status === undefined ? `GitHub could not be reached (${message})` : `GitHub answered HTTP ${status} (${message})`,
		hint: isDenied ? `add to the job: permissions: { ${permission} }; a fork’s pull request has no such token` : undefined,
		trouble: true,
	}
}
