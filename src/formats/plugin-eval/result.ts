import * as z from 'zod'
import type { Read } from '../../definition.ts'
import { describeValue, isObject, type JsonDocument, parseJson } from '../json.ts'
import { reporter, reportIssues } from '../shape.ts'

/** The schema that Claude Code 2.1.269 to 2.1.332 write; a result of another one is never guessed at. */
const SCHEMA_VERSION = 1

const row = z.object({
	name: z.string(),
	passed: z.boolean(),
	weight: z.number().positive(),
	explanation: z.string(),
	withOnly: z.boolean(),
	scored: z.boolean().default(true),
	judgeVotes: z.array(z.boolean()).optional(),
	evidence: z.string().optional(),
})

const run = z.object({
	score: z.number(),
	passed: z.boolean(),
	turns: z.number().min(0),
	error: z.string().nullable(),
	skippedPaidGraders: z.boolean(),
	aborted: z.object({ server: z.string(), tool: z.string(), reason: z.string() }).optional(),
	durationSeconds: z.number().min(0).optional(),
	graders: z.array(row),
})

const grader = z.object({
	name: z.string().min(1),
	type: z.string(),
	weight: z.number().positive(),
	config: z.record(z.string(), z.unknown()),
})

const item = z.object({
	name: z.string(),
	dir: z.string().min(1),
	promptMarkdown: z.string(),
	runsPerCase: z.int().min(1),
	graders: z.array(grader),
	advisories: z.array(z.string()).default([]),
	arms: z.object({ with: z.array(run), without: z.array(run).optional() }),
	aggregates: z.object({ score: z.number(), delta: z.number().optional() }),
})

const result = z.object({
	claudeVersion: z.string(),
	partial: z.boolean(),
	partialReason: z.string().optional(),
	suite: z.object({
		root: z.string(),
		ablation: z.enum(['none', 'with-without']),
		caseFilter: z.string().optional(),
		tagFilters: z.array(z.string()).default([]),
		threshold: z.number(),
		plugins: z.array(z.object({ name: z.string(), problem: z.string().optional() })),
	}),
	cases: z.array(item),
	aggregates: z.object({ casesTotal: z.number() }),
})

export type PluginRow = z.output<typeof row>
export type PluginRun = z.output<typeof run>
export type PluginGrader = z.output<typeof grader>
export type PluginCase = z.output<typeof item>
export type PluginResult = z.output<typeof result> & {
	file: string
	/** Where each value stands in the file. */
	locate: JsonDocument['locate']
}

/**
 * An aggregate-result.json of `claude plugin eval`, schema version 1, as Claude Code 2.1.332 writes it. Its own sums are kept to be compared, never counted.
 * Out: no value for what is no such file, is of another version, or lacks something that a verdict needs.
 */
export function parsePluginResult(text: string, file: string): Read<PluginResult> {
	const { value: document, problems } = parseJson(text, file)
	if (!document) return { problems }
	const report = reporter(document, file, problems)
	const root = document.value
	if (!isObject(root) || root.schemaVersion === undefined || !Array.isArray(root.cases)) {
		const found = isObject(root) ? `found: ${Object.keys(root).slice(0, 8).join(', ') || 'no key at all'}` : describeValue(root)
		const hint = 'name the aggregate-result.json that `claude plugin eval --output-dir` writes'
		report('plugin-eval-shape', [], `this is not a result of claude plugin eval (${found})`, hint)
		return { problems }
	}
	if (root.schemaVersion !== SCHEMA_VERSION) {
		const message = `this result has schemaVersion ${JSON.stringify(root.schemaVersion)}; only ${SCHEMA_VERSION} can be read`
		report('plugin-eval-version', ['schemaVersion'], message, 'use a Claude Code that writes it, or a newer Skill Eval Gate')
		return { problems }
	}
	const parsed = result.safeParse(root)
	if (parsed.success) return { value: { ...parsed.data, file, locate: document.locate }, problems }
	reportIssues(parsed.error.issues, root, [], 'plugin-eval-shape', report)
	return { problems }
}
