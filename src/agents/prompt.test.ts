import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Task } from './agent.ts'
import { checkTemplate, renderPrompt } from './prompt.ts'

const TASK: Task = {
	skill: 'notes',
	skillPath: '.claude/skills/notes',
	prompt: ' Write {files}. \n',
	files: ['a.txt', 'b/c.txt'],
}
const LAST = `Write every result as a file into the directory outputs/, which exists and is empty.
Work without asking back. Where the task speaks of an external service, write what you would send into a file instead.
`

describe('the prompt', () => {
	test('has the task, the skill, the files, and where results belong', () => {
		const skill = 'Use the skill "notes" (.claude/skills/notes/SKILL.md).'
		const files = 'Input files, relative to the working directory:\n- a.txt\n- b/c.txt'
		expect(renderPrompt(TASK)).toBe(`Write {files}.\n\n${skill}\n${files}\n${LAST}`)
	})

	test('says nothing of a skill or of files that are not there', () => {
		expect(renderPrompt({ ...TASK, skillPath: undefined, files: [] })).toBe(`Write {files}.\n\n${LAST}`)
	})

	test('in a wording of its own', () => {
		const template = 'Task: {prompt}\nSkill: {skill}\nFiles:\n{files}\nInto outputs/, {prompt}'
		expect(renderPrompt({ ...TASK, template })).toBe(
			'Task: Write {files}.\nSkill: notes\nFiles:\n- a.txt\n- b/c.txt\nInto outputs/, Write {files}.',
		)
		expect(renderPrompt({ ...TASK, template, skillPath: undefined, files: [] })).toBe(
			'Task: Write {files}.\nInto outputs/, Write {files}.',
		)
	})

	test('holds the words of the task as they are, whatever they are', () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom('{', '}', '$', '&', 'skill', 'prompt', 'files', '\n', 'a') }), (prompt) => {
				expect(renderPrompt({ ...TASK, prompt }).startsWith(`${prompt.trim()}\n\nUse the skill`)).toBe(true)
			}),
		)
	})
})

test.each([
	['{prompt} into outputs/', []],
	['{prompt} {skill} {skill_path} {files} outputs/ {1} { x }', []],
	['outputs/', [/no \{prompt\}/]],
	['{prompt}', [/does not name outputs/]],
	['{promt} into outputs/', [/no \{prompt\}/, /\{promt\}, which cannot be filled in; known are \{prompt\}/]],
	['', [/no \{prompt\}/, /outputs/]],
] as [string, RegExp[]][])('the wording %j', (text, faults) => {
	const found = checkTemplate(text)
	expect(found).toHaveLength(faults.length)
	for (const [at, fault] of faults.entries()) expect(found[at]).toMatch(fault)
})
