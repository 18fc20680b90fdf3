import * as z from 'zod'
import type { AssertionDefinition, Target } from '../definition.ts'
import { type Translated, translateAssertion } from './dialect.ts'
import { describeValue, isObject, type JsonDocument, type Path } from './json.ts'
import { type Report, reportIssues } from './shape.ts'

/** Bounds of weight as in the artifact-evals vocabulary. */
const element = z.object({
	id: z
		.union([z.string(), z.int()])
		.transform(String)
		.pipe(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'use 1 to 64 letters, digits, ".", "_" or "-"'))
		.optional(),
	severity: z.enum(['error', 'warning', 'notice']).default('error'),
	type: z.enum(['regression', 'capability']).default('regression'),
	weight: z.number().positive('it must be greater than 0').max(1e6).default(1),
	skip: z.boolean().default(false),
	grader: z.string().default('judge'),
	options: z.record(z.string(), z.unknown()).default({}),
})

const NAMED_TARGETS = ['outputs', 'last-message', 'transcript', 'files', 'artifact'] as const
const fileTarget = z.strictObject({ source: z.literal('file'), path: z.string().min(1) })

/**
 * The assertions of one eval, from `assertions` or `expectations`.
 * Out: those that can be used; the others, and an eval without any, are reported.
 */
export function readAssertions(
	item: Record<string, unknown>,
	path: Path,
	document: JsonDocument,
	report: Report,
): AssertionDefinition[] {
	const { key, list } = pickList(item, path, report)
	if (!list) return []
	if (list.length === 0)
		report('assertions-empty', [...path, key], 'this eval has no assertions', 'add what the output must show, or remove the eval')
	const read = list.flatMap((value, at) => readAssertion(value, at + 1, [...path, key, at], document, report) ?? [])
	const seen = new Set<string>()
	for (const { id, index } of read) {
		if (id !== undefined && seen.has(id.toLowerCase())) {
			report('assertion-id-duplicate', [...path, key, index - 1], `the assertion id ${id} is used twice in this eval`)
		}
		if (id !== undefined) seen.add(id.toLowerCase())
	}
	return read
}

/** What other tools call a list of checks; none of them is read, because they mean different things. */
const OTHER_LISTS =
	/^(expected_behaviou?rs?|must_(not_)?include|must(_not)?|expect(ed)?|expected_findings|fail|(grader|deterministic)_assertions|rubric|assert|checks|criteria)$/

function pickList(item: Record<string, unknown>, path: Path, report: Report): { key: string; list?: unknown[] } {
	const keys = ['assertions', 'expectations'].filter((key) => item[key] !== undefined)
	const key = keys[0] ?? 'assertions'
	if (keys.length === 0) {
		reportMissing(item, path, report)
		return { key }
	}
	if (keys.length === 2 && JSON.stringify(item.assertions) !== JSON.stringify(item.expectations)) {
		report(
			'assertions-twice',
			[...path, 'expectations'],
			'"assertions" and "expectations" are both here and differ',
			'keep one of them',
		)
		return { key }
	}
	const list = item[key]
	if (Array.isArray(list)) return { key, list }
	report('assertions-shape', [...path, key], `"${key}" must be a list; it is ${describeValue(list)}`)
	return { key }
}

function reportMissing(item: Record<string, unknown>, path: Path, report: Report): void {
	if ('should_trigger' in item) {
		report(
			'trigger-eval',
			path,
			'this is a trigger eval (should_trigger), not a behaviour eval: there is no output to grade',
			'keep it in a file of its own',
		)
		return
	}
	const other = Object.keys(item).find((key) => OTHER_LISTS.test(key))
	const found = `(found: ${Object.keys(item).slice(0, 12).join(', ')})`
	const hint =
		other === undefined ? 'add a list of what the output must show' : `write the sentences of "${other}" as a list "assertions"`
	report('assertions-missing', path, `this eval has neither "assertions" nor "expectations" ${found}`, hint)
}

function readAssertion(
	value: unknown,
	index: number,
	path: Path,
	document: JsonDocument,
	report: Report,
): AssertionDefinition | undefined {
	const translated = translate(value, path, report)
	if (!translated) return undefined
	const { text, hint, own } = translated
	const parsed = element.safeParse(own)
	if (!parsed.success) reportIssues(parsed.error.issues, own, path, 'assertion-shape', report)
	const target = readTarget(own.target, [...path, 'target'], report)
	const { pointer, line } = document.locate(path)
	return parsed.success ? { ...parsed.data, index, text, hint, target, pointer, line } : undefined
}

function translate(value: unknown, path: Path, report: Report): Translated | undefined {
	if (isObject(value)) return translateAssertion(value, path, report)
	if (typeof value === 'string' && value.trim() !== '') return { text: value.trim(), own: {} }
	report('assertion-shape', path, `an assertion must be a text or an object; this is ${describeValue(value)}`)
	return undefined
}

/** The default is everything in `outputs/`; a path is meant below it. */
function readTarget(value: unknown, path: Path, report: Report): Target {
	if (value === undefined) return { source: 'outputs' }
	const named = NAMED_TARGETS.find((source) => source === value)
	if (named) return { source: named }
	const parsed = fileTarget.safeParse(value)
	const relative = parsed.success ? parsed.data.path.replace(/^(\.\/)?(outputs\/)?/, '') : ''
	if (/^[^/\\:]+(\/[^/\\:]+)*$/.test(relative) && !relative.split('/').some((part) => part === '..' || part === '.')) {
		return { source: 'file', path: relative }
	}
	const hint = `use ${NAMED_TARGETS.map((source) => JSON.stringify(source)).join(', ')} or {"source": "file", "path": "<file in outputs/>"}`
	const found = parsed.success ? `the path ${JSON.stringify(parsed.data.path)}, which leaves outputs/` : describeValue(value)
	report('assertion-target', path, `"target" is ${found}`, hint)
	return { source: 'outputs' }
}
