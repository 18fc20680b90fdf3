import type { Task } from './agent.ts'

/** Recorded in the benchmark: results of differently worded prompts are not the same measurement. */
export const PROMPT_VERSION = 'task-1'

const DEFAULT = `{prompt}

Use the skill "{skill}" ({skill_path}/SKILL.md).
Input files, relative to the working directory:
{files}
Write every result as a file into the directory outputs/, which exists and is empty.
Work without asking back. Where the task speaks of an external service, write what you would send into a file instead.
`

const NAMES = ['prompt', 'skill', 'skill_path', 'files'] as const
type Name = (typeof NAMES)[number]

/**
 * The text that an agent gets: the eval's own prompt, where its files are and where its results belong, in our wording or in the repository's.
 * A line about the skill is left out where the run has none, and those about input files where there are none.
 */
export function renderPrompt(task: Task): string {
	const lines = (task.template ?? DEFAULT).split('\n').filter((line, at, all) => isNeeded(line, all[at + 1] ?? '', task))
	return lines.map((line) => fill(line, task)).join('\n')
}

/** The heading of a list goes with its list. */
function isNeeded(line: string, next: string, { skillPath, files }: Task): boolean {
	if (skillPath === undefined && /\{skill(_path)?\}/.test(line)) return false
	const isOfFiles = line.includes('{files}') || (next.trim() === '{files}' && line.trim().endsWith(':'))
	return files.length > 0 || !isOfFiles
}

/** Each name once, in one pass: what an eval's prompt says in braces is its own. */
function fill(line: string, task: Task): string {
	const values: Record<Name, string> = {
		prompt: task.prompt.trim(),
		skill: task.skill,
		skill_path: task.skillPath ?? '',
		files: task.files.map((file) => `- ${file}`).join('\n'),
	}
	return line.replace(/\{(prompt|skill|skill_path|files)\}/g, (_, name: Name) => values[name])
}

/** What is wrong with a wording of the repository's own, each as one sentence; none if it can be used. */
export function checkTemplate(text: string): string[] {
	const names = [...text.matchAll(/\{([A-Za-z_-]+)\}/g)].map(([, name]) => name ?? '')
	const unknown = [...new Set(names)].filter((name) => !NAMES.some((known) => known === name))
	return [
		...(names.includes('prompt') ? [] : ['it has no {prompt}: the agent would not get the task of the eval']),
		...(/\boutputs\//.test(text) ? [] : ['it does not name outputs/, the directory of the results']),
		...unknown.map(
			(name) => `it has {${name}}, which cannot be filled in; known are ${NAMES.map((known) => `{${known}}`).join(', ')}`,
		),
	]
}
