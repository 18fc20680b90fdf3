import * as z from 'zod'
import type { Policy, Read } from '../definition.ts'
import { reporter, reportIssues } from './shape.ts'
import { parseYaml } from './yaml.ts'

const override = z
	.strictObject({
		skill: z.string().min(1).optional(),
		eval: z
			.union([z.string().min(1), z.int()])
			.transform(String)
			.optional(),
		assertion: z.union([z.string().min(1), z.int()]).optional(),
		severity: z.enum(['error', 'warning', 'notice']),
	})
	.refine(
		({ skill, eval: id, assertion }) => (skill ?? id ?? assertion) !== undefined,
		'say which: give skill, eval or assertion',
	)

const schema = z.strictObject({
	severities: z.array(override).default([]),
	weakening: z.enum(['block', 'report']).default('block'),
})

/**
 * The policy file: severities by skill, eval and assertion (its id, its position or its text), for definitions that carry none, and what a
 * weaker gate means.
 * YAML without aliases, tags or duplicate keys; closed, so that a misspelled rule does not quietly do nothing.
 */
export function parsePolicy(text: string, file: string): Read<Policy> {
	const { value: document, problems } = parseYaml(text, file, 'policy-syntax')
	if (!document) return { problems }
	const { value } = document
	const parsed = schema.safeParse(value ?? {})
	if (parsed.success)
		return {
			value: {
				file,
				weakening: parsed.data.weakening,
				severities: parsed.data.severities.map((each, at) => ({ ...each, line: document.locate(['severities', at]).line })),
			},
			problems,
		}
	reportIssues(parsed.error.issues, value, [], 'policy', reporter(document, file, problems))
	return { problems }
}
