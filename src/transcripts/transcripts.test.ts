/** The seven records, each in the least form that tells a whole session; what each can never tell; and that nothing makes a reader fail. */
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Transcript, TranscriptFormat } from '../transcript.ts'
import { readTranscript } from './read-transcript.ts'
import type { TranscriptOptions } from './reader.ts'

const PROMPT = 'Write the notes.'
const lines = (events: unknown[]) => events.map((event) => JSON.stringify(event)).join('\n')
const read = (events: unknown[], options: TranscriptOptions = { prompt: PROMPT }): Transcript => {
	const found = readTranscript(lines(events), options)
	if ('problem' in found) throw new Error(found.problem)
	return found.transcript
}

const claudeUsage = { input_tokens: 1, cache_creation_input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 4 }
const claudeStep = (id: string, content: object[], more = {}) => ({
	type: 'assistant',
	session_id: 's',
	message: { id, content, usage: claudeUsage, ...more },
})
const claudeUse = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input })
const claudeDone = (id: string, more = {}) => ({
	type: 'user',
	session_id: 's',
	message: { content: [{ type: 'tool_result', tool_use_id: id, ...more }] },
})
const kept = (event: object) => ({ ...event, session_id: undefined, sessionId: 's' })
const codexItem = (item: object) => ({ type: 'item.completed', item })
const opencodeEvent = (type: string, part: object) => ({ type, sessionID: 's', part })
const piSays = (role: string, text: string, more: object = {}) => ({
	type: 'message_end',
	message: { role, content: [{ type: 'text', text }], ...more },
})
const piUsage = { input: 1, output: 2, cacheRead: 2, cacheWrite: 0, cost: { total: 0 } }
const piTool = (id: string, toolName: string, args: object) => [
	{ type: 'tool_execution_start', toolCallId: id, toolName, args },
	{ type: 'tool_execution_end', toolCallId: id, toolName, isError: false },
]
const copilotTool = (id: string, toolName: string, args: object) => [
	{ type: 'tool.execution_start', data: { toolCallId: id, toolName, arguments: args } },
	{ type: 'tool.execution_complete', data: { toolCallId: id, success: true } },
]
const geminiTool = (id: string, tool_name: string, parameters: object) => [
	{ type: 'tool_use', tool_id: id, tool_name, parameters },
	{ type: 'tool_result', tool_id: id, status: 'success' },
]

const claudeSteps = [
	claudeStep('m1', [claudeUse('t1', 'Skill', { skill: 'notes' })]),
	claudeDone('t1'),
	// One message, printed once for each of its blocks: its usage counts once.
	claudeStep('m2', [{ type: 'text', text: 'Writing.' }]),
	claudeStep('m2', [claudeUse('t2', 'Write', { file_path: 'outputs\\notes.md' })]),
	claudeDone('t2'),
	claudeStep('m3', [{ type: 'text', text: 'Ready.' }], { stop_reason: 'end_turn' }),
]

