import { readCopilot } from '../agents/copilot.ts'
import { at, textAt } from '../agents/lines.ts'
import type { Fact } from '../transcript.ts'
import type { Reader } from './reader.ts'
import { Tape, type Tools } from './tape.ts'

const PATHS = ['path', 'filePath', 'file_path']
const TOOLS: Tools = {
	skills: { skill: ['skill', 'name'] },
	files: {
		view: { op: 'read', paths: PATHS },
		read: { op: 'read', paths: PATHS },
		create: { op: 'write', paths: PATHS },
		write: { op: 'write', paths: PATHS },
		edit: { op: 'edit', paths: PATHS },
		str_replace: { op: 'edit', paths: PATHS },
		insert: { op: 'edit', paths: PATHS },
	},
	spawns: { task: ['agent_type', 'agent'] },
}
/** Its tokens are in another export only. */
const UNRECORDED: Fact[] = ['tokens', 'cost']

/** `copilot --output-format json`. */
export const copilot: Reader = {
	format: 'copilot',
	recognises: ({ type }) => typeof type === 'string' && /^(session|user|assistant|tool)\.[a-z_]+$/.test(type),
	read: (events, text, { prompt }) => {
		const { texts: _texts, toolCalls, ...facts } = readCopilot(text)
		const tape = new Tape(TOOLS)
		const spoken = events.some(({ type }) => type === 'user.message')
		if (!spoken && prompt !== undefined) tape.prompt(prompt)
		let calls = 0
		for (const event of events) {
			if (event.type === 'user.message') tape.prompt(textAt(event, 'data', 'content') ?? '')
			if (event.type === 'assistant.message') tape.say(textAt(event, 'data', 'content') ?? '')
			if (event.type !== 'tool.execution_start') continue
			const id = `call ${calls}`
			tape.call(id, textAt(event, 'data', 'toolName') ?? '', at(event, 'data', 'arguments'))
			tape.finish(id, toolCalls[calls++]?.result)
		}
		const unknown: Fact[] = spoken || prompt !== undefined ? [] : ['prompts']
		return {
			format: 'copilot',
			agent: 'GitHub Copilot',
			unrecorded: [...UNRECORDED, ...unknown],
			...tape.cut(),
			...facts,
			notices: [],
		}
	},
}
