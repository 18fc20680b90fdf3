import * as z from 'zod'

const text = z.string().min(1, 'it must not be empty')
const severity = z.enum(['error', 'warning', 'notice'])
const ID = /^[a-z0-9][a-z0-9-]*$/
const id = z.string().regex(ID, 'use lower-case letters, digits and "-", and begin with a letter or digit')
const unique = (list: readonly string[]) => new Set(list).size === list.length
const texts = z.array(text).min(1, 'it must not be empty')
const anchors = z.union([text.transform((one) => [one]), texts.refine(unique)], {
	error: 'write a text, or a list of different texts',
})

/** Node's timers take no more; a longer one would end at once. */
const MAX_TIMEOUT_MS = 2_147_483_647

const target = z.union(
	[z.enum(['transcript', 'last-message', 'files', 'artifact']), z.strictObject({ source: z.literal('file'), path: text })],
	{ error: 'write transcript, last-message, files, artifact or {source: file, path: <file in outputs/>}' },
)

const fields = z.strictObject({
	id,
	assertion: text.optional(),
	type: z.enum(['capability', 'regression']).default('regression'),
	grader: z
		.string()
		.regex(/^(tool:)?[a-z0-9][a-z0-9-]*$/, 'use lower-case letters, digits and "-"')
		.default('ai'),
	provider: text.optional(),
	model: text.optional(),
	runs: z.int().min(1, 'it must be at least 1').max(50, 'it must be at most 50').optional(),
	command: texts.optional(),
	'success-exit-codes': z.array(z.int()).min(1, 'it must not be empty').optional(),
	'timeout-ms': z.int().min(1, 'it must be at least 1').max(MAX_TIMEOUT_MS, `it must be at most ${MAX_TIMEOUT_MS}`).optional(),
	'generated-assertion-hash': z.string().optional(),
	options: z.record(z.string(), z.unknown()).default({}),
	severity: severity.default('error'),
	weight: z.number().positive('it must be greater than 0').default(1),
	'severity-map': z.record(z.string(), severity).optional(),
	skip: z.boolean().default(false),
	evidence: text.optional(),
	target: target.optional(),
	examples: z.strictObject({ pass: anchors.optional(), fail: anchors.optional() }).optional(),
})

/** The fields of an entry, in the order of the vocabulary. */
export const FIELDS = Object.keys(fields.shape)

type Fields = z.output<typeof fields>

/** Fields that only one grader has. */
const OWNED: [owner: 'ai' | 'command', fields: (keyof Fields)[]][] = [
	['ai', ['provider', 'model', 'runs']],
	['command', ['command', 'success-exit-codes', 'timeout-ms']],
]

/** One entry of `metadata.evals` that is an object (artifact-evals 1.1.0): closed, with the rules between its fields. */
export const entry = fields.superRefine((found, context) => {
	const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
	const { grader, assertion, command } = found
	if (assertion === undefined && (grader === 'ai' || grader === 'human')) {
		refuse('assertion', `it is missing, and the grader "${grader}" needs one`)
	}
	if (grader === 'command' && assertion === undefined && command === undefined) refuse('command', 'it is missing')
	for (const [owner, names] of OWNED) {
		for (const name of names) {
			if (found[name] !== undefined && grader !== owner)
				refuse(name, `it belongs to the grader "${owner}", and the grader is "${grader}"`)
		}
	}
	if (found['generated-assertion-hash'] !== undefined && command === undefined) {
		refuse('generated-assertion-hash', 'it needs a "command" that was generated')
	}
})

export type Entry = z.output<typeof entry>

const provenanceEntry = z
	.strictObject({
		'generated-by': text,
		fields: z
			.array(z.string().regex(/^\//, 'begin it with /'))
			.min(1, 'it must not be empty')
			.refine(unique, 'it holds the same text twice')
			.optional(),
		evals: z.array(id).min(1, 'it must not be empty').refine(unique, 'it holds the same id twice').optional(),
		confidence: z.record(z.string().regex(/^(?:\/.*|[a-z0-9][a-z0-9-]*)$/), z.number().min(0).max(1)).optional(),
	})
	.refine(({ fields: own, evals }) => own !== undefined || evals !== undefined, 'it needs "fields" or "evals"')

/** `meta-provenance`: which model wrote what. */
export const provenance = z
	.array(provenanceEntry)
	.min(1, 'it must not be empty')
	.refine((list) => unique(list.map(sortedJson)), 'it holds the same entry twice')

function sortedJson(value: unknown): string {
	return JSON.stringify(value, (_key, each: unknown) =>
		typeof each === 'object' && each !== null && !Array.isArray(each)
			? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
			: each,
	)
}
