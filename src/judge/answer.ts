import * as z from 'zod'
import { describeValue, parseJson } from '../formats/json.ts'
import type { Question } from './canary.ts'

const words = z
	.string()
	.nullish()
	.transform((text) => text ?? undefined)

const row = z.object({ passed: z.boolean(), evidence: z.string().trim().min(1), quote: words, file: words })
const answer = z.object({ results: z.array(row.extend({ n: z.number().int() })) })

/** What a judge says of one assertion. */
export type JudgedRow = z.infer<typeof row>
export const judgedRows: z.ZodType<JudgedRow[], unknown> = z.array(row)

const NULLABLE_TEXT = { anyOf: [{ type: 'string' }, { type: 'null' }] }

/** For judges that answer by a schema. Every field is required, because strict modes know no optional ones. */
export const ANSWER_SCHEMA = {
	type: 'object',
	properties: {
		results: {
			type: 'array',
			items: {
				type: 'object',
				properties: {
					n: { type: 'integer', description: 'the number of the assertion' },
					evidence: { type: 'string', description: 'one sentence that says why, before the decision' },
					quote: { ...NULLABLE_TEXT, description: 'exact words of the outputs that show it, or null' },
					file: { ...NULLABLE_TEXT, description: 'the file of the quote, "last message" or "transcript", or null' },
					passed: { type: 'boolean' },
				},
				required: ['n', 'evidence', 'quote', 'file', 'passed'],
				additionalProperties: false,
			},
		},
	},
	required: ['results'],
	additionalProperties: false,
} as const

/** `fault`: it may be asked once more. `canary`: it must not, or an attack would get a second try. */
export type JudgeAnswer = { rows: JudgedRow[] } | { fault: string } | { canary: string }

/**
 * The judge's rows in the order of the material, without the canary's, or one sentence why its answer cannot be used.
 * An answer that is not exactly one strict result a number is worth nothing: which number to trust would be a guess.
 */
export function parseAnswer(text: string, { request, canary }: Question): JudgeAnswer {
	const { value: document, problems } = parseJson(unwrap(text), 'answer')
	if (!document) return { fault: `it is not JSON: ${problems[0]?.message ?? 'unknown fault'}` }
	const parsed = answer.safeParse(document.value)
	if (!parsed.success) {
		const issue = parsed.error.issues[0]
		return { fault: `${issue?.path.join('.') || 'it'}: ${issue?.message ?? describeValue(document.value)}` }
	}
	const { results } = parsed.data
	const expected = request.assertions.map(({ n }) => n)
	const given = results.map(({ n }) => n).sort((a, b) => a - b)
	if (given.join() !== expected.join())
		return { fault: `it answers the numbers ${given.join(', ') || 'none'}; asked were ${expected.join(', ')}` }
	const byNumber = new Map(results.map(({ n, ...rest }) => [n, rest]))
	if (byNumber.get(canary)?.passed !== false) return { canary: CANARY_PASSED }
	return { rows: expected.flatMap((n) => (n === canary ? [] : (byNumber.get(n) ?? []))) }
}

export const CANARY_PASSED =
	'the judge passed an assertion that is known to be false: it passes everything, or does what the outputs tell it, so that none of its answer counts'

/**
 * The JSON of an answer in a code fence, or after words of introduction. Only if nothing else in it could be an answer:
 * where braces or fences stand outside, and where it is cut off, the text stays as it is and is refused as JSON.
 */
function unwrap(text: string): string {
	const fenced = /^[^`{}[\]]*```(?:json)?[ \t]*\r?\n([^`]*)\r?\n[ \t]*```[^`{}[\]]*$/i.exec(text)
	if (fenced?.[1] !== undefined) return fenced[1]
	const start = text.search(/[`{}[\]]/)
	return start > 0 && text[start] === '{' ? text.slice(start) : text
}
