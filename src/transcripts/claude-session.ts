import { at, type Event, listAt, numberAt, parseEvents, textAt } from '../agents/lines.ts'
import type { Branch, Transcript } from '../transcript.ts'
import { CLAUDE_TOOLS } from './claude-stream.ts'
import type { Reader, Sidecar, TranscriptOptions } from './reader.ts'
import { Tape, textsOf } from './tape.ts'

/** A sub-agent's steps, wherever they were recorded. */
type SubSession = {
	id: string
	events: Event[]
	toolUseId?: string | undefined
	task?: string | undefined
	agentType?: string | undefined
}

/**
 * A session file that Claude Code keeps: records with a parent each, sub-agents inline (`isSidechain`) or in files beside it (tracevals §3).
 * Usage counts each message once, cached input included; it is that of the main chain.
 */
export const claudeSession: Reader = {
	format: 'claude-session',
	recognises: (event) => 'parentUuid' in event || typeof event.sessionId === 'string',
	read: (events, _text, options) => readSession(events, options),
}

function readSession(events: Event[], { sidecars = [] }: TranscriptOptions): Transcript {
	const main = events.filter(({ isSidechain }) => isSidechain !== true)
	const inline = groupInline(events)
	const beside = sidecars.map(readSidecar)
	const tape = new Tape(CLAUDE_TOOLS)
	const left = new Set<SubSession>([...inline, ...beside])
	walk(main, undefined, tape, left)
	const assistants = main.filter(({ type }) => type === 'assistant')
	const orphans = left.size === 0 ? [] : [`${left.size} records of sub-agents belong to no call in this session and are left out`]
	const last = textAt(assistants.at(-1), 'message', 'stop_reason')
	return {
		format: 'claude-session',
		agent: 'Claude Code',
		// The file has no prices; a sub-agent without a record is a spawn without a child.
		unrecorded: ['cost'],
		...tape.cut(),
		model: textAt(assistants[0], 'message', 'model'),
		usage: sumUsage(assistants),
		ending: last === 'end_turn' || last === 'stop_sequence' ? 'finished' : 'open',
		notices: [...orphans, ...noteGaps(events)],
	}
}

/** One chain in order; behind each call that starts a sub-agent come that sub-agent's own steps. */
function walk(events: Event[], branch: string | undefined, tape: Tape, left: Set<SubSession>): void {
	for (const event of events) {
		if (event.type === 'user') readUser(event, branch, tape)
		if (event.type !== 'assistant') continue
		const blocks = listAt(event, 'message', 'content')
		if (blocks.length === 0) for (const text of textsOf(event.message)) tape.say(text, branch)
		for (const block of blocks) readBlock(block, event, branch, tape, left)
	}
}

function readBlock(block: unknown, event: Event, branch: string | undefined, tape: Tape, left: Set<SubSession>): void {
	const kind = textAt(block, 'type')
	if (kind === 'text') tape.say(textAt(block, 'text') ?? '', branch)
	if (kind !== 'tool_use') return
	const ordinal = tape.call(at(block, 'id'), textAt(block, 'name') ?? '', at(block, 'input'), branch)
	const spawn = tape.spawns.at(-1)
	const child = spawn?.at === ordinal ? takeChild(block, event, left) : undefined
	if (!child) return
	const opened: Branch = { id: child.id, at: ordinal, agentType: child.agentType ?? spawn?.agentType, parent: branch }
	tape.branch(opened)
	walk(child.events, child.id, tape, left)
}

function readUser(event: Event, branch: string | undefined, tape: Tape): void {
	const blocks = listAt(event, 'message', 'content')
	const results = blocks.filter((block) => textAt(block, 'type') === 'tool_result')
	for (const result of results) tape.finish(at(result, 'tool_use_id'), at(result, 'is_error') === true ? 'failed' : 'ok')
	if (results.length > 0 || event.isMeta === true) return
	const text = textsOf(event.message).join('\n')
	if (text !== '') tape.prompt(text, branch)
}

/** By the id of the call, else by the task that it was given, else the first inline one whose first record follows this message. */
function takeChild(block: unknown, event: Event, left: Set<SubSession>): SubSession | undefined {
	const id = textAt(block, 'id')
	const task = textAt(block, 'input', 'prompt')
	const ofMessage = (each: SubSession) =>
		each.toolUseId === undefined && parentOf(each) === event.uuid && event.uuid !== undefined
	const candidates = [...left]
	const child =
		candidates.find((each) => each.toolUseId !== undefined && each.toolUseId === id) ??
		candidates.find((each) => ofMessage(each) && each.task === task) ??
		candidates.find(ofMessage) ??
		candidates.find((each) => each.toolUseId === undefined && each.task !== undefined && each.task === task)
	if (child) left.delete(child)
	return child
}

function parentOf({ events }: SubSession): unknown {
	return events[0]?.parentUuid
}

/** Inline records of sub-agents, one group a root: each record belongs to the group of its parent. One pass, because parents come first. */
function groupInline(events: Event[]): SubSession[] {
	const groups: SubSession[] = []
	const byRecord = new Map<unknown, SubSession>()
	for (const event of events) {
		if (event.isSidechain !== true) continue
		const known = byRecord.get(event.parentUuid)
		const group = known ?? { id: `inline ${groups.length + 1}`, events: [], task: textsOf(event.message).join('\n') }
		if (!known) groups.push(group)
		group.events.push(event)
		if (event.uuid !== undefined) byRecord.set(event.uuid, group)
	}
	return groups
}

function readSidecar({ name, text, meta }: Sidecar): SubSession {
	const events = parseEvents(text)
	const about = meta === undefined ? undefined : parseEvents(meta.replace(/\n/g, ' '))[0]
	const first = events.find(({ type }) => type === 'user')
	return {
		id: name.replace(/^agent-|\.jsonl$/g, ''),
		events,
		toolUseId: textAt(about, 'toolUseId'),
		agentType: textAt(about, 'agentType'),
		task: first ? textsOf(first.message).join('\n') : undefined,
	}
}

/** A message that is written once for each of its blocks says its usage each time. */
function sumUsage(assistants: Event[]): Transcript['usage'] {
	const usages = new Map<string, { input: number; output: number }>()
	for (const [order, event] of assistants.entries()) {
		const of = (name: string) => numberAt(event, 'message', 'usage', name)
		const output = of('output_tokens')
		if (output === undefined) continue
		const input = (of('input_tokens') ?? 0) + (of('cache_creation_input_tokens') ?? 0) + (of('cache_read_input_tokens') ?? 0)
		const id = textAt(event, 'message', 'id')
		const key = id === undefined ? `record ${order}` : `${id} ${textAt(event, 'requestId') ?? ''}`
		// The last record of a message has its whole output.
		usages.set(key, { input, output })
	}
	if (usages.size === 0) return undefined
	return [...usages.values()].reduce((sum, each) => ({ input: sum.input + each.input, output: sum.output + each.output }))
}

function noteGaps(events: Event[]): string[] {
	const compacted = events.filter(({ subtype }) => subtype === 'compact_boundary').length
	return compacted === 0 ? [] : [`the session was compacted ${compacted} times: what was said before is in it only as a summary`]
}
