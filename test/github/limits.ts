import { type Answer, refuse } from './answer.ts'

/** GitHub's message says characters; the real limit was measured higher, in bytes. Callers are held to the stated one. */
const MAX_BODY_CHARACTERS = 65_536
const MAX_STATUS_DESCRIPTION_CHARACTERS = 140

/** Limits that neither GitHub's description nor emulate states. */
export function refuseByLimit(operationId: string, body: unknown): Answer | undefined {
	const fields = (body ?? {}) as Record<string, unknown>
	if (operationId === 'issues/create-comment' || operationId === 'issues/update-comment') {
		return refuseBody(String(fields.body), 'IssueComment')
	}
	if (operationId === 'pulls/create-review' && typeof fields.body === 'string' && fields.body !== '') {
		return refuseBody(fields.body, 'PullRequestReview')
	}
	const description = String(fields.description ?? '')
	if (operationId === 'repos/create-commit-status' && [...description].length > MAX_STATUS_DESCRIPTION_CHARACTERS) {
		const message = `description is too long (maximum is ${MAX_STATUS_DESCRIPTION_CHARACTERS} characters)`
		return refuse(422, 'Validation Failed', [{ resource: 'Status', code: 'custom', field: 'description', message }])
	}
	return undefined
}

function refuseBody(text: string, resource: string): Answer | undefined {
	if (text.trim() === '') return refuse(422, 'Validation Failed', [{ resource, code: 'missing_field', field: 'body' }])
	if ([...text].length <= MAX_BODY_CHARACTERS) return undefined
	const message = `Body is too long (maximum is ${MAX_BODY_CHARACTERS} characters)`
	return refuse(422, 'Validation Failed', [{ resource, code: 'unprocessable', field: 'data', message }])
}
