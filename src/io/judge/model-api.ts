import { ANSWER_SCHEMA } from '../../judge/answer.ts'
import { classifyStatus } from '../../judge/http-fault.ts'
import { type Prompt, renderPrompt } from '../../judge/prompt.ts'
import type { Ask, Reply } from './ask.ts'
import { type Seen, watchedFetch } from './fetch.ts'
import type { ModelOptions } from './sdk.ts'

/** The first wait before another try; each further one is twice as long, with jitter, so that many jobs do not come back together. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** Enough for a sentence on each of a hundred assertions; Anthropic's API wants a number. */
const MAX_ANSWER_TOKENS = 16_000

export type Api = Omit<ModelOptions, 'fetch'> & { keyVariable: string }

/** A model behind an HTTP API. Tries again what may pass, as long as the call's time allows; the libraries' own retries are not used. */
export function modelJudge(api: Api): Ask {
	return async (request, timeoutMs) => {
		// A server of one's own may want no key.
		if (!api.apiKey && !(api.provider === 'openai' && api.baseUrl)) {
			return { stop: true, failure: `the judge has no key: set ${api.keyVariable}, or name another variable in judge-key-env` }
		}
		return hideKey(await tryUntil(api, renderPrompt(request), timeoutMs), api.apiKey)
	}
}

async function tryUntil(api: Api, prompt: Prompt, timeoutMs: number): Promise<Reply> {
	const deadline = performance.now() + timeoutMs
	let earlier = ''
	for (let attempt = 0; ; attempt++) {
		const leftMs = deadline - performance.now()
		const tried = leftMs > 0 ? await tryOnce(api, prompt, leftMs) : TIMED_OUT
		if (tried === TIMED_OUT) return { failure: `the judge timed out after ${timeoutMs / 1000} s${earlier}` }
		if (!('waitMs' in tried)) return tried
		earlier = `; before that, ${tried.sentence}`
		const backoffMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
		const waitMs = tried.waitMs ?? backoffMs
		if (performance.now() + waitMs >= deadline) return { failure: giveUp(tried, attempt + 1, timeoutMs) }
		await new Promise((resolve) => setTimeout(resolve, waitMs))
	}
}

type Again = { sentence: string; waitMs: number | undefined }

function giveUp({ sentence, waitMs }: Again, tries: number, timeoutMs: number): string {
	const tried = tries === 1 ? 'once' : `${tries} times`
	const wait = waitMs === undefined ? '' : `; it asks to wait ${Math.ceil(waitMs / 1000)} s`
	return `${sentence} (tried ${tried}${wait}; a call may take ${timeoutMs / 1000} s, judge-timeout)`
}

const TIMED_OUT = Symbol('timed out')

async function tryOnce(api: Api, prompt: Prompt, leftMs: number): Promise<Reply | Again | typeof TIMED_OUT> {
	const { createModel } = await import('./sdk.ts')
	const { fetch, seen } = watchedFetch()
	const signal = AbortSignal.timeout(Math.ceil(leftMs))
	try {
		const result = await createModel({ ...api, fetch }).doGenerate({
			prompt: [
				{ role: 'system', content: prompt.system },
				{ role: 'user', content: [{ type: 'text', text: prompt.user }] },
			],
			responseFormat: { type: 'json', name: 'verdicts', schema: ANSWER_SCHEMA as never },
			...(api.provider === 'anthropic' ? { maxOutputTokens: MAX_ANSWER_TOKENS } : {}),
			abortSignal: signal,
		})
		if (result.finishReason.unified === 'content-filter') return { failure: 'the judge refused to answer' }
		// What was cut may look whole; it is not even parsed.
		if (result.finishReason.unified === 'length') return { fault: 'it was cut off at its greatest length' }
		return { text: result.content.map((part) => (part.type === 'text' ? part.text : '')).join('') }
	} catch (error) {
		return signal.aborted ? TIMED_OUT : explain(error, seen, api.keyVariable)
	}
}

function explain(error: unknown, seen: Seen, keyVariable: string): Reply | Again {
	if (seen.broken !== undefined) {
		const sentence = `the judge's API could not be reached, or broke off: ${seen.broken}`
		return seen.broken.startsWith('its answer has more than')
			? { failure: `the judge's API: ${seen.broken}` }
			: { sentence, waitMs: undefined }
	}
	const { status } = seen
	if (status === undefined)
		return { failure: `the judge could not be asked: ${error instanceof Error ? error.message : String(error)}` }
	if (status >= 200 && status < 300)
		return { failure: `the judge's API answered something that is not its JSON (HTTP ${status}, ${seen.type ?? 'no type'})` }
	const fault = classifyStatus({ ...seen, status }, keyVariable)
	const sentence = `the judge's API ${fault.sentence}`
	if (fault.next === 'retry') return { sentence, waitMs: fault.waitMs }
	return fault.next === 'stop' ? { failure: sentence, stop: true } : { failure: sentence }
}

/** Some APIs repeat the key in their errors. */
function hideKey(reply: Reply, key: string | undefined): Reply {
	if (!('failure' in reply) || !key) return reply
	return { ...reply, failure: reply.failure.replaceAll(key, '***') }
}
