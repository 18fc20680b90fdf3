import type { GradingRow } from '../model.ts'
import { describeValue, isObject, type Path } from './json.ts'
import type { Report } from './shape.ts'

/** The names under which graders are known to write; the first of each is the canonical one. */
const FLAGS = ['passed', 'pass']
const WORDS = ['result', 'grade', 'status', 'verdict']
const TEXTS = ['text', 'assertion', 'expectation', 'description', 'name']
const EVIDENCE = ['evidence', 'reasoning', 'reason', 'notes', 'note']
const PASS = /^pass(ed)?$/i
const FAIL = /^fail(ed)?$/i

/**
 * One row of a grading. A row of another shape is kept as `error`, because a row that is dropped can no longer block.
 * Each name that is read for another one is said, as a notice; the file stays as it was.
 */
export function readRow(row: unknown, path: Path, report: Report): GradingRow {
	if (!isObject(row)) {
		report('grading-row', path, `a row must be an object; this is ${describeValue(row)}`)
		return { text: '', outcome: 'error', evidence: 'the grading has no usable row here' }
	}
	const say = (from: string, to: string) => {
		if (from !== to) report('grading-renamed', [...path, from], `"${from}" is read as "${to}"`, undefined, 'notice')
	}
	const textKey = TEXTS.find((key) => typeof row[key] === 'string' && row[key].trim() !== '')
	if (textKey === undefined)
		report('grading-row', path, 'the row does not say which assertion it is about', 'grade the eval again')
	else say(textKey, 'text')
	const { outcome, why } = readOutcome(row, textKey !== undefined, path, report, say)
	const id = row.id ?? row.assertion_id
	return {
		id: typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : undefined,
		text: textKey === undefined ? '' : String(row[textKey]),
		outcome,
		evidence: why ?? readEvidence(row, say),
	}
}

type ReadOutcome = { outcome: GradingRow['outcome']; why?: string }

/** A strict boolean, or PASS or FAIL in words. Our own rows also say `outcome`, which must not contradict. */
function readOutcome(
	row: Record<string, unknown>,
	hasText: boolean,
	path: Path,
	report: Report,
	say: (from: string, to: string) => void,
): ReadOutcome {
	if (row.outcome === 'error' && row.passed === false) return { outcome: 'error' }
	const fault = (key: string, message: string, why: string): ReadOutcome => {
		report('grading-row', key === '' ? path : [...path, key], message, 'grade the eval again')
		return { outcome: 'error', why }
	}
	const given = [...FLAGS, ...WORDS].filter((key) => key in row)
	const odd = given.find((key) => FLAGS.includes(key) && typeof row[key] !== 'boolean')
	if (odd !== undefined)
		return fault(odd, `"${odd}" must be true or false; it is ${describeValue(row[odd])}`, 'the grading has no true or false here')
	const said = given.flatMap((key): [string, boolean][] => {
		const value = readFlag(row[key])
		return value === undefined ? [] : [[key, value]]
	})
	const [first] = said
	if (!first)
		return fault(
			'',
			`the row has no result: no "passed" and no PASS or FAIL (found: ${Object.keys(row).slice(0, 8).join(', ')})`,
			'the grading has no result here',
		)
	const [key, passed] = first
	const other = said.find(([, value]) => value !== passed)?.[0]
	const own = row.outcome === undefined || row.outcome === (passed ? 'pass' : 'fail')
	if (other !== undefined || !own)
		return fault(
			other ?? 'outcome',
			`"${key}" and "${other ?? 'outcome'}" contradict each other`,
			'the grading contradicts itself here',
		)
	say(key, 'passed')
	if (!hasText) return { outcome: 'error', why: 'the grading does not say which assertion this row is about' }
	return { outcome: passed ? 'pass' : 'fail' }
}

function readFlag(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value
	if (typeof value !== 'string') return undefined
	return PASS.test(value.trim()) ? true : FAIL.test(value.trim()) ? false : undefined
}

function readEvidence(row: Record<string, unknown>, say: (from: string, to: string) => void): string {
	for (const key of EVIDENCE) {
		const value = row[key]
		const text = Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join('\n') : value
		if (typeof text !== 'string' || text === '') continue
		say(key, 'evidence')
		return text
	}
	return ''
}
