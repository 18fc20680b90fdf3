/** What a program says when it has no usable key, as measured with the six known ones. */
const KEY =
	/\b(invalid (x-)?api[ _-]key|incorrect api key|api[ _-]key not valid|API_KEY_INVALID|authentication_error|invalid_api_key|not logged in|no api key|missing environment variable|must specify the \w+ environment variable|set an auth method|no authentication information|please run \/login)\b/i

const NETWORK =
	/\b(ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|socket hang up|fetch failed|connection (error|refused|reset)|network error|stream (disconnected|closed)|overloaded|rate limit|request timed out|experiencing high demand)\b/i

/**
 * Is a fault of the key (no run of this job can succeed), one that may pass (429, 5xx, the network), or neither?
 * In: the HTTP status where it is known, and the program's own words.
 */
export function classifyTrouble({
	message,
	status,
}: {
	message: string
	status?: number | undefined
}): 'key' | 'passing' | undefined {
	if (status === 401 || status === 403) return 'key'
	if (status === 408 || status === 429 || (status !== undefined && status >= 500)) return 'passing'
	if (KEY.test(message)) return 'key'
	const said = /\b(?:status(?: code)?|HTTP|error)[ :(]*(\d{3})\b|^(\d{3})\b/i.exec(message)
	const spoken = Number(said?.[1] ?? said?.[2])
	if (spoken === 401 || spoken === 403) return 'key'
	if (spoken === 429 || (spoken >= 500 && spoken < 600)) return 'passing'
	return NETWORK.test(message) ? 'passing' : undefined
}
