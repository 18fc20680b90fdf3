import type { Read } from '../definition.ts'
import type { GradingRow, Timing } from '../model.ts'
import { readRow } from './grading-row.ts'
import { describeValue, isObject, parseJson } from './json.ts'
import { type Report, reporter } from './shape.ts'
import { readGradingTiming } from './timing.ts'

/** What the file says of itself; compared with the rows, never counted. */
export type ClaimedSummary = { passed?: number | undefined; total?: number | undefined }
export type Grading = {
	rows: GradingRow[]
	claimed?: ClaimedSummary | undefined
	/** Counts, with its problems, only where there is no timing.json. */
	timing?: Read<Timing> | undefined
}

/** Under which names a list of rows is known, the canonical one first. */
const LISTS = ['assertion_results', 'expectations', 'assertions']

/**
 * A grading.json of run-evals, skill-creator or one of their relatives: a list of rows, each with a text and a result.
 * Out: no value if there is no such list, or two that differ.
 */
export function parseGrading(text: string, file: string): Read<Grading> {
	const { value: document, problems } = parseJson(text, file)
	if (!document) return { problems }
	const report = reporter(document, file, problems)
	const root = document.value
	if (!isObject(root)) {
		report('grading-shape', [], `a grading must be an object; this is ${describeValue(root)}`)
		return { problems }
	}
	const lists = LISTS.filter((key) => isRows(root[key]))
	const [key, ...others] = lists
	if (key === undefined) {
		reportNoList(root, report)
		return { problems }
	}
	// The row's own outcome blocks, at its assertion's severity; the problem only explains it.
	const explain: Report = (code, path, message, hint, severity = 'warning') => report(code, path, message, hint, severity)
	const read = (list: string) => (root[list] as unknown[]).map((row, at) => readRow(row, [list, at], explain))
	const rows = [...read(key), ...readUnarmed(root.not_applicable)]
	const different = others.find((other) => !isSame(read(key), read(other)))
	if (different !== undefined) {
		report('grading-lists-differ', [different], `"${key}" and "${different}" are both here and differ`, 'grade the eval again')
		return { problems }
	}
	if (key === 'assertions') report('grading-renamed', [key], `"${key}" is read as "assertion_results"`, undefined, 'notice')
	const timing = root.timing === undefined ? undefined : readGradingTiming(root.timing, document, file)
	return { value: { rows, claimed: readClaim(root), timing }, problems }
}

/** Our own list of what did not apply to the run; a row of another shape is no row, and its assertion then has no result. */
function readUnarmed(list: unknown): GradingRow[] {
	if (!Array.isArray(list)) return []
	return list.flatMap((row: unknown) => {
		if (!isObject(row) || typeof row.text !== 'string' || typeof row.reason !== 'string' || row.reason === '') return []
		const id = typeof row.id === 'string' ? row.id : undefined
		return [{ id, text: row.text, outcome: 'skipped' as const, evidence: row.reason }]
	})
}

/** A list of texts is a list of assertions, not of results. An empty list is one of results, of none. */
function isRows(value: unknown): boolean {
	return Array.isArray(value) && !(value.length > 0 && value.every((each) => typeof each === 'string'))
}

function isSame(rows: GradingRow[], others: GradingRow[]): boolean {
	return (
		rows.length === others.length &&
		rows.every(({ outcome, text }, at) => outcome === others[at]?.outcome && text === others[at]?.text)
	)
}

function reportNoList(root: Record<string, unknown>, report: Report): void {
	const keys = Object.keys(root).slice(0, 8)
	const nested = ['with_skill', 'without_skill', 'runs'].find((key) => key in root)
	const hint = nested === undefined ? 'grade the eval again' : `"${nested}" holds several gradings: write one grading.json a run`
	const named = LISTS.find((key) => root[key] !== undefined)
	const found =
		named === undefined ? `found: ${keys.join(', ') || 'no key at all'}` : `"${named}" is ${describeValue(root[named])}`
	report(
		'grading-shape',
		named === undefined ? [] : [named],
		`this grading has no list "assertion_results" or "expectations" (${found})`,
		hint,
	)
}

/** In one of the spellings that are found: a `summary`, or counts at the top. */
function readClaim(root: Record<string, unknown>): ClaimedSummary | undefined {
	const claim = isObject(root.summary) ? root.summary : root
	const count = (...keys: string[]) => keys.map((key) => claim[key]).find((value): value is number => typeof value === 'number')
	const passed = count('passed', 'pass_count', 'passed_count', 'total_pass')
	const failed = count('total_fail', 'fail_count', 'failed_count')
	const total = count('total', 'total_count') ?? (passed !== undefined && failed !== undefined ? passed + failed : undefined)
	return passed === undefined && total === undefined ? undefined : { passed, total }
}
