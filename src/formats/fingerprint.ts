import { PARTS } from '../core/fingerprint.ts'
import type { Baseline, Fingerprint, FingerprintPart } from '../model.ts'
import { isObject, parseJson } from './json.ts'

/** `metadata.fingerprint` of a benchmark.json. */
export function formatFingerprint({ parts, evals }: Fingerprint) {
	return { ...parts, evals: Object.fromEntries(evals) }
}

/**
 * What a benchmark.json records of the conditions of its results. Undefined where it says nothing, as those of other tools; `unreadable` where
 * it says something that is not understood, because an unknown condition must not count as the same one.
 */
export function parseFingerprint(text: string): Baseline['fingerprint'] {
	const root = parseJson(text, '').value?.value
	if (!isObject(root)) return 'unreadable'
	const found = isObject(root.metadata) ? root.metadata.fingerprint : undefined
	return found === undefined ? undefined : readFingerprint(found)
}

/** The same from a value that is read already. */
export function readFingerprint(found: unknown): Fingerprint | 'unreadable' {
	if (!isObject(found) || !isObject(found.evals)) return 'unreadable'
	const names = Object.keys(PARTS) as FingerprintPart[]
	const parts: Fingerprint['parts'] = {}
	for (const name of names) {
		const value = found[name]
		if (value !== undefined && typeof value !== 'string') return 'unreadable'
		if (value !== undefined) parts[name] = value
	}
	const evals: Fingerprint['evals'] = new Map()
	for (const [id, own] of Object.entries(found.evals)) {
		const { model, task, files, assertions } = isObject(own) ? own : {}
		if (!isText(model) || !isText(task) || !isText(files)) return 'unreadable'
		if (!Array.isArray(assertions) || !assertions.every((each) => typeof each === 'string')) return 'unreadable'
		evals.set(id, { model, task, files, assertions })
	}
	return { parts, evals }
}

function isText(value: unknown): value is string | undefined {
	return value === undefined || typeof value === 'string'
}
