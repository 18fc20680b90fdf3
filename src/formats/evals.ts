import type { EvalDefinition, Problem, Read, SuiteDefinition } from '../model.ts'
import { readAssertions } from './assertion.ts'
import { describeValue, isObject, type JsonDocument, type Path, parseJson } from './json.ts'
import { type Report, reporter } from './shape.ts'

/** An id becomes part of a directory's name and of a table, so nothing else may be in it. */
const SLUG = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/
/** A name stands in headings as it is, so it holds nothing that Markdown, a mention or a path could use. */
const SKILL_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._:-]{0,99}$/

/**
 * An evals.json: run-evals (`assertions`) or skill-creator (`expectations`), an object with `evals`.
 * In: the text, the name to show and the skill's name where the file gives none.
 * Out: what could be read of the definition, so that everything wrong with it can be said at once, and every problem with line and
 * JSON Pointer. With an `error` among the problems the definition must not be run.
 */
export function parseEvals(text: string, file: string, fallbackSkill: string): Read<SuiteDefinition> {
	const { value: document, problems } = parseJson(text, file)
	if (!document) return { problems }
	const report = reporter(document, file, problems)
	const root = document.value
	if (!isObject(root) || !Array.isArray(root.evals)) {
		report(
			'evals-shape',
			[],
			`this is not an evals file: ${describeRoot(root)}`,
			'write an object with "skill_name" and "evals", a list of evals',
		)
		return { problems }
	}
	const skill = readSkill(root, fallbackSkill, report)
	if (root.evals.length === 0)
		report('evals-empty', ['evals'], 'there are no evals in this file', 'add an eval, or remove the file')
	const evals = root.evals.flatMap((item, at) => readEval(item, ['evals', at], document, report) ?? [])
	reportDuplicateIds(evals, file, problems)
	return { value: { skill, file, evals }, problems }
}

function describeRoot(root: unknown): string {
	if (!isObject(root)) return `it holds ${describeValue(root)}, not an object`
	if ('evals' in root) return `"evals" is ${describeValue(root.evals)}, not a list`
	return `it has no "evals" (found: ${Object.keys(root).slice(0, 8).join(', ') || 'no key at all'})`
}

function readSkill(root: Record<string, unknown>, fallback: string, report: Report): string {
	const key = ['skill_name', 'skill'].find((name) => root[name] !== undefined)
	const name = key === undefined ? fallback : root[key]
	if (typeof name === 'string' && SKILL_NAME.test(name)) return name
	report(
		'skill-name',
		key === undefined ? [] : [key],
		`the skill's name is ${describeValue(name)}`,
		'use 1 to 100 letters, digits, spaces, ".", "_", ":" or "-", the first a letter or digit',
	)
	return fallback
}

function readEval(item: unknown, path: Path, document: JsonDocument, report: Report): EvalDefinition | undefined {
	if (!isObject(item)) {
		report('eval-shape', path, `an eval must be an object; this is ${describeValue(item)}`)
		return undefined
	}
	const id = readId(item.id, path, report)
	const prompt = item.prompt
	if (typeof prompt !== 'string' || prompt.trim() === '') {
		report(
			'eval-prompt',
			[...path, 'prompt'],
			`this eval's prompt is ${describeValue(prompt)}`,
			'write the task for the agent as a text',
		)
	}
	const expected = item.expected_output
	const { pointer, line } = document.locate(path)
	return {
		id: id ?? '',
		name: ['name', 'eval_name'].map((key) => item[key]).find((name) => typeof name === 'string'),
		prompt: typeof prompt === 'string' ? prompt : '',
		expectedOutput: typeof expected === 'string' ? expected : undefined,
		files: readFiles(item.files, [...path, 'files'], report),
		assertions: readAssertions(item, path, document, report),
		line,
		pointer,
	}
}

function readId(id: unknown, path: Path, report: Report): string | undefined {
	if (Number.isSafeInteger(id)) return String(id)
	if (typeof id === 'string' && SLUG.test(id)) return id
	const hint = 'use a whole number, or 1 to 64 letters, digits, ".", "_" or "-"; it names the directory eval-<id>'
	report('eval-id', id === undefined ? path : [...path, 'id'], `this eval's id is ${describeValue(id)}`, hint)
	return undefined
}

function readFiles(files: unknown, path: Path, report: Report): string[] {
	if (files === undefined || files === null) return []
	if (Array.isArray(files) && files.every((file) => typeof file === 'string' && file !== '')) return files as string[]
	report('eval-files', path, `"files" must be a list of paths; it is ${describeValue(files)}`)
	return []
}

/** Two ids that some disk would put into one directory are one id. */
function reportDuplicateIds(evals: EvalDefinition[], file: string, problems: Problem[]): void {
	const seen = new Map<string, EvalDefinition>()
	for (const evaluation of evals.filter(({ id }) => id !== '')) {
		const key = evaluation.id.toLowerCase().replace(/^(-?)0+(?=\d)/, '$1')
		const first = seen.get(key)
		seen.set(key, first ?? evaluation)
		if (!first) continue
		problems.push({
			code: 'eval-id-duplicate',
			severity: 'error',
			file,
			line: evaluation.line,
			pointer: evaluation.pointer,
			message: `the id ${evaluation.id} is that of the eval on line ${first.line} too${first.id === evaluation.id ? '' : ` (${first.id})`}`,
			hint: 'give each eval an id of its own',
		})
	}
}
