import { readCodex } from '../agents/codex.ts'
import { listAt, textAt } from '../agents/lines.ts'
import type { Fact } from '../transcript.ts'
import type { Reader } from './reader.ts'
import { Tape } from './tape.ts'

const TOOLS = ['command_execution', 'file_change', 'mcp_tool_call', 'web_search']
const UNRECORDED: Fact[] = ['skill-invocations', 'file-reads', 'cost']

/** `codex exec --json`. It reads files with shell commands, so that a skill is seen only where a command names its SKILL.md. */
export const codex: Reader = {
	format: 'codex',
	recognises: ({ type }) =>
		type === 'thread.started' || type === 'turn.started' || type === 'turn.completed' || type === 'turn.failed',
	read: (events, text, { prompt }) => {
		const { texts: _texts, toolCalls: _calls, ...facts } = readCodex(text)
		const tape = new Tape({ skills: {}, files: {}, spawns: {}, readsSkills: true })
		if (prompt !== undefined) tape.prompt(prompt)
		for (const { type, item } of events) if (type === 'item.completed') readItem(item, tape)
		const unknown: Fact[] = prompt === undefined ? ['prompts', 'turns'] : []
		return { format: 'codex', agent: 'Codex', unrecorded: [...UNRECORDED, ...unknown], ...tape.cut(), ...facts, notices: [] }
	},
}

function readItem(item: unknown, tape: Tape): void {
	const kind = textAt(item, 'type') ?? ''
	if (kind === 'agent_message') tape.say(textAt(item, 'text') ?? '')
	if (!TOOLS.includes(kind)) return
	const name = kind === 'mcp_tool_call' ? (textAt(item, 'tool') ?? kind) : kind
	const { type: _type, id, aggregated_output: _output, status, ...input } = Object(item) as Record<string, unknown>
	const ordinal = tape.call(id, name, input)
	if (kind === 'command_execution') tape.readSkill({ at: ordinal }, textAt(item, 'command') ?? '')
	for (const change of listAt(item, 'changes')) {
		tape.access({ at: ordinal }, textAt(change, 'path') ?? '', textAt(change, 'kind') === 'add' ? 'write' : 'edit')
	}
	// Last, because what was denied or failed is so for everything that the item did.
	tape.finish(id, status === 'declined' ? 'denied' : status === 'failed' ? 'failed' : 'ok')
}
