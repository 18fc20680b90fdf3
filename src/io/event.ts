import { dirname } from 'node:path'
import { textAt } from '../core/trust.ts'
import type { Provenance } from '../decision.ts'
import { parseJson } from '../formats/json.ts'
import { readText } from './files.ts'

/** What GitHub says of this job. The payload is foreign data and may be missing. */
export type Event = { name: string | undefined; payload: unknown }

/** Read by our own strict reader: the toolkit parses this file when it is imported, outside of every guard. */
export async function readEvent(environment: NodeJS.ProcessEnv): Promise<Event> {
	const path = environment.GITHUB_EVENT_PATH
	const read = path ? await readText(path, dirname(path)) : { status: 'missing' as const }
	const payload = read.status === 'read' ? parseJson(read.text, 'event').value?.value : undefined
	return { name: environment.GITHUB_EVENT_NAME || undefined, payload }
}

/** The tested commit, the workflow run and links to both; nothing of it outside of GitHub. */
export function describeJob(environment: NodeJS.ProcessEnv, event: Event): Pick<Provenance, 'commit' | 'run' | 'blobUrl'> {
	const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id } = environment
	// On pull_request, GITHUB_SHA is a merge commit that nobody has seen.
	const commit = [textAt(event.payload, 'pull_request', 'head', 'sha'), environment.GITHUB_SHA].find(
		(sha) => sha !== undefined && /^[0-9a-f]{40,64}$/.test(sha),
	)
	if (!server || !repository || !/^https?:\/\//.test(server)) return { commit }
	const number = environment.GITHUB_RUN_NUMBER ?? '?'
	return {
		commit,
		run: id
			? { url: `${server}/${repository}/actions/runs/${id}`, number, attempt: environment.GITHUB_RUN_ATTEMPT ?? '1' }
			: undefined,
		blobUrl: commit ? `${server}/${repository}/blob/${commit}/` : undefined,
	}
}
