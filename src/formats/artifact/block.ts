import type * as z from 'zod'
import type { Problem, Read } from '../../definition.ts'
import { describeValue, isObject, type JsonDocument, type Path } from '../json.ts'
import { reportIssues } from '../shape.ts'
import { type Entry, entry, FIELDS, provenance } from './entry.ts'
import { guessKey, hintField, hintReserved, hintValue } from './migration.ts'

/** An entry with what its shorthand means filled in, and where it stands. */
export type BlockEntry = Entry & { line: number; pointer: string }

/** What `metadata` declares. `authors`: by id of an entry, the models that wrote it. */
export type Block = { skip: boolean; entries: BlockEntry[]; authors: Map<string, string[]> }

const KEYS = ['evals', 'eval-skip', 'meta-provenance']

type Fault = { path: Path; message: string; hint?: string | undefined }

/**
 * The `metadata` of an artifact (artifact-evals 1.1.0), at `base` of a document.
 * Out: no value where nothing is declared; with any fault, one `evals-block-valid` error that names them all, and no value either: of a block
 * that is half understood nobody knows which half was meant.
 */
export function readBlock(metadata: unknown, base: Path, document: JsonDocument, file: string): Read<Block> {
	if (metadata === undefined || metadata === null) return { problems: [] }
	if (!isObject(metadata)) {
		const fault = { path: base, message: `"metadata" must be an object; it is ${describeValue(metadata)}` }
		return { problems: [sayFaults([fault], document, file)] }
	}
	const near = warnNearMisses(metadata, base, document, file)
	const reserved = Object.keys(metadata).filter((key) => /^eval-/i.test(key) && key !== 'eval-skip')
	if (reserved.length > 0) {
		const faults = reserved.map((key) => {
			return {
				path: [...base, key],
				message: `the key "${key}" is not known, and keys that begin with "eval-" are reserved`,
				hint: hintReserved(key),
			}
		})
		return { problems: [sayFaults(faults, document, file)] }
	}
	if (!KEYS.some((key) => metadata[key] !== undefined)) return { problems: near }
	const faults: Fault[] = []
	const block = readKeys(metadata, base, document, faults)
	return faults.length > 0 ? { problems: [sayFaults(faults, document, file), ...near] } : { value: block, problems: near }
}

function readKeys(metadata: Record<string, unknown>, base: Path, document: JsonDocument, faults: Fault[]): Block {
	const skip = metadata['eval-skip']
	if (skip !== undefined && typeof skip !== 'boolean') {
		const path = [...base, 'eval-skip']
		faults.push({ path, message: `"eval-skip" must be true or false; it is ${describeValue(skip)}`, hint: hintValue(path, skip) })
	}
	const entries = metadata.evals === undefined ? [] : readEntries(metadata.evals, [...base, 'evals'], document, faults)
	const authors = new Map<string, string[]>()
	const path = [...base, 'meta-provenance']
	const read = provenance.optional().safeParse(metadata['meta-provenance'])
	if (!read.success) faults.push(...listFaults(read.error.issues, metadata['meta-provenance'], path))
	for (const { 'generated-by': author, evals = [] } of read.data ?? []) {
		for (const id of evals) authors.set(id, [...new Set([...(authors.get(id) ?? []), author])])
	}
	return { skip: skip === true, entries, authors }
}

function readEntries(evals: unknown, path: Path, document: JsonDocument, faults: Fault[]): BlockEntry[] {
	if (typeof evals === 'string' && evals !== '') return [expand(evals, 0, document.locate(path))]
	if (!Array.isArray(evals) || evals.length === 0) {
		const found = evals === '' ? 'an empty text' : Array.isArray(evals) ? 'an empty list' : describeValue(evals)
		faults.push({
			path,
			message: `"evals" must be a sentence or a list of entries; it is ${found}`,
			hint: hintValue(path, evals),
		})
		return []
	}
	const entries = evals.flatMap((item: unknown, at) => readEntry(item, at, [...path, at], document, faults) ?? [])
	const seen = new Map<string, BlockEntry>()
	for (const one of entries) {
		const first = seen.get(one.id)
		if (first) {
			const at = [...path, Number(one.pointer.split('/').at(-1))]
			const hint = 'give each an "id" of its own; a plain sentence takes eval-<its position>'
			faults.push({ path: at, message: `the id "${one.id}" is that of the entry on line ${first.line} too`, hint })
		} else seen.set(one.id, one)
	}
	return entries
}

