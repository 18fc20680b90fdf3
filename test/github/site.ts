import { type Answer, type Call, refuse } from './answer.ts'
import type { Faults } from './faults.ts'
import { findGrant, type Grant, refuseByGrant } from './grants.ts'
import { answerGraphql } from './graphql.ts'
import { refuseByLimit } from './limits.ts'
import type { Store } from './store.ts'
import { matchOperation, type Operation, validateCall } from './validate.ts'

export type RecordedRequest = {
	method: string
	path: string
	query: Record<string, string>
	body: unknown
	headers: Record<string, string>
}
export type Violation = { method: string; path: string; problem: string }

/** One running server, without its sockets. */
export type Site = {
	store: Store
	grants: Map<string, Grant>
	faults: Faults
	requests: RecordedRequest[]
	violations: Violation[]
}

type Inspection = { operation?: Operation; params: Record<string, string>; invalid: string[]; damaged: boolean }

/** Every request is recorded and inspected, also one that a fault answers. The result performs it. */
export function receiveCall(site: Site, call: Call): () => Promise<Answer> {
	const { method, path, query, rawBody, body } = call
	const headers = { ...call.headers, ...(call.headers.authorization ? { authorization: '[redacted]' } : {}) }
	site.requests.push({ method, path, query: Object.fromEntries(query), body: body ?? (rawBody || undefined), headers })
	const report = (problem: string) => site.violations.push({ method, path, problem })
	const inspection = inspectCall(call, report)
	return () => performCall(site, call, inspection, report)
}

function inspectCall(call: Call, report: (problem: string) => void): Inspection {
	const damaged = call.rawBody !== '' && call.body === undefined
	if (damaged) report('The body is no JSON.')
	if (!call.headers['user-agent']) report('GitHub refuses requests without a User-Agent.')
	const none = { params: {}, invalid: [], damaged }
	if (isGraphql(call)) return none
	const match = matchOperation(call.method, call.path)
	if (!match) {
		report('This operation is not in rest-slice.json.')
		return none
	}
	const { invalid, unknown } = validateCall(call, match.operation, match.params)
	for (const problem of invalid) report(problem)
	for (const name of unknown) report(`GitHub knows no "${name}" here.`)
	return { ...match, invalid, damaged }
}

/** In the order in which GitHub refuses. */
async function performCall(site: Site, call: Call, inspection: Inspection, report: (problem: string) => void): Promise<Answer> {
	const { operation, params, invalid, damaged } = inspection
	if (!operation && !isGraphql(call)) return refuse(501, `The loopback GitHub does not know ${call.method} ${call.path}.`)
	if (!call.headers['user-agent']) return refuse(403, 'Request forbidden by administrative rules.')
	const grant = findGrant(site.grants, call.headers.authorization)
	if (!grant) return refuse(401, 'Bad credentials')
	if (damaged) return refuse(400, 'Problems parsing JSON')
	if (!operation) {
		const { answer, violation } = answerGraphql(call, grant)
		if (violation) report(violation)
		return answer
	}
	const refusal = refuseByGrant(grant, call)
	if (refusal) return refusal
	if (invalid.length > 0) return refuse(422, `Invalid request.\n\n${invalid.join('\n')}`)
	return refuseByLimit(operation.id, call.body) ?? site.store.answer(operation.id, call, params, grant)
}

function isGraphql({ method, path }: Call): boolean {
	return method === 'POST' && path === '/graphql'
}
