/** No answer of a judge comes near; a larger one is an accident or an attack (a small gzip body can decode to gigabytes). */
const MAX_ANSWER_BYTES = 1024 * 1024

/** What came over the wire in one call, whatever a library makes of it. */
export type Seen = { status?: number; retryAfter?: string | undefined; type?: string | undefined; body: string; broken?: string }

/**
 * A fetch for one call that follows no redirect, because the key would go with it, and reads at most 1 MB of decoded body.
 * What it saw is in `seen`.
 */
export function watchedFetch(): { fetch: typeof globalThis.fetch; seen: Seen } {
	const seen: Seen = { body: '' }
	const watched: typeof globalThis.fetch = async (address, init) => {
		try {
			const response = await globalThis.fetch(address, { ...init, redirect: 'manual' })
			seen.status = response.status
			seen.retryAfter = response.headers.get('retry-after') ?? undefined
			seen.type = response.headers.get('content-type') ?? undefined
			seen.body = await readCapped(response)
			// The body is decoded and has another length now.
			const headers = new Headers({ 'content-type': seen.type ?? 'text/plain' })
			const isSuccess = response.status >= 200 && response.status < 300 && response.status !== 204 && response.status !== 205
			return new Response(seen.body, { status: isSuccess ? response.status : 400, headers })
		} catch (error) {
			seen.broken = describeBreak(error)
			throw error
		}
	}
	return { fetch: watched, seen }
}

async function readCapped(response: Response): Promise<string> {
	const decoder = new TextDecoder()
	let text = ''
	let bytes = 0
	for await (const chunk of response.body ?? []) {
		bytes += chunk.byteLength
		if (bytes > MAX_ANSWER_BYTES) throw new Error(`its answer has more than ${MAX_ANSWER_BYTES} bytes`)
		text += decoder.decode(chunk, { stream: true })
	}
	return text + decoder.decode()
}

/** A failed connection has its reason in its cause. */
function describeBreak(error: unknown): string {
	if (!(error instanceof Error)) return String(error)
	const { cause } = error
	if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message
	return cause instanceof Error ? cause.message : error.message
}
