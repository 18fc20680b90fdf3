import { isObject } from '../formats/json.ts'
import type { Transcript } from '../transcript.ts'

/** The part of a record on which a run's success is decided. */
export type Outcome = Pick<Transcript, 'model' | 'texts' | 'toolCalls' | 'turns' | 'usage' | 'costUsd' | 'ending' | 'fault'>
export type Event = Record<string, unknown>

/** Every JSON object of the record, a line each or as one document; warnings between them and a half last line are left out. */
export function parseEvents(text: string): Event[] {
	return text.split('\n').flatMap((line) => {
		try {
			const value: unknown = line.trim() === '' ? undefined : JSON.parse(line)
			return isObject(value) ? [value] : []
		} catch {
			return []
		}
	})
}

/** The value at a path of keys; undefined where a step is missing or no object. */
export function at(value: unknown, ...keys: string[]): unknown {
	return keys.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value)
}

export function textAt(value: unknown, ...keys: string[]): string | undefined {
	const found = at(value, ...keys)
	return typeof found === 'string' ? found : undefined
}

/** A finite number that is not negative. */
export function numberAt(value: unknown, ...keys: string[]): number | undefined {
	const found = at(value, ...keys)
	return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined
}

export function listAt(value: unknown, ...keys: string[]): unknown[] {
	const found = at(value, ...keys)
	return Array.isArray(found) ? found : []
}

/** Undefined as soon as one part is missing: a sum without it would be too small. */
export function addUp(parts: (number | undefined)[]): number | undefined {
	return parts.length === 0 || parts.includes(undefined) ? undefined : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)
}

/** An agent that has no prices says 0, which is no measurement. */
export function priced(cost: number | undefined): number | undefined {
	return cost === 0 ? undefined : cost
}
