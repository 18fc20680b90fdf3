import { type Answer, type Call, refuse } from './answer.ts'

/** What a token may do and whom it speaks for. */
export type Grant = {
	/** Author of what the token writes, as REST names it: an app has the suffix `[bot]` and the type `Bot`. */
	login: string
	/** What GraphQL answers to `viewer { login }`. */
	viewerLogin: string
	kind: 'installation' | 'user'
	readOnly: boolean
}

/**
 * GraphQL names an app twice: `viewer.login` keeps the suffix `[bot]`, the `author.login` of a comment drops it. The option
 * `viewerLogin` gives a test the other spelling, because callers must survive both.
 */
export function makeGrant(changes: Partial<Grant> = {}): Grant {
	const login = changes.login ?? 'github-actions[bot]'
	return { login, viewerLogin: login, kind: login.endsWith('[bot]') ? 'installation' : 'user', readOnly: false, ...changes }
}

export function findGrant(grants: Map<string, Grant>, authorization = ''): Grant | undefined {
	const [, token = ''] = /^(?:bearer|token)\s+(\S+)$/i.exec(authorization.trim()) ?? []
	return grants.get(token)
}

/** Refusals that depend on the kind of token; GraphQL never gets here. */
export function refuseByGrant(grant: Grant, call: Call): Answer | undefined {
	const isWrite = call.method !== 'GET'
	const isUserOnly = call.path === '/user'
	if (grant.kind === 'installation' && isUserOnly) return refuse(403, 'Resource not accessible by integration')
	if (grant.readOnly && isWrite) {
		const subject = grant.kind === 'installation' ? 'integration' : 'personal access token'
		return refuse(403, `Resource not accessible by ${subject}`)
	}
	if (grant.kind === 'user' && isWrite && call.path.includes('/check-runs')) {
		return refuse(403, 'You must authenticate via a GitHub App.')
	}
	return undefined
}
