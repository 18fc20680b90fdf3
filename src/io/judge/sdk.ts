/** The providers' libraries, a bundle of their own (scripts/build.mjs): whoever asks no model's API never loads them. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'

export type ModelOptions = {
	provider: 'anthropic' | 'openai' | 'google'
	model: string
	baseUrl?: string | undefined
	apiKey?: string | undefined
	fetch: typeof globalThis.fetch
}

const OPENAI_URL = 'https://api.openai.com/v1'

/** One model of one provider, by the libraries' own interface (their specification v3). Nothing is asked yet. */
export function createModel({ provider, model, baseUrl, apiKey = '', fetch }: ModelOptions) {
	const at = baseUrl === undefined ? {} : { baseURL: baseUrl }
	if (provider === 'anthropic') return createAnthropic({ apiKey, fetch, ...at })(model)
	if (provider === 'google') return createGoogleGenerativeAI({ apiKey, fetch, ...at })(model)
	const key = apiKey === '' ? {} : { apiKey }
	const settings = { name: 'openai', supportsStructuredOutputs: true, fetch, baseURL: baseUrl ?? OPENAI_URL, ...key }
	return createOpenAICompatible(settings)(model)
}
