import * as z from 'zod'
import { shorten } from './excerpt.ts'
import { compilePattern } from './pattern.ts'
import type { Probe } from './search.ts'

/** The options that give a pattern. */
export const patternShape = { pattern: z.string(), flags: z.string().default('') }

type PatternOptions = { pattern: string; flags: string }

/** For superRefine: the pattern must compile. */
export function refinePattern(options: PatternOptions, context: z.RefinementCtx): void {
	const compiled = compilePattern(options.pattern, options.flags)
	if (compiled.ok) return
	context.addIssue({ code: 'custom', path: [compiled.part], message: compiled.message, params: { hint: compiled.hint } })
}

/** The probe of a pattern; throws if it does not compile, which the options refuse. */
export function probePattern(options: PatternOptions): Probe {
	const compiled = compilePattern(options.pattern, options.flags)
	if (!compiled.ok) throw new Error(compiled.message)
	const name = `/${shorten(options.pattern, 80)}/${options.flags}`
	return {
		name,
		present: `${name} matches`,
		absent: `${name} matches nothing in`,
		locate: (text, cut) => {
			const first = compiled.find(text)
			// What ends where a cut text ends may only match because of the cut, as `$` does.
			return first && !(cut && first.end === text.length) ? { first, count: 1, counted: false } : undefined
		},
	}
}
