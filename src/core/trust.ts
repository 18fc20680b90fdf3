import { isObject } from '../formats/json.ts'

/** Events whose jobs hold secrets and write tokens although a stranger may have caused them. */
const PRIVILEGED = new Set(['pull_request_target', 'workflow_run', 'issue_comment'])

/**
 * Why nothing may be executed in this job, as one sentence; undefined if it may.
 * In a privileged event, programs that a fork's pull request controls (agent, graders, evals) would run beside the repository's secrets.
 */
export function refuseExecution(eventName: string | undefined, payload: unknown): string | undefined {
	if (eventName === undefined || !PRIVILEGED.has(eventName)) return undefined
	const [head, base] = namesOf(eventName, payload)
	if (head !== undefined && head === base) return undefined
	const whose = head === undefined ? 'a pull request whose repository is not known' : 'a fork'
	return `refusing to run evals from ${whose} in a privileged workflow (${eventName})`
}

function namesOf(eventName: string, payload: unknown): [string | undefined, string | undefined] {
	if (eventName === 'pull_request_target') {
		return [
			textAt(payload, 'pull_request', 'head', 'repo', 'full_name'),
			textAt(payload, 'pull_request', 'base', 'repo', 'full_name'),
		]
	}
	if (eventName === 'workflow_run')
		return [textAt(payload, 'workflow_run', 'head_repository', 'full_name'), textAt(payload, 'repository', 'full_name')]
	return [undefined, undefined]
}

/** The text at a path of a foreign object; undefined if anything on the way is missing or it is no text. */
export function textAt(value: unknown, ...path: string[]): string | undefined {
	const found = valueAt(value, path)
	return typeof found === 'string' ? found : undefined
}

/** The same for a positive whole number. */
export function numberAt(value: unknown, ...path: string[]): number | undefined {
	const found = valueAt(value, path)
	return typeof found === 'number' && Number.isSafeInteger(found) && found > 0 ? found : undefined
}

function valueAt(value: unknown, path: string[]): unknown {
	return path.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value)
}
