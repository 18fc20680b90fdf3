import type { GradingRow, Read } from '../model.ts'
import { describeValue, isObject, type Path, parseJson } from './json.ts'
import { type Report, reporter } from './shape.ts'

/** What the file says of itself; compared with the rows, never counted. */
export type ClaimedSummary = { passed?: number | undefined; total?: number | undefined }
export type Grading = { rows: GradingRow[]; claimed?: ClaimedSummary | undefined }

/**
 * A grading.json: rows under `assertion_results` (run-evals) or `expectations` (skill-creator), each with a text and a strict boolean `passed`.
 * A row of another shape is kept as `error`, because a row that is dropped can no longer block.
 * Out: no value if there is no list of rows.
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
	const keys = ['assertion_results', 'expectations'].filter((key) => root[key] !== undefined)
	const key = keys[0]
	const list = key === undefined ? undefined : root[key]
	if (key === undefined || !Array.isArray(list)) {
		const found =
			key === undefined
				? `found: ${Object.keys(root).slice(0, 8).join(', ') || 'no key at all'}`
				: `"${key}" is ${describeValue(list)}`
		report(
			'grading-shape',
			[],
			`this grading has no list "assertion_results" or "expectations" (${found})`,
			'grade the eval again',
		)
		return { problems }
	}
	if (keys.length === 2 && JSON.stringify(root.assertion_results) !== JSON.stringify(root.expectations)) {
		report(
			'grading-lists-differ',
			['expectations'],
			'"assertion_results" and "expectations" are both here and differ',
			'grade the eval again',
		)
		return { problems }
	}
	// The row's own outcome blocks, at its assertion's severity; the problem only explains it.
	const explain: Report = (code, path, message, hint) => report(code, path, message, hint, 'warning')
	const rows = list.map((row, at) => readRow(row, [key, at], explain))
	return { value: { rows, claimed: readClaim(root.summary) }, problems }
}

function readRow(row: unknown, path: Path, report: Report): GradingRow {
	if (!isObject(row)) {
		report('grading-row', path, `a row must be an object; this is ${describeValue(row)}`)
		return { text: '', outcome: 'error', evidence: 'the grading has no usable row here' }
	}
	const { id, text, evidence, passed, outcome } = row
	const usableText = typeof text === 'string' && text.trim() !== ''
	if (!usableText) report('grading-row', [...path, 'text'], `the row's text is ${describeValue(text)}`)
	const read = readOutcome(passed, outcome, usableText, path, report)
	return {
		id: typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : undefined,
		text: typeof text === 'string' ? text : '',
		outcome: read.outcome,
		evidence: read.why ?? (typeof evidence === 'string' ? evidence : ''),
	}
}

type ReadOutcome = { outcome: GradingRow['outcome']; why?: string }

/** Only a strict boolean is a result. Our own rows also say `outcome`, which must not contradict it. */
function readOutcome(passed: unknown, outcome: unknown, usableText: boolean, path: Path, report: Report): ReadOutcome {
	if (outcome === 'error' && passed === false) return { outcome: 'error' }
	if (typeof passed !== 'boolean') {
		report(
			'grading-row',
			[...path, 'passed'],
			`"passed" must be true or false; it is ${describeValue(passed)}`,
			'grade the eval again',
		)
		return { outcome: 'error', why: 'the grading has no true or false here' }
	}
	if (outcome !== undefined && outcome !== (passed ? 'pass' : 'fail')) {
		report(
			'grading-row',
			[...path, 'outcome'],
			`"passed" is ${passed} and "outcome" is ${describeValue(outcome)}: they contradict each other`,
		)
		return { outcome: 'error', why: 'the grading contradicts itself here' }
	}
	if (!usableText) return { outcome: 'error', why: 'the grading does not say which assertion this row is about' }
	return { outcome: passed ? 'pass' : 'fail' }
}

function readClaim(summary: unknown): ClaimedSummary | undefined {
	if (!isObject(summary)) return undefined
	const count = (value: unknown) => (typeof value === 'number' ? value : undefined)
	return { passed: count(summary.passed), total: count(summary.total) }
}
