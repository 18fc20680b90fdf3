import { type Answer, type Call, refuse } from './answer.ts'
import type { Grant } from './grants.ts'

const VIEWER_QUERY = /^(?:query(?: \w+)? ?)?\{ ?viewer ?\{ ?login ?\} ?\}$/

/** emulate has no GraphQL. The one query we send is answered; anything else is a violation and gets errors with status 200, as GraphQL does. */
export function answerGraphql(call: Call, grant: Grant): { answer: Answer; violation?: string } {
	const query = (call.body as { query?: unknown } | undefined)?.query
	if (typeof query !== 'string') {
		const message = 'A query attribute must be specified and must be a string.'
		return { answer: refuse(400, message), violation: message }
	}
	if (VIEWER_QUERY.test(query.replaceAll(/\s+/g, ' ').trim())) {
		return { answer: { status: 200, body: { data: { viewer: { login: grant.viewerLogin } } } } }
	}
	const message = `The loopback GitHub does not know this query: ${query}`
	return { answer: { status: 200, body: { data: null, errors: [{ type: 'NOT_IMPLEMENTED', message }] } }, violation: message }
}
