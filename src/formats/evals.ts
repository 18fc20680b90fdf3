import type { EvalDefinition, Problem, Read, SuiteDefinition } from '../definition.ts'
import { readAssertions } from './assertion.ts'
import { type Detected, detectFormat } from './detect.ts'
import { describeValue, isObject, type JsonDocument, type Path, parseJson } from './json.ts'
import { type Report, reporter } from './shape.ts'

/** An id becomes part of a directory's name and of a table, so nothing else may be in it. */
const SLUG = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]{0,62}[\p{L}\p{M}\p{N}_-])?$/u
/** A name stands in headings as it is, so it holds nothing that Markdown, a mention or a path could use. */
const SKILL_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._:-]{0,99}$/

/**
 * A definition in any of the formats of the family.
 * In: the text, the name to show and the skill's name where the file gives none.
 * Out: what could be read of the definition, so that everything wrong with it can be said at once, and every problem with line and
 * JSON Pointer. With an `error` among the problems the definition must not be run.
 */
export function parseEvals(text: string, file: string, fallbackSkill: string): Read<SuiteDefinition> {
	const { value: document, problems } = parseJson(text, file)
	if (!document) return { problems }
	const report = reporter(document, file, problems)
	const detected = detectFormat(document.value)
	if (!('format' in detected)) {
		report(detected.code, [], detected.why, detected.hint)
		return { problems }
	}
	const { format, items, path, root } = detected
	const skill = readSkill(root, fallbackSkill, report)
	reportUnreadLists(root, report)
	if (items.length === 0) report('evals-empty', path, 'there are no evals in this file', 'add an eval, or remove the file')
	const pathOf = (at: number): Path => (format === 'eval_metadata' ? [] : [...path, at])
	const evals = items.flatMap((item, at) => readEval(item, at, pathOf(at), detected, document, report) ?? [])
	reportDuplicateIds(evals, file, problems)
	return { value: { skill, file, format, evals }, problems }
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

/** A second list of cases beside `evals` (`pressure_tests`, `common_assertions`, `gates`): never run, but never passed over in silence. */
function reportUnreadLists(root: Record<string, unknown>, report: Report): void {
	for (const [key, value] of Object.entries(root)) {
		if (key === 'evals' || !Array.isArray(value) || value.length === 0) continue
		report(
			'evals-other-list',
			[key],
			`${JSON.stringify(key)} holds ${value.length} items that are not read`,
			'move what should be graded into "evals"',
			'warning',
		)
	}
}

function readEval(
	item: unknown,
	at: number,
	path: Path,
	{ format }: Detected,
	document: JsonDocument,
	report: Report,
): EvalDefinition | undefined {
	if (!isObject(item)) {
		report('eval-shape', path, `an eval must be an object; this is ${describeValue(item)}`)
		return undefined
	}
	const id = readId(item, at, format === 'evalify', path, report)
	const prompt = item.prompt
	if (typeof prompt !== 'string' || prompt.trim() === '') reportPrompt(item, path, report)
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

function reportPrompt(item: Record<string, unknown>, path: Path, report: Report): void {
	const other = ['input', 'query', 'task', 'instruction'].find((key) => typeof item[key] === 'string')
	const hint = other === undefined ? 'write the task for the agent as a text' : `call "${other}" "prompt"`
	report('eval-prompt', [...path, 'prompt'], `this eval's prompt is ${describeValue(item.prompt)}`, hint)
}

/** `id`, else `eval_id` (skill-creator's metadata). Evalify has none: there, and only there, the position is the id. */
function readId(
	item: Record<string, unknown>,
	at: number,
	isPositional: boolean,
	path: Path,
	report: Report,
): string | undefined {
	const key = item.id === undefined && item.eval_id !== undefined ? 'eval_id' : 'id'
	const id = item[key]
	if (id === undefined && isPositional) {
		report(
			'eval-id-position',
			path,
			'these evals have no ids: their positions are taken, from 1',
			'give them ids to keep their history when they move',
			'notice',
		)
		return String(at + 1)
	}
	if (Number.isSafeInteger(id)) return String(id)
	if (typeof id === 'string' && SLUG.test(id.normalize('NFC'))) return id.normalize('NFC')
	const hint = 'use a whole number, or 1 to 64 letters, digits, ".", "_" or "-"; it names the directory eval-<id>'
	report('eval-id', id === undefined ? path : [...path, key], `this eval's id is ${describeValue(id)}`, hint)
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
		const key = evaluation.id
			.normalize('NFKC')
			.toLowerCase()
			.replace(/^(-?)0+(?=\d)/, '$1')
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
