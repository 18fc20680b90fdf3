import type { Task } from './agent.ts'

/** Recorded in the benchmark: results of differently worded prompts are not the same measurement. */
export const PROMPT_VERSION = 'task-1'

/** The text that an agent gets: the eval's own prompt first, then where its files are and where its results belong. */
export function renderPrompt(task: Task): string {
	const files = task.files.map((file) => `- ${file}`)
	return [
		task.prompt.trim(),
		'',
		...(task.skillPath ? [`Use the skill "${task.skill}" (${task.skillPath}/SKILL.md).`] : []),
		...(files.length > 0 ? ['Input files, relative to the working directory:', ...files] : []),
		'Write every result as a file into the directory outputs/, which exists and is empty.',
		'Work without asking back. Where the task speaks of an external service, write what you would send into a file instead.',
		'',
	].join('\n')
}
