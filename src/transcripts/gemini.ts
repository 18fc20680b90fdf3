import { readGemini } from '../agents/gemini.ts'
import { at, textAt } from '../agents/lines.ts'
import type { Fact } from '../transcript.ts'
import type { Reader } from './reader.ts'
import { Tape, type Tools } from './tape.ts'

const PATHS = ['file_path', 'absolute_path', 'path']
const TOOLS: Tools = {
	skills: { activate_skill: ['name'] },
	files: {
		read_file: { op: 'read', paths: PATHS },
		read_many_files: { op: 'read', paths: ['paths', 'include'] },
		write_file: { op: 'write', paths: PATHS },
		replace: { op: 'edit', paths: PATHS },
		edit: { op: 'edit', paths: PATHS },
	},
	spawns: { delegate_to_agent: ['agent_name'], invoke_agent: ['agent_name'] },
}

/** `gemini --output-format stream-json`. What it says between two tools comes in pieces. */
export const gemini: Reader = {
	format: 'gemini',
	recognises: ({ type, status, stats, tool_name }) =>
		(type === 'tool_use' && typeof tool_name === 'string') ||
		(type === 'result' && typeof status === 'string' && typeof stats === 'object') ||
		type === 'init',
	read: (events, text, { prompt }) => {
		const { texts: _texts, toolCalls, ...facts } = readGemini(text)
		const tape = new Tape(TOOLS)
		const spoken = events.some(({ type, role }) => type === 'message' && role === 'user')
		if (!spoken && prompt !== undefined) tape.prompt(prompt)
		let said = ''
		const flush = () => {
			tape.say(said)
			said = ''
		}
		let calls = 0
		for (const event of events) {
			if (event.type === 'message' && event.role === 'assistant') {
				said += textAt(event, 'content') ?? ''
				continue
			}
			flush()
			if (event.type === 'message' && event.role === 'user') tape.prompt(textAt(event, 'content') ?? '')
			if (event.type !== 'tool_use') continue
			const id = `call ${calls}`
			tape.call(id, textAt(event, 'tool_name') ?? '', at(event, 'parameters'))
			tape.finish(id, toolCalls[calls++]?.result)
		}
		flush()
		const unknown: Fact[] = spoken || prompt !== undefined ? [] : ['prompts', 'turns']
		return { format: 'gemini', agent: 'Gemini CLI', unrecorded: ['cost', ...unknown], ...tape.cut(), ...facts, notices: [] }
	},
}
