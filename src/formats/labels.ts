import { parse } from 'yaml'
import * as z from 'zod'

const fraction = z.number().min(0).max(1)
const text = z.string().trim().min(1)

const schema = z.strictObject({
	limits: z.strictObject({ 'false-pass': fraction.optional(), 'false-fail': fraction.optional() }).default({}),
	cases: z
		.array(
			z.strictObject({
				outputs: text,
				prompt: z.string().default(''),
				assertions: z.array(z.strictObject({ text, passed: z.boolean(), hint: text.optional() })).min(1),
			}),
		)
		.min(1),
})

/** Stored outputs with what a person says of them. */
export type Labels = z.output<typeof schema>

/** In: a labels file (YAML or JSON). Out: its labels, or every fault as one sentence. */
export function parseLabels(source: string): { labels: Labels } | { faults: string[] } {
	let value: unknown
	try {
		value = parse(source, { maxAliasCount: 0, logLevel: 'error' })
	} catch (error) {
		return { faults: [`it is not YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`] }
	}
	const parsed = schema.safeParse(value)
	if (parsed.success) return { labels: parsed.data }
	return { faults: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the document'}: ${message}`) }
}
