import * as z from 'zod'
import { normalizeLines, quote } from './excerpt.ts'
import type { Hit, Probe } from './search.ts'

const text = z.string().min(1, 'must not be empty')

/** The options that say which texts to look for: one `value` or several `values`, and whether case counts. */
export const valueShape = {
	value: text.optional(),
	values: z.array(text).min(1, 'must hold at least one text').optional(),
	'ignore-case': z.boolean().default(false),
}

type ValueOptions = { value?: string | undefined; values?: string[] | undefined; 'ignore-case': boolean }

/** For superRefine: exactly one of `value` and `values`. */
export function refineValues(options: ValueOptions, context: z.RefinementCtx): void {
	const given = [options.value, options.values].filter((option) => option !== undefined).length
	if (given === 1) return
	const message = given === 0 ? '"value" is missing' : '"value" and "values" are both here'
	const hint = given === 0 ? 'give the text as "value", or several as "values"' : 'keep one of them'
	context.addIssue({ code: 'custom', path: [given === 0 ? 'value' : 'values'], message, params: { hint } })
}

/** One probe a text; line ends are normalised, occurrences do not overlap. */
export function probeValues(options: ValueOptions): Probe[] {
	const fold = options['ignore-case'] ? foldCase : (value: string) => value
	return (options.values ?? [options.value ?? '']).map((raw) => {
		const value = fold(normalizeLines(raw))
		const name = quote(raw)
		return {
			name,
			present: `${name} is in`,
			absent: `${name} is not in`,
			locate: (text) => locateValue(fold(text), value),
		}
	})
}

function locateValue(text: string, value: string): Hit | undefined {
	const start = text.indexOf(value)
	// An empty value is found everywhere and proves nothing; the options refuse it.
	if (start === -1 || value === '') return undefined
	let count = 0
	for (let at = start; at !== -1; at = text.indexOf(value, at + value.length)) count++
	return { first: { start, end: start + value.length }, count, counted: true }
}

/** Lower case of the same length, so that offsets stay true; letters that would grow keep their case. */
function foldCase(value: string): string {
	return value.replace(/[A-Z]|[^\x00-\x7f]/gu, (letter) => {
		const lower = letter.toLowerCase()
		if (lower.length !== letter.length) return letter
		return lower === 'ς' ? 'σ' : lower
	})
}
