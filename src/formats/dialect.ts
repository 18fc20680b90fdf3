import { guessName } from '../graders/spelling.ts'
import type { Path } from './json.ts'
import type { Report } from './shape.ts'
import { CHECK_FIELDS, type MappedCheck, mapCheck } from './typed-check.ts'

/** An assertion object in our own words, before its fields are checked. */
export type Translated = { text: string; hint?: string | undefined; own: Record<string, unknown> }

export const OWN_FIELDS = ['id', 'text', 'severity', 'type', 'weight', 'skip', 'grader', 'options', 'target']
const OWN_TYPES = new Set<unknown>([undefined, 'regression', 'capability'])
/** Where a sentence may stand, best first. */
const TEXT_FIELDS = ['text', 'description', 'assertion', 'expectation', 'name']
/** Grades of an earlier run: in a definition they are never read as one. */
const STALE_FIELDS = ['passed', 'pass', 'evidence', 'last_result', 'result', 'verdict', 'grade']
const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/**
 * Reads an object of any of the dialects: ours, `{name, description}`, `{text, description}`, `{text, type}`, typed checks.
 * Undefined, with a problem, if it has no text, or has fields that say how to check and would have no effect.
 */
export function translateAssertion(value: Record<string, unknown>, path: Path, report: Report): Translated | undefined {
	const isForeign = !OWN_TYPES.has(value.type) && value.grader === undefined
	const check = isForeign ? mapCheck(String(value.type), value) : undefined
	const words = findWords(value)
	const text = check?.text ?? words.text ?? (check && labelCheck(check))
	if (text === undefined) {
		report(
			'assertion-text',
			path,
			`this assertion has no text (looked for ${TEXT_FIELDS.join(', ')})`,
			'write as "text" what the output must show',
		)
		return undefined
	}
	if (!reportLeftovers(value, isForeign, check !== undefined, path, report)) return undefined
	const own = Object.fromEntries(
		Object.entries(value).filter(([key]) => OWN_FIELDS.includes(key) && !(isForeign && (key === 'type' || key === 'target'))),
	)
	const checked = check ? toOwnFields(check) : {}
	return { text, hint: words.hint, own: { ...own, id: own.id ?? words.id, ...checked } }
}

function toOwnFields({ grader, options, target }: MappedCheck): Record<string, unknown> {
	const aim = target?.source === 'last-message' ? 'last-message' : target
	return { grader, options, ...(aim === undefined ? {} : { target: aim }) }
}

/** A `text` or `name` without a space is a name for the sentence in `description`. */
function findWords(value: Record<string, unknown>): { text?: string; id?: string; hint?: string } {
	const get = (key: string) => (typeof value[key] === 'string' && value[key].trim() !== '' ? value[key] : undefined)
	const [text, description, name, check] = ['text', 'description', 'name', 'check'].map(get)
	const slug = [text, name].find((word) => word !== undefined && IDENTIFIER.test(word))
	const sentence =
		text !== undefined && description !== undefined && text === slug
			? description
			: TEXT_FIELDS.map(get).find((word) => word !== undefined)
	const hint = check ?? (description === sentence ? undefined : description)
	return {
		...(sentence === undefined ? {} : { text: sentence }),
		...(slug === undefined || slug === sentence ? {} : { id: slug }),
		...(hint === undefined ? {} : { hint }),
	}
}

/** For a check without a sentence. */
function labelCheck({ grader, options, target }: MappedCheck): string {
	const facts = Object.values(options).map((option) => JSON.stringify(option))
	return [grader, ...facts, ...(target?.source === 'file' ? [`in ${target.path}`] : [])].join(' ')
}

/** Says what of the object has no effect. False if something of it must have one. */
function reportLeftovers(
	value: Record<string, unknown>,
	isForeign: boolean,
	isMapped: boolean,
	path: Path,
	report: Report,
): boolean {
	const type = JSON.stringify(value.type)
	if (isForeign && !isMapped)
		report(
			'assertion-type',
			[...path, 'type'],
			`the type ${type} is not a check that can be run: the judge decides`,
			undefined,
			'notice',
		)
	let usable = true
	for (const key of Object.keys(value)) {
		const quoted = JSON.stringify(key)
		const isCheck =
			CHECK_FIELDS.has(key) || (key === 'target' && isForeign) || (key === 'check' && typeof value[key] !== 'string')
		if (isCheck && !isMapped) {
			usable = false
			const with_ = isForeign ? `with the type ${type}` : 'without a grader'
			report(
				'assertion-field',
				[...path, key],
				`${quoted} says how to check, and ${with_} it would have no effect`,
				'use "grader", "options" and "target"',
			)
		} else if (STALE_FIELDS.includes(key)) {
			report('assertion-stale', [...path, key], `${quoted} is a result of an earlier run: it is ignored`, undefined, 'notice')
		} else if (!isCheck && !OWN_FIELDS.includes(key) && !TEXT_FIELDS.includes(key) && key !== 'check') {
			usable = reportUnknown(key, path, report) && usable
		}
	}
	return usable
}

function reportUnknown(key: string, path: Path, report: Report): boolean {
	const guess = guessName(key, OWN_FIELDS)
	if (guess === undefined) {
		report('assertion-field', [...path, key], `${JSON.stringify(key)} has no effect`, undefined, 'notice')
		return true
	}
	report('assertion-field', [...path, key], `${JSON.stringify(key)} is not a known field`, `write "${guess}"`)
	return false
}
