import { at, textAt } from '../agents/lines.ts'
import { readPi } from '../agents/pi.ts'
import type { Fact } from '../transcript.ts'
import type { Reader } from './reader.ts'
import { Tape, type Tools, textsOf } from './tape.ts'

const PATHS = ['path', 'file_path', 'filePath']
const TOOLS: Tools = {
	skills: {},
	files: { read: { op: 'read', paths: PATHS }, write: { op: 'write', paths: PATHS }, edit: { op: 'edit', paths: PATHS } },
	spawns: {},
	readsSkills: true,
}

/** `pi --mode json`. It has no tool for skills: it reads their SKILL.md. */
export const pi: Reader = {
	format: 'pi',
	recognises: ({ type, message }) =>
		type === 'agent_start' || type === 'tool_execution_start' || (type === 'message_end' && typeof message === 'object'),
	read: (events, text, { prompt }) => {
		const { texts: _texts, toolCalls, ...facts } = readPi(text)
		const tape = new Tape(TOOLS)
		const roleOf = (message: unknown) => textAt(message, 'role')
		const spoken = events.some(({ type, message }) => type === 'message_end' && roleOf(message) === 'user')
		if (!spoken && prompt !== undefined) tape.prompt(prompt)
		let calls = 0
		for (const event of events) {
			if (event.type === 'message_end' && roleOf(event.message) === 'user') tape.prompt(textsOf(event.message).join('\n'))
			if (event.type === 'message_end' && roleOf(event.message) === 'assistant')
				for (const said of textsOf(event.message)) tape.say(said)
			if (event.type !== 'tool_execution_start') continue
			const id = `call ${calls}`
			tape.call(id, textAt(event, 'toolName') ?? '', at(event, 'args'))
			tape.finish(id, toolCalls[calls++]?.result)
		}
		const unknown: Fact[] = [
			...(spoken || prompt !== undefined ? [] : (['prompts'] as const)),
			...(facts.costUsd === undefined ? (['cost'] as const) : []),
		]
		return { format: 'pi', agent: 'pi', unrecorded: ['skill-invocations', ...unknown], ...tape.cut(), ...facts, notices: [] }
	},
}
