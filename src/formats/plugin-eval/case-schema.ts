import * as z from 'zod'

/** What Claude Code 2.1.332 accepts in a case, with its limits and defaults. Grader objects are closed there, and so are they here. */

const insidePath = z.string().refine((path) => !/^[/\\]|(^|[/\\])\.\.([/\\]|$)/.test(path), 'the path leaves the run')
const target = z.union([
	z.enum(['trace', 'last_message', 'files', 'mock_calls']),
	z.strictObject({ source: z.literal('file'), path: insidePath }),
])
const base = { name: z.string().min(1), weight: z.number().positive().optional(), arm: z.enum(['with-only', 'both']).optional() }
const toolStep = z.union([z.string(), z.strictObject({ tool: z.string(), input_match: z.string().optional() })])
const count = z.int().min(0)

export const graderSchema = z.discriminatedUnion('type', [
	z
		.strictObject({
			...base,
			type: z.literal('regex'),
			pattern: z.string(),
			flags: z
				.string()
				.regex(/^[dgimsuvy]*$/, 'use flags of JavaScript')
				.optional(),
			match: z
				.string()
				.regex(/^(contains|not_contains|count:\d+)$/, 'use contains, not_contains or count:N')
				.optional(),
			target: target.optional(),
		})
		.refine(({ pattern, flags }) => compiles(pattern, flags), 'the pattern does not compile'),
	z.strictObject({ ...base, type: z.literal('file_exists'), path: z.string(), exists: z.boolean().optional() }),
	z.strictObject({
		...{ ...base, type: z.literal('tool_used'), tool: z.string(), input_match: z.string().optional() },
		...{ min: count.optional(), max: count.optional() },
	}),
	z.strictObject({ ...base, type: z.literal('tool_order'), before: toolStep, after: toolStep }),
	z.strictObject({ ...base, type: z.literal('llm'), criteria: z.string(), focus: target.optional() }),
	z.strictObject({
		...base,
		type: z.literal('baseline'),
		baseline_file: z.string(),
		criteria: z.string(),
		focus: target.optional(),
	}),
])

/** The engine of JavaScript, because that is what will run it; it is compiled only. */
function compiles(pattern: string, flags = ''): boolean {
	try {
		return new RegExp(pattern, flags) instanceof RegExp
	} catch {
		return false
	}
}

const severity = z.enum(['error', 'warning', 'notice'])
const texts = z.array(z.string())

const common = {
	name: z.string().min(1),
	description: z.string().optional(),
	expected_outcome: z.string().optional(),
	tags: texts.default([]),
	plugins: texts.optional(),
	runs: z.int().min(1).max(50).default(3),
}
const execution = {
	max_turns: z.int().min(1).max(200).default(10),
	timeout_seconds: z.int().min(1).max(3600).default(300),
	model: z.string().optional(),
	allowed_tools: texts.default([]),
	disallowed_tools: texts.optional(),
	append_system_prompt: z.string().optional(),
	env: z.record(z.string(), z.string()).default({}),
	artifact_publish: z.boolean().optional(),
	growthbook_overrides: z.unknown().optional(),
}

export const EXECUTION_KEYS = Object.keys(execution)
export const FRONT_MATTER_KEYS = ['schema_version', ...Object.keys(common), ...EXECUTION_KEYS]

/** A whole case, after prompt.md and graders/*.md are merged into it. Unknown keys at the top are dropped there without a word. */
export const caseSchema = z.object({
	...common,
	schema_version: z.string().regex(/^[01](\.|$)/, 'only versions up to 1.x are known'),
	context: z
		.object({ scaffold_script: z.string().optional(), history_file: z.string().optional(), add_dirs: texts.default([]) })
		.optional(),
	execution: z.object({
		prompt: z
			.string()
			.refine((text) => text.trim() !== '', 'the prompt is blank')
			.refine((text) => text.trim() !== 'TODO: describe what the agent should do', 'the prompt is still that of the template'),
		...execution,
	}),
	graders: z.array(graderSchema).min(1, 'there is no grader'),
	'x-gate': z.strictObject({ severity: z.union([severity, z.record(z.string(), severity)]) }).optional(),
})

export const TOP_KEYS = Object.keys(caseSchema.shape)
export type CaseFields = z.output<typeof caseSchema>