/** Each tells: the skill `notes` was loaded, `outputs/notes.md` was written, "Writing." and "Ready." were said. */
const RECORDS: Record<TranscriptFormat, unknown[]> = {
	'claude-stream': [
		{ type: 'system', subtype: 'init', session_id: 's' },
		...claudeSteps,
		{
			type: 'result',
			subtype: 'success',
			session_id: 's',
			is_error: false,
			result: 'Ready.',
			num_turns: 3,
			usage: claudeUsage,
			total_cost_usd: 0.25,
		},
	],
	'claude-session': [{ type: 'user', sessionId: 's', message: { content: PROMPT } }, ...claudeSteps.map(kept)],
	codex: [
		{ type: 'thread.started' },
		codexItem({ id: 'i0', type: 'command_execution', command: 'cat .agents/skills/notes/SKILL.md', status: 'completed' }),
		codexItem({ id: 'i1', type: 'agent_message', text: 'Writing.' }),
		codexItem({
			id: 'i2',
			type: 'file_change',
			changes: [{ path: 'outputs/notes.md', kind: 'add' }],
			status: 'completed',
		}),
		codexItem({ id: 'i3', type: 'agent_message', text: 'Ready.' }),
		{ type: 'turn.completed', usage: { input_tokens: 6, output_tokens: 4 } },
	],
	gemini: [
		{ type: 'init' },
		...geminiTool('t1', 'activate_skill', { name: 'notes' }),
		...['Wri', 'ting.'].map((content) => ({ type: 'message', role: 'assistant', content, delta: true })),
		...geminiTool('t2', 'write_file', { file_path: 'outputs/notes.md' }),
		{ type: 'message', role: 'assistant', content: 'Ready.' },
		{ type: 'result', status: 'success', stats: { total_tokens: 10, input_tokens: 6, output_tokens: 4 } },
	],
	copilot: [
		{ type: 'user.message', data: { content: PROMPT } },
		...copilotTool('t1', 'skill', { skill: 'notes' }),
		{ type: 'assistant.message', data: { content: 'Writing.' } },
		...copilotTool('t2', 'create', { path: 'outputs/notes.md' }),
		{ type: 'assistant.message', data: { content: 'Ready.' } },
		{ type: 'result', exitCode: 0 },
	],
	opencode: [
		opencodeEvent('tool_use', { tool: 'skill', state: { status: 'completed', input: { name: 'notes' } } }),
		opencodeEvent('text', { text: 'Writing.' }),
		opencodeEvent('tool_use', { tool: 'write', state: { status: 'completed', input: { filePath: 'outputs/notes.md' } } }),
		opencodeEvent('text', { text: 'Ready.' }),
		opencodeEvent('step_finish', {
			reason: 'stop',
			cost: 0,
			tokens: { input: 1, output: 3, reasoning: 1, cache: { read: 3, write: 2 } },
		}),
	],
	pi: [
		{ type: 'agent_start' },
		piSays('user', PROMPT),
		...piTool('t1', 'read', { path: '.pi/skills/notes/SKILL.md' }),
		piSays('assistant', 'Writing.', { usage: piUsage, stopReason: 'toolUse' }),
		...piTool('t2', 'write', { path: 'outputs/notes.md' }),
		piSays('assistant', 'Ready.', { usage: piUsage, stopReason: 'stop' }),
		{ type: 'agent_end' },
	],
}
const FORMATS = Object.keys(RECORDS) as TranscriptFormat[]

describe.each(FORMATS)('%s', (format) => {
	const transcript = read(RECORDS[format])

	test('is known by its content', () => expect(transcript.format).toBe(format))

	test('tells what was loaded, written and said, in this order', () => {
		expect(transcript.skillInvocations.map(({ skill }) => skill)).toEqual(['notes'])
		const written = transcript.fileAccesses.filter(({ op }) => op === 'write')
		expect(written.map(({ path, result }) => [path, result])).toEqual([['outputs/notes.md', 'ok']])
		expect(transcript.prompts.map(({ text }) => text)).toEqual([PROMPT])
		expect(transcript.texts.map(({ text }) => text)).toEqual(['Writing.', 'Ready.'])
		const [loaded] = transcript.skillInvocations
		const [first, last] = transcript.texts
		const order = [transcript.prompts[0], loaded, first, written[0], last].map((each) => each?.at ?? Number.NaN)
		expect(order).toEqual([...order].sort((a, b) => a - b))
		expect(new Set(order).size).toBe(5)
		expect(transcript.end).toBeGreaterThan(order[4] ?? Number.POSITIVE_INFINITY)
	})

	test('counts tokens where it has them', () => {
		const usage =
			format === 'copilot' ? undefined : format === 'claude-session' ? { input: 18, output: 12 } : { input: 6, output: 4 }
		expect(transcript.usage).toEqual(usage)
	})

	test('says how it ended, and that a cut record says nothing of it', () => {
		expect(transcript.ending).toBe('finished')
		expect(read(RECORDS[format].slice(0, -1)).ending).not.toBe('finished')
	})

	test('leaves out lines that are no JSON, and says so', () => {
		const found = readTranscript(`{"type": \n${lines(RECORDS[format])}\nhalf a line {`, { prompt: PROMPT })
		expect(found).toMatchObject({ transcript: { format, notices: [expect.stringContaining('2 lines')] } })
	})

	test('cannot tell what docs/transcripts.md says it cannot', () => {
		const page = readFileSync(new URL('../../docs/transcripts.md', import.meta.url), 'utf8')
		const cell =
			page
				.split('\n')
				.find((line) => line.startsWith(`| \`${format}\` |`))
				?.split('|')[3]
				?.trim() ?? ''
		const always = cell
			.split(',')
			.map((part) => part.trim())
			.filter((part) => part !== 'nothing' && !part.startsWith('unless') && !part.includes(' unless '))
		const conditional = /cost,? unless/.test(cell) ? ['cost'] : []
		// The records above have a price of 0, which the providers that have none report too.
		expect([...transcript.unrecorded].sort()).toEqual([...new Set([...always, ...conditional])].sort())
	})
})

