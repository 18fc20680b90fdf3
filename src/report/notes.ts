import type { Problem } from '../definition.ts'
import type { Removed } from '../model.ts'
import { clip, code, details, evalName, inline } from './markdown.ts'

/** Of a long list only the beginning helps anybody. */
const MAX_LINES = 30
const LINE_CHARACTERS = 600

/** What was noticed and does not block: repairs, disagreements, removed assertions. Folded; undefined if there is nothing. */
export function renderNotes(problems: Problem[], removed: Removed[] = []): string | undefined {
	const lines = [...problems.filter(({ severity }) => severity !== 'error').map(renderProblem), ...removed.map(renderRemoved)]
	return lines.length > 0 ? details(`What else was noticed (${lines.length})`, toList(lines)) : undefined
}

/** What makes results unusable, undefined if nothing does. */
export function renderFaults(problems: Problem[]): string | undefined {
	const faults = problems.filter(({ severity }) => severity === 'error')
	return faults.length > 0 ? `### Unusable Results\n\n${toList(faults.map(renderProblem))}` : undefined
}

function toList(lines: string[]): string {
	const rest = lines.length > MAX_LINES ? [`and ${lines.length - MAX_LINES} more`] : []
	return [...lines.slice(0, MAX_LINES), ...rest].map((line) => `- ${line}`).join('\n')
}

function renderProblem({ message, hint, ...problem }: Problem): string {
	const place = formatPlace(problem)
	const advice = hint === undefined ? '' : ` → ${inline(clip(hint, LINE_CHARACTERS))}`
	return `${place === '' ? '' : `${code(clip(place, LINE_CHARACTERS))} · `}${inline(clip(message, LINE_CHARACTERS))}${advice}`
}

function renderRemoved({ evalId, text }: Removed): string {
	return `${evalName(evalId)} · in the baseline, no longer declared: ${code(clip(text, 200))}`
}

/** `file:line:column message (hint)`, as compilers print it, so that editors can follow it. Untrusted text. */
export function formatProblem({ message, hint, ...problem }: Problem): string {
	const place = formatPlace(problem)
	return `${place === '' ? '' : `${place} `}${message}${hint === undefined ? '' : ` (${hint})`}`
}

function formatPlace({ file, line, column }: Pick<Problem, 'file' | 'line' | 'column'>): string {
	return [file, line, column].filter((part) => part !== undefined).join(':')
}
