import type { getOctokit } from '@actions/github'

export type Octokit = ReturnType<typeof getOctokit>
export type Repository = { owner: string; repo: string }

/** All requests of one run together may take so long; a comment is not worth more of a job's time. */
const BUDGET_MS = 90_000
const TRIES = 3
/** A server that asks for a longer pause is not waited for. */
const LONGEST_PAUSE_MS = 20_000

/** Loaded when used: the package reads the event file and the API's address when it is imported. */
export async function createClient(token: string, environment: NodeJS.ProcessEnv, version: string): Promise<Octokit> {
	const { getOctokit: create } = await import('@actions/github')
	return create(token, {
		baseUrl: environment.GITHUB_API_URL || 'https://api.github.com',
		userAgent: `skill-eval-gate/${version}`,
		request: { signal: AbortSignal.timeout(BUDGET_MS) },
		log: { debug() {}, info() {}, warn() {}, error() {} },
	})
}

/**
 * Tries a request that may safely be repeated: reading, or writing the same thing to the same place.
 * Only trouble that passes is tried again: rate limits, 5xx, a broken connection.
 */
export async function retry<T>(request: () => Promise<T>): Promise<T> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await request()
		} catch (error) {
			const pauseMs = pauseBefore(error, attempt)
			if (pauseMs === undefined || attempt === TRIES) throw error
			await new Promise((resolve) => setTimeout(resolve, pauseMs))
		}
	}
}

/** How long to wait before the next try; undefined if there is no point in one. */
export function pauseBefore(error: unknown, attempt: number): number | undefined {
	const { status, headers } = describeHttp(error)
	const isLimit =
		status === 429 || (status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'))
	const isTransient = status === undefined || status >= 500
	if (!isLimit && !isTransient) return undefined
	const asked = Number(headers['retry-after'])
	const pauseMs = Number.isFinite(asked) && asked >= 0 ? asked * 1000 : 250 * 2 ** attempt
	return pauseMs <= LONGEST_PAUSE_MS ? pauseMs : undefined
}

export type HttpFailure = { status: number | undefined; message: string; headers: Record<string, string | undefined> }

/** What a failed request says; status undefined if there was no answer at all. Octokit calls a broken connection a 500 without a response. */
export function describeHttp(error: unknown): HttpFailure {
	const failure = error as {
		status?: unknown
		message?: unknown
		response?: { headers?: Record<string, string>; data?: { message?: unknown } }
	}
	const answered = failure?.response !== undefined
	const said = failure?.response?.data?.message
	return {
		status: answered && typeof failure.status === 'number' ? failure.status : undefined,
		message: typeof said === 'string' ? said : error instanceof Error ? error.message : String(error),
		headers: failure?.response?.headers ?? {},
	}
}
