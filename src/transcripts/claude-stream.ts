import { readClaudeStream } from '../agents/claude.ts'
import { at, type Event, listAt, textAt } from '../agents/lines.ts'
import type { Reader } from './reader.ts'
import { Tape, type Tools, textsOf } from './tape.ts'

export const CLAUDE_TOOLS: Tools = {
	skills: { Skill: ['skill', 'command'] },
	files: {
		Read: { op: 'read', paths: ['file_path'] },
		Write: { op: 'write', paths: ['file_path'] },
		Edit: { op: 'edit', paths: ['file_path'] },
		MultiEdit: { op: 'edit', paths: ['file_path'] },
		NotebookEdit: { op: 'edit', paths: ['notebook_path', 'file_path'] },
	},
	spawns: { Agent: ['subagent_type'], Task: ['subagent_type'] },
}

/** Not `init`, which is Gemini's. */
const KINDS = ['system', 'result', 'assistant', 'user', 'rate_limit_event']

/** `claude -p --output-format stream-json`, or `json`, which is its last line alone. A message is printed once for each of its blocks. */
export const claudeStream: Reader = {
	format: 'claude-stream',
	recognises: ({ type, session_id }) => typeof session_id === 'string' && KINDS.includes(String(type)),
	read: (events, text, { prompt }) => {
		const { texts, toolCalls: _calls, ...facts } = readClaudeStream(text)
		const tape = new Tape(CLAUDE_TOOLS)
		const isWhole = events.some(({ type }) => type === 'assistant')
		if (prompt !== undefined) tape.prompt(prompt)
		const branches = new Map<unknown, string>()
		for (const event of events) readEvent(event, tape, branches)
		if (!isWhole) for (const { text: said } of texts) tape.say(said)
		const denied = new Set(
			listAt(
				events.findLast(({ type }) => type === 'result'),
				'permission_denials',
			).map((each) => at(each, 'tool_use_id')),
		)
		for (const id of denied) tape.finish(id, 'denied')
		return {
			format: 'claude-stream',
			agent: 'Claude Code',
			unrecorded: [
				...(prompt === undefined ? (['prompts'] as const) : []),
				...(isWhole ? [] : (['tool-calls', 'skill-invocations', 'file-reads', 'file-writes', 'texts'] as const)),
				...(facts.turns === undefined && prompt === undefined ? (['turns'] as const) : []),
			],
			...tape.cut(),
			...facts,
			notices: [],
		}
	},
}

function readEvent(event: Event, tape: Tape, branches: Map<unknown, string>): void {
	const parent = textAt(event, 'parent_tool_use_id')
	const branch = parent === undefined ? undefined : openBranch(parent, tape, branches)
	const blocks = listAt(event, 'message', 'content')
	if (event.type === 'assistant') {
		if (blocks.length === 0) for (const text of textsOf(event.message)) tape.say(text, branch)
		for (const block of blocks) readBlock(block, branch, tape, branches)
	}
	if (event.type !== 'user') return
	const results = blocks.filter((block) => textAt(block, 'type') === 'tool_result')
	for (const result of results) tape.finish(at(result, 'tool_use_id'), at(result, 'is_error') === true ? 'failed' : 'ok')
	// What the program itself puts into the conversation, such as a skill's text, nobody has said; a sub-agent's first words are its task.
	if (branch !== undefined && event.isSynthetic !== true) for (const text of textsOf(event.message)) tape.prompt(text, branch)
}

function readBlock(block: unknown, branch: string | undefined, tape: Tape, branches: Map<unknown, string>): void {
	const kind = textAt(block, 'type')
	if (kind === 'text') tape.say(textAt(block, 'text') ?? '', branch)
	if (kind !== 'tool_use') return
	const ordinal = tape.call(at(block, 'id'), textAt(block, 'name') ?? '', at(block, 'input'), branch)
	if (tape.spawns.at(-1)?.at === ordinal) branches.set(at(block, 'id'), `#${ordinal}`)
}

/** The sub-agent that a call started; what names a call that is not there belongs to none that we know. */
function openBranch(parent: string, tape: Tape, branches: Map<unknown, string>): string {
	const id = branches.get(parent)
	if (id === undefined) return `unknown ${parent}`
	const spawn = tape.spawns.find((each) => `#${each.at}` === id)
	if (spawn && spawn.child === undefined) tape.branch({ id, at: spawn.at, agentType: spawn.agentType, parent: spawn.branch })
	return id
}
