import type { GitHub } from './server.ts'

export type RunnerEvent = {
	name: string
	/** Written as JSON; a string is written as it is, for damaged event files. */
	payload: unknown
}

/** The event of a pull request as it is now; later changes of `github.pull` do not reach it, as on GitHub. */
export function makePullRequestEvent({ pull, repository }: GitHub, action = 'synchronize', name = 'pull_request'): RunnerEvent {
	const sender = pull.user
	return { name, payload: structuredClone({ action, number: pull.number, pull_request: pull, repository, sender }) }
}
