/** What an HTTP status of a model's API means for the calls after it. */
export type HttpFault = {
	/** Completes "the judge's API …". */
	sentence: string
	/** `stop`: every further call of the job would end the same way. `final`: this call is over. `retry`: it may go better in a while. */
	next: 'stop' | 'final' | 'retry'
	/** How long the API asks to wait. */
	waitMs?: number | undefined
}

export type HttpAnswer = { status: number; retryAfter?: string | undefined; body: string }

const SPENT = /insufficient_quota|credit balance|spend(ing)? limit|usage limit|billing_(hard_limit|not_active)/i
const QUOTA = /exceeded your current quota|check your plan and billing/i
const BAD_KEY = /API[_ ]key not valid|API_KEY_INVALID/i
const QUOTED_CHARACTERS = 300

/** In: an answer that is not a success, and the name of the variable with the key. */
export function classifyStatus({ status, retryAfter, body }: HttpAnswer, keyVariable: string): HttpFault {
	const said = quote(body)
	const waitMs = readWait(retryAfter, body)
	if (status === 401 || status === 403 || (status === 400 && BAD_KEY.test(body))) {
		return {
			next: 'stop',
			sentence: `refused the key (HTTP ${status}): set ${keyVariable} to a key that may use this model${said}`,
		}
	}
	if (status === 402 || SPENT.test(body) || (status === 429 && waitMs === undefined && QUOTA.test(body))) {
		return { next: 'stop', sentence: `says that a spend limit is reached (HTTP ${status}): waiting does not help${said}` }
	}
	if (status === 429) return { next: 'retry', waitMs, sentence: `limits the rate of calls (HTTP 429)${said}` }
	if (status === 529) return { next: 'retry', waitMs, sentence: `is overloaded (HTTP 529)${said}` }
	if (status === 408 || status >= 500) return { next: 'retry', waitMs, sentence: `is broken or away (HTTP ${status})${said}` }
	if (status === 404) {
		return { next: 'final', sentence: `knows no such model or address (HTTP 404): look at judge-model and judge-base-url${said}` }
	}
	return { next: 'final', sentence: `refused the request (HTTP ${status})${said}` }
}

/** Seconds in the header (the APIs send no dates), else Google's `retryDelay` in the body. What is neither is no hint. */
function readWait(retryAfter: string | undefined, body: string): number | undefined {
	const text = retryAfter?.trim() ?? ''
	if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1000
	const delay = /"retryDelay"\s*:\s*"(\d{1,6}(?:\.\d+)?)s"/.exec(body)
	return delay ? Number(delay[1]) * 1000 : undefined
}

function quote(body: string): string {
	const text = body.replace(/\s+/g, ' ').trim().slice(0, QUOTED_CHARACTERS)
	return text === '' ? '' : `: ${text}`
}
