import { isSplit, votesOf } from '../judge/consensus.ts'
import type { EvalResult } from '../model.ts'
import { clip, code, details, evalName, plural } from './markdown.ts'

/** Of a long list only the beginning helps anybody. */
const MAX_LINES = 30
const TEXT_CHARACTERS = 200

/** Assertions on which the judge's runs differed about the same outputs: the judge wavers there, not the agent. Folded; undefined if there is none. */
export function renderJudgeFlaky(evals: EvalResult[]): string | undefined {
	const lines = evals.flatMap(({ id, assertions }) =>
		assertions.flatMap((assertion) => {
			const split = votesOf(assertion).filter(isSplit)
			const said = split.map(({ passed, runs }) => `${passed} of ${plural(runs, 'judge run')} passed it`).join(', ')
			return split.length === 0 ? [] : [`- ${evalName(id)} · ${code(clip(assertion.definition.text, TEXT_CHARACTERS))}: ${said}`]
		}),
	)
	if (lines.length === 0) return undefined
	const rest = lines.length > MAX_LINES ? [`- and ${lines.length - MAX_LINES} more`] : []
	return details(`Judge-flaky (${lines.length})`, [...lines.slice(0, MAX_LINES), ...rest].join('\n'))
}