test('a change that Codex declined changed nothing', () => {
	const item = { id: 'i0', type: 'file_change', changes: [{ path: 'a.md', kind: 'add' }], status: 'declined' }
	expect(read([{ type: 'thread.started' }, codexItem(item)]).fileAccesses).toMatchObject([{ path: 'a.md', result: 'denied' }])
})

describe('Claude Code', () => {
	test('a denied call did nothing that could count', () => {
		const end = {
			type: 'result',
			session_id: 's',
			subtype: 'success',
			is_error: false,
			permission_denials: [{ tool_name: 'Write', tool_use_id: 't2' }],
		}
		const { fileAccesses } = read([...claudeSteps.slice(0, -1), end])
		expect(fileAccesses).toMatchObject([{ op: 'write', result: 'denied' }])
	})

	test('what a sub-agent did stands on its own branch, below the call that started it', () => {
		const spawn = claudeUse('t9', 'Task', { subagent_type: 'helper', prompt: 'Help.' })
		const inner = { ...claudeStep('m9', [claudeUse('t10', 'Bash', { command: 'ls' })]), parent_tool_use_id: 't9' }
		const { branches, toolCalls, spawns } = read([claudeStep('m8', [spawn]), inner])
		expect(branches).toMatchObject([{ at: spawns[0]?.at, agentType: 'helper' }])
		expect(toolCalls.map(({ name, branch }) => [name, branch === branches[0]?.id])).toEqual([
			['Task', false],
			['Bash', true],
		])
	})

	test('a sub-agent kept in a file beside the session is joined by the id of its call', () => {
		const spawn = kept(claudeStep('m8', [claudeUse('t9', 'Agent', { subagent_type: 'helper' })]))
		const text = lines([kept({ ...claudeStep('m9', [claudeUse('t10', 'Bash', {})]), isSidechain: true })])
		const sidecar = { name: 'agent-7.jsonl', text, meta: '{\n"toolUseId": "t9"\n}' }
		const stranger = { name: 'agent-8.jsonl', text, meta: '{"toolUseId": "other"}' }
		const { branches, toolCalls, notices } = read([spawn], { sidecars: [sidecar, stranger] })
		expect(branches).toMatchObject([{ id: '7', agentType: 'helper' }])
		expect(toolCalls.map(({ name }) => name)).toEqual(['Agent', 'Bash'])
		expect(notices).toEqual([expect.stringContaining('belong to no call')])
	})

	test('sub-agents of sub-agents are joined in whatever order their files are listed', () => {
		const file = (name: string, call: string, events: object[]) => ({
			name: `agent-${name}.jsonl`,
			text: lines(events.map((event) => kept({ ...event, isSidechain: true }))),
			meta: `{"toolUseId":"${call}"}`,
		})
		const start = (id: string) => claudeUse(id, 'Agent', { subagent_type: 'helper' })
		const outer = file('outer', 't1', [claudeStep('m2', [start('t2')])])
		const inner = file('inner', 't2', [claudeStep('m3', [claudeUse('t3', 'Bash', {})])])
		const session = [kept(claudeStep('m1', [start('t1')]))]
		const told = read(session, { sidecars: [outer, inner] })
		expect(told.branches).toMatchObject([{ id: 'outer' }, { id: 'inner', parent: 'outer' }])
		expect(read(session, { sidecars: [inner, outer] })).toEqual(told)
	})

	test('the tools of older versions change files too, and an id that is used twice is two calls', () => {
		const { fileAccesses, toolCalls } = read([
			claudeStep('m1', [
				claudeUse('t1', 'MultiEdit', { file_path: 'a.ts' }),
				claudeUse('t1', 'NotebookEdit', { notebook_path: 'b.ipynb' }),
			]),
		])
		expect(fileAccesses).toMatchObject([
			{ op: 'edit', path: 'a.ts' },
			{ op: 'edit', path: 'b.ipynb' },
		])
		expect(toolCalls).toHaveLength(2)
	})

	test('what an assistant says as one string is said', () => {
		const { texts } = read([kept({ type: 'assistant', message: { id: 'm1', content: 'Ready.' } })])
		expect(texts).toMatchObject([{ text: 'Ready.' }])
	})

	test('a summary, a number, null and a list before the first record hide nothing', () => {
		const summary = { type: 'summary', summary: 'Earlier work', leafUuid: 'u0' }
		const steps = claudeSteps.map(kept)
		const { toolCalls, format } = read([summary, 5, null, [], ...steps])
		expect(format).toBe('claude-session')
		expect(toolCalls).toEqual(read(steps).toolCalls)
	})

	test('a slash command loads a skill', () => {
		const text = '<command-name>/notes</command-name>'
		const { skillInvocations } = read([{ type: 'user', sessionId: 's', message: { content: text } }])
		expect(skillInvocations).toMatchObject([{ skill: 'notes', by: 'command' }])
	})
})

