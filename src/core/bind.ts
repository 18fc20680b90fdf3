import type { AssertionDefinition } from '../definition.ts'
import type { GradingRow } from '../model.ts'

export type Bound = {
	/** By the assertion's index. */
	rows: Map<number, GradingRow>
	/** Rows that belong to no declared assertion. */
	extra: GradingRow[]
	/** Indexes bound by position although the texts differ. */
	reworded: number[]
}

/** What of a definition its row is found by. */
export type Bindable = Pick<AssertionDefinition, 'id' | 'text' | 'index' | 'skip'>

/** Shorter beginnings are too weak to say that a grader cut an assertion off. */
const MIN_PREFIX_CHARACTERS = 40

/**
 * Finds each declared assertion's row: by id, else by text, else by position where the counts agree.
 * Graders retype texts (4.3 % of real gradings), so a text alone is no key; and a count that differs proves that position is none.
 * `rewording: refuse` (for a baseline, whose definitions may have been others) binds by position only what is the same text cut or retyped.
 */
export function bindRows(definitions: Bindable[], rows: GradingRow[], rewording: 'accept' | 'refuse'): Bound {
	const bound: Bound = { rows: new Map(), extra: [], reworded: [] }
	const free = new Set(rows)
	const take = (definition: Bindable, row: GradingRow | undefined) => {
		if (!row || !free.delete(row)) return false
		bound.rows.set(definition.index, row)
		return true
	}
	const unbound = () => definitions.filter(({ index }) => !bound.rows.has(index))
	for (const definition of definitions) {
		if (definition.id !== undefined)
			take(
				definition,
				find(free, (row) => row.id === definition.id),
			)
	}
	// Word for word first, so that two assertions that differ only in what retyping loses are told apart.
	for (const key of [(text: string) => text, normaliseText]) {
		for (const definition of unbound()) {
			const text = key(definition.text)
			take(
				definition,
				find(free, (row) => row.text !== '' && key(row.text) === text),
			)
		}
	}
	// Gradings list either all declared assertions or, like ours, all but the skipped ones.
	const positions = [definitions, definitions.filter(({ skip }) => !skip)].find(({ length }) => length === rows.length) ?? []
	for (const [at, definition] of positions.entries()) {
		const row = rows[at]
		if (!row || bound.rows.has(definition.index)) continue
		if (rewording === 'refuse' && !isCutOff(definition.text, row.text)) continue
		if (take(definition, row)) bound.reworded.push(definition.index)
	}
	bound.extra = [...free]
	return bound
}

function find(rows: Set<GradingRow>, matches: (row: GradingRow) => boolean): GradingRow | undefined {
	return [...rows].find(matches)
}

/** The text as far as graders keep it: case, white space, dashes and quotes get lost in retyping. */
export function normaliseText(text: string): string {
	return text
		.normalize('NFKC')
		.replace(/[\u2010-\u2015\u2212]|--+/g, '-')
		.replace(/[\u2018\u2019\u201c\u201d`'"]/g, "'")
		.replace(/\s+/g, ' ')
		.trim()
		.toLowerCase()
}

function isCutOff(declared: string, found: string): boolean {
	const start = normaliseText(found).replace(/(\.\.\.|…)$/, '')
	return start.length >= MIN_PREFIX_CHARACTERS && normaliseText(declared).startsWith(start)
}
