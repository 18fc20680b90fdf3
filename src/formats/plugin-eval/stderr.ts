import type { Problem } from '../../definition.ts'

/** More lines of one kind help nobody. */
const MAX_LINES = 20
const LINE_CHARACTERS = 300

/** Lines that say of a result what the result itself does not say (Claude Code 2.1.332). */
const SIGNS: { pattern: RegExp; code: string; sentence: string }[] = [
	{ pattern: /^✗ [/\\A-Za-z][^:]*[/\\][^:]*: ./, code: 'plugin-eval-load', sentence: 'a case could not be loaded' },
	{ pattern: /^Couldn't load \d+ case file/, code: 'plugin-eval-load', sentence: 'not every case could be loaded' },
	{ pattern: /^⚠ \d+ runs? ended on an API error/, code: 'plugin-eval-api', sentence: 'the API failed' },
	{ pattern: /could not be started by the harness/, code: 'plugin-eval-harness', sentence: 'a run could not be started' },
	{ pattern: /scaffold_script is not run/, code: 'plugin-eval-scaffold', sentence: 'a case ran without its scaffold' },
	{ pattern: /^Error: /, code: 'plugin-eval-refused', sentence: 'claude plugin eval refused to run' },
]

/** What `claude plugin eval` printed on standard error beside its result: cases that were not loaded leave no other trace. Each quotes its line, clipped. */
export function readPluginStderr(text: string, file: string): Problem[] {
	return text
		.split(/\r\n|\r|\n/)
		.flatMap((line, at): Problem[] => {
			const sign = SIGNS.find(({ pattern }) => pattern.test(line))
			if (!sign) return []
			const message = `${sign.sentence}: ${[...line].slice(0, LINE_CHARACTERS).join('')}`
			return [{ code: sign.code, severity: 'error', file, line: at + 1, message }]
		})
		.slice(0, MAX_LINES)
}