describe('whatever the text', () => {
	const piece = fc.oneof(
		fc.constantFrom(...FORMATS.flatMap((format) => RECORDS[format])),
		fc.jsonValue(),
		fc.constantFrom(...FORMATS.flatMap((format) => RECORDS[format])).chain((event) =>
			// One field of a known event replaced by anything: wrong types are where readers fail.
			fc.tuple(fc.constantFrom(...Object.keys(event as object)), fc.jsonValue()).map(([key, value]) => ({
				...(event as object),
				[key]: value,
			})),
		),
	)

	test('no reader throws, every number is finite, and every ordinal is below the end', () => {
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 12 }), fc.string(), (events, tail) => {
				const found = readTranscript(`${lines(events)}\n${tail}`, { prompt: PROMPT })
				if ('problem' in found) return
				const { end, usage, turns, costUsd, ...rest } = found.transcript
				for (const number of [end, usage?.input, usage?.output, turns, costUsd])
					if (number !== undefined) expect(Number.isFinite(number) && number >= 0).toBe(true)
				const items = [rest.toolCalls, rest.skillInvocations, rest.fileAccesses, rest.prompts, rest.texts, rest.spawns].flat()
				for (const { at } of items) expect(at >= 0 && at < end).toBe(true)
			}),
			{ numRuns: 500 },
		)
	})

	test('text that is no record is none', () => {
		for (const text of ['', 'done', '{}', '[]', '{"type":"text"}', '{"session_id":1,"type":"result"}'])
			expect(readTranscript(text)).toHaveProperty('problem')
	})
})
