import type { Grade } from '../model.ts'
import type { JudgedRow } from './answer.ts'
import type { Material } from './request.ts'

/** A vote on one assertion, and what is odd about it, in our own words. */
export type Vote = Grade & { notices: string[] }

export type RowOptions = {
	/** A pass or fail whose quote is not there was not measured. */
	strictEvidence: boolean
}

/** What one row of an answer is worth: its quote is looked up, and a fail about something that was not shown whole is not counted. */
export function weighRow(row: JudgedRow, text: string, material: Material, { strictEvidence }: RowOptions): Vote {
	const isMissing = row.quote !== undefined && !isQuoted(row.quote, row.file, material)
	const where = row.file === undefined ? '' : `${row.file}: `
	const quote = row.quote === undefined ? '' : `\n${where}"${row.quote}"${isMissing ? ` ${NOT_FOUND}` : ''}`
	const evidence = `${row.evidence}${quote}`
	const notices = [
		...(isMissing ? ['evidence not found: what the judge quotes is not in the outputs'] : []),
		...(row.passed && contradicts(row.evidence, text) ? ['the judge passed it, but its evidence reads as if it failed'] : []),
	]
	const error = (why: string): Vote => ({ outcome: 'error', evidence: `${evidence}\n(not counted: ${why})`, notices })
	if (isMissing && strictEvidence) return error('judge-strict-evidence is on')
	const lacking = material.notShownWhole
	// What is not in the beginning of a file may be in its end: neither "it is missing" nor "nothing like it is there" was measured.
	if (lacking.length > 0 && (!row.passed || needsWhole(text)))
		return error(`the judge saw only the beginning of ${lacking.join(', ')}`)
	return { outcome: row.passed ? 'pass' : 'fail', evidence, notices }
}

const NOT_FOUND = '(this quote was not found in the outputs)'

/** White space may differ, because judges re-wrap what they quote. Blank words prove nothing, nor do those of another place than the named one. */
function isQuoted(quote: string, file: string | undefined, material: Material): boolean {
	const flat = (text: string) => text.replace(/\s+/g, ' ').trim()
	const named = file?.replace(/^(\.\/)?outputs\//, '')
	const isNamed = (place: RegExp) => named === undefined || place.test(named)
	const texts = [
		...material.outputs.filter(({ path }) => named === undefined || path === named).map(({ text }) => text),
		...(isNamed(/^last.?message$/i) ? [material.lastMessage] : []),
		...(isNamed(/^transcript$/i) ? [material.transcript] : []),
	]
	return flat(quote) !== '' && texts.some((text) => text !== undefined && flat(text).includes(flat(quote)))
}

const NEGATIVE =
	/\b(missing|absent|lacks|lacking|omits|omitted|fails to|failed to|no evidence|nowhere|(is|was|are|were|does|did|could|can) ?(not|n't|n’t)|cannot)\b/i
const NEGATIVE_ASSERTION =
	/\b(not?|never|without|none|neither|nor|avoids?|free of|absent|missing|omits?|lacks?|excludes?|cannot)\b|n['’]t\b/i

const OF_ALL =
	/\b(only|all|every|each|any|exactly|at most|fewer|less than|no more|up to|entire(ly)?|whole|throughout|consistent(ly)?)\b/i

/** An assertion about an absence, or about all of something, is not proven by a beginning. Too many words here cost a pass, too few a false one. */
function needsWhole(assertion: string): boolean {
	return NEGATIVE_ASSERTION.test(assertion) || OF_ALL.test(assertion)
}

/** A hint for readers, never a verdict: words are compared, nothing is understood. An assertion about an absence has such evidence rightly. */
function contradicts(evidence: string, assertion: string): boolean {
	return NEGATIVE.test(evidence) && !NEGATIVE_ASSERTION.test(assertion)
}
