import * as z from 'zod'

/** Forms of inputs that several of them have. */

/** A program and its arguments as a JSON list: nothing is split or expanded, no shell is involved. */
export const argv = z.string().transform((text, context): string[] => {
	const parsed = z.array(z.string()).min(1).safeParse(parseOrUndefined(text))
	if (parsed.success && parsed.data[0] !== '') return parsed.data
	context.addIssue({ code: 'custom', message: 'write a JSON list of texts, such as ["node", "agent.mjs"]' })
	return z.NEVER
})

/** Further arguments of a known agent, each one text. */
export const texts = z.string().transform((text, context): string[] => {
	const parsed = z.array(z.string()).safeParse(parseOrUndefined(text))
	if (parsed.success) return parsed.data
	context.addIssue({ code: 'custom', message: 'write a JSON list of texts, such as ["--max-turns", "20"]' })
	return z.NEVER
})

function parseOrUndefined(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return undefined
	}
}
