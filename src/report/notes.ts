import type { Problem, SuiteResult } from '../model.ts'
import { clip, details, plural, pre } from './markdown.ts'

/** Of a long list only the beginning helps anybody. */
const MAX_NOTES = 30

/** What was noticed and does not block: repairs, disagreements, removed assertions. Folded; undefined if there is nothing. */
export function renderNotes(suite: SuiteResult): string | undefined {
	const problems = [...suite.problems, ...suite.evals.flatMap((evaluation) => evaluation.problems)].filter(
		({ severity }) => severity !== 'error',
	)
	const removed = (suite.comparison?.removed ?? []).map(
		({ evalId, text }) => `eval-${evalId}: in the baseline, no longer declared: ${clip(text, 200)}`,
	)
	const lines = [...problems.map(formatProblem), ...removed]
	if (lines.length === 0) return undefined
	const shown = lines.slice(0, MAX_NOTES).map((line) => pre(clip(line, 600)))
	const rest = lines.length > MAX_NOTES ? [`and ${lines.length - MAX_NOTES} more`] : []
	return details(`${plural(lines.length, 'more thing')} noticed`, [...shown, ...rest].join('\n'))
}

/** `file:line:column message (hint)`, as compilers print it, so that editors can follow it. Untrusted text. */
export function formatProblem({ file, line, column, message, hint }: Problem): string {
	const place = [file, line, column].filter((part) => part !== undefined).join(':')
	return `${place === '' ? '' : `${place} `}${message}${hint === undefined ? '' : ` (${hint})`}`
}