function readEntry(item: unknown, at: number, path: Path, document: JsonDocument, faults: Fault[]): BlockEntry | undefined {
	if (typeof item === 'string' && item !== '') return expand(item, at, document.locate(path))
	if (!isObject(item)) {
		const found = item === '' ? 'an empty text' : describeValue(item)
		faults.push({ path, message: `an entry must be a sentence or an object; this is ${found}` })
		return undefined
	}
	const parsed = entry.safeParse(item)
	const { line, pointer } = document.locate(path)
	if (parsed.success) return { ...parsed.data, line, pointer }
	faults.push(...listFaults(parsed.error.issues, item, path))
	return undefined
}

/** A sentence alone is for the judge; its id is its position among all entries, from 1. */
function expand(assertion: string, at: number, { line, pointer }: { line: number; pointer: string }): BlockEntry {
	return { ...entry.parse({ id: `eval-${at + 1}`, assertion }), line, pointer }
}

function listFaults(issues: readonly z.core.$ZodIssue[], value: unknown, path: Path): Fault[] {
	const faults: Fault[] = []
	const add = (_code: string, at: Path, message: string) => faults.push({ path: at, message })
	for (const issue of issues) {
		if (issue.code === 'unrecognized_keys') {
			for (const key of issue.keys) {
				const at = [...path, ...(issue.path as Path), key]
				faults.push({ path: at, message: `the field "${key}" is not known`, hint: hintField(key, FIELDS) })
			}
		} else {
			const before = faults.length
			reportIssues([issue], value, path, '', add)
			const found = (issue.path as Path).reduce<unknown>((inner, part) => (Object(inner) as Record<string, unknown>)[part], value)
			for (const fault of faults.slice(before)) fault.hint = hintValue(issue.path, found)
		}
	}
	return faults
}

/** Keys that look like ours and mean nothing are said, because whoever wrote one believes in it. */
function warnNearMisses(metadata: Record<string, unknown>, base: Path, document: JsonDocument, file: string): Problem[] {
	return Object.keys(metadata).flatMap((key) => {
		const meant = /^eval-/i.test(key) ? undefined : guessKey(key)
		if (meant === undefined) return []
		const message = `"${key}" below "metadata" has no effect`
		const hint = `if "${meant}" is meant, write it so`
		return [{ code: 'evals-block-key', severity: 'warning' as const, file, ...document.locate([...base, key]), message, hint }]
	})
}

/** One error for the whole block, with the place of its first fault. */
function sayFaults(faults: Fault[], document: JsonDocument, file: string): Problem {
	const placed = faults
		.map((fault) => ({ ...fault, ...document.locate(fault.path) }))
		.toSorted((a, b) => a.line - b.line || a.column - b.column)
	const list = placed.map(({ pointer, line, message, hint }) => {
		return `${pointer || '/'} (line ${line}): ${message}${hint !== undefined && placed.length > 1 ? ` (${hint})` : ''}`
	})
	const [first] = placed
	return {
		code: 'evals-block-valid',
		severity: 'error',
		file,
		line: first?.line,
		column: first?.column,
		pointer: first?.pointer,
		message: `invalid metadata.evals block: ${list.join('; ')}`,
		hint: (placed.length === 1 ? first?.hint : undefined) ?? 'nothing of this block is graded until it is repaired',
	}
}
