import { at, textAt } from '../agents/lines.ts'
import { readOpencode } from '../agents/opencode.ts'
import type { Fact } from '../transcript.ts'
import type { Reader } from './reader.ts'
import { Tape, type Tools } from './tape.ts'

const PATHS = ['filePath', 'path']
const TOOLS: Tools = {
	skills: { skill: ['name', 'skill'] },
	files: {
		read: { op: 'read', paths: PATHS },
		write: { op: 'write', paths: PATHS },
		edit: { op: 'edit', paths: PATHS },
		multiedit: { op: 'edit', paths: PATHS },
	},
	spawns: { task: ['subagent_type'] },
}

/** `opencode run --format json`. It prices nothing unless its provider is configured to. */
export const opencode: Reader = {
	format: 'opencode',
	recognises: ({ type, sessionID }) => typeof sessionID === 'string' && typeof type === 'string',
	read: (events, text, { prompt }) => {
		const { texts: _texts, toolCalls, ...facts } = readOpencode(text)
		const tape = new Tape(TOOLS)
		if (prompt !== undefined) tape.prompt(prompt)
		let calls = 0
		for (const event of events) {
			if (event.type === 'text') tape.say(textAt(event, 'part', 'text') ?? '')
			if (event.type !== 'tool_use') continue
			const id = `call ${calls}`
			tape.call(id, textAt(event, 'part', 'tool') ?? '', at(event, 'part', 'state', 'input'))
			tape.finish(id, toolCalls[calls++]?.result)
		}
		const unknown: Fact[] = [
			...(prompt === undefined ? (['prompts'] as const) : []),
			...(facts.costUsd === undefined ? (['cost'] as const) : []),
		]
		return { format: 'opencode', agent: 'OpenCode', unrecorded: unknown, ...tape.cut(), ...facts, notices: [] }
	},
}
