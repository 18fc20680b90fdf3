import * as z from 'zod'

const result = z.object({
	is_error: z.boolean(),
	result: z.string().optional(),
	api_error_status: z.number().nullish(),
	structured_output: z.unknown().optional(),
})

/** What to do where the program has no usable key. */
export const KEY_ADVICE = 'log in, or set the variable of judge-key-env to a valid key'

/**
 * The answer in what `claude -p --output-format json --json-schema …` prints: its `structured_output`.
 * Where the model never complied, the program ends well and that key is missing (measured with 2.1): that is no answer, whatever `result` says.
 * In: standard output, and how the program failed, if it did.
 */
export function readCliAnswer(
	stdout: string,
	why: string | undefined,
): { text: string } | { fault: string } | { failure: string; stop?: boolean } {
	const printed = result.safeParse(parseOrUndefined(stdout))
	if (!printed.success) return { failure: why ?? 'the judge printed something that is not its JSON' }
	const { is_error, api_error_status: status, structured_output: answer, result: said } = printed.data
	if (is_error || why !== undefined) {
		const refused = status === 401 || status === 403
		const advice = refused ? ` (HTTP ${status}): ${KEY_ADVICE}` : ''
		const failure = `${why ?? 'the judge says that it failed'}${advice}${said ? `: ${said.slice(0, 300)}` : ''}`
		return refused ? { failure, stop: true } : { failure }
	}
	return answer === undefined || answer === null ? { fault: 'it gave no answer by the schema' } : { text: JSON.stringify(answer) }
}

function parseOrUndefined(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return undefined
	}
}
