import { countOutcomes } from '../core/collect.ts'
import type { EvalResult } from '../model.ts'
import { evalName, percent } from './markdown.ts'

/** Header and delimiter as run-evals prints them: other tools look for these lines. */
const HEADER = ['| Eval | Passed | Failed | Pass Rate |', '|------|--------|--------|-----------|']

/** One row an eval. Failed counts what says false; what was not measured is said elsewhere. */
export function renderEvalTable(evals: EvalResult[]): string {
	const rows = [...evals].sort(compareIds).map(({ id, assertions }) => {
		const { passed, failed, expected, errors } = countOutcomes(assertions)
		const rate = errors === expected ? 'n/a' : percent(passed, expected)
		return `| ${evalName(id)} | ${passed}/${expected} | ${failed} | ${rate} |`
	})
	return [...HEADER, ...rows].join('\n')
}

const collator = new Intl.Collator('en', { numeric: true })

/** eval-2 before eval-10; names after numbers. */
export function compareIds(a: { id: string }, b: { id: string }): number {
	const [first, second] = [isNumber(a.id), isNumber(b.id)]
	if (first && second) return Number(a.id) - Number(b.id)
	return first === second ? collator.compare(a.id, b.id) : first ? -1 : 1
}

/** Not Number(), which takes `1e3`, `0x10` and `Infinity` for numbers too. */
function isNumber(id: string): boolean {
	return /^-?\d+$/.test(id)
}
