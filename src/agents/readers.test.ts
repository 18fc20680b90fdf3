/** The six records, each in the least form that its reader understands: done, denied, failed with exit status 0, and cut off. */
import { describe, expect, test } from 'vitest'
import { AGENTS, type AgentName } from './registry.ts'

const read = (name: AgentName, lines: object[], exitCode = 0) =>
	AGENTS[name].read({ exitCode, stdout: lines.map((line) => JSON.stringify(line)).join('\n'), stdoutCut: false, stderr: '' })

type Known = Exclude<AgentName, 'command'>
type Records = { done: object[]; tokens: number | undefined; denied?: object[]; failed: object[] }

const usage = { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 30, output_tokens: 4 }
const toolUse = { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Write', input: {} }] } }
const success = {
	type: 'result',
	subtype: 'success',
	is_error: false,
	result: 'Ready.',
	usage,
	total_cost_usd: 0.1,
	num_turns: 2,
}
const stepEnd = (reason: string) => ({
	type: 'step_finish',
	part: { reason, cost: 0, tokens: { input: 10, output: 3, reasoning: 1, cache: { read: 30, write: 20 } } },
})
const toolPart = (state: object) => ({ type: 'tool_use', part: { tool: 'write', state } })
const piMessage = (more: object) => ({
	type: 'message_end',
	message: {
		role: 'assistant',
		content: [{ type: 'text', text: 'Ready.' }],
		usage: { input: 10, output: 4, cacheRead: 30, cacheWrite: 20, cost: { total: 0 } },
		...more,
	},
})
const copilotTool = (end: object) => [
	{ type: 'tool.execution_start', data: { toolCallId: 't1', toolName: 'create' } },
	{ type: 'tool.execution_complete', data: { toolCallId: 't1', ...end } },
]
const copilotSays = { type: 'assistant.message', data: { content: 'Ready.' } }
const geminiSays = ['Rea', 'dy.'].map((content) => ({ type: 'message', role: 'assistant', content, delta: true }))
const geminiEnd = { type: 'result', status: 'success', stats: { total_tokens: 64, input_tokens: 60, output_tokens: 3 } }

const RECORDS: Record<Known, Records> = {
	claude: {
		done: [toolUse, success],
		tokens: 64,
		denied: [toolUse, { ...success, permission_denials: [{ tool_name: 'Write', tool_use_id: 't1' }] }],
		failed: [{ ...success, is_error: true, api_error_status: 400 }],
	},
	codex: {
		done: [
			{ type: 'error', message: 'Reconnecting... 1/5' },
			{ type: 'item.completed', item: { type: 'agent_message', text: 'Ready.' } },
			{
				type: 'turn.completed',
				usage: { input_tokens: 60, cached_input_tokens: 50, output_tokens: 4, reasoning_output_tokens: 1 },
			},
		],
		tokens: 64,
		failed: [{ type: 'turn.failed', error: { message: 'the model does not exist' } }],
	},
	gemini: {
		done: [...geminiSays, geminiEnd],
		tokens: 64,
		denied: [
			{ type: 'tool_use', tool_id: 't1', tool_name: 'write_file' },
			{ type: 'tool_result', tool_id: 't1', status: 'error', error: { type: 'policy_violation' } },
			...geminiSays,
			geminiEnd,
		],
		failed: [{ type: 'result', status: 'error', error: { message: 'the model does not exist' } }],
	},
	copilot: {
		done: [...copilotTool({ success: true }), copilotSays, { type: 'result', exitCode: 0 }],
		tokens: undefined,
		denied: [...copilotTool({ success: false, error: { code: 'denied' } }), copilotSays, { type: 'result', exitCode: 0 }],
		failed: [
			{ type: 'session.error', data: { message: 'no such model', statusCode: 404 } },
			{ type: 'result', exitCode: 1 },
		],
	},
	opencode: {
		done: [{ type: 'text', part: { text: 'Ready.' } }, stepEnd('stop')],
		tokens: 64,
		denied: [toolPart({ status: 'error', error: 'The user rejected permission to use this tool.' }), stepEnd('tool-calls')],
		failed: [{ type: 'error', error: { data: { message: 'no such model' } } }],
	},
	pi: {
		done: [piMessage({ stopReason: 'stop' }), { type: 'agent_end' }],
		tokens: 64,
		failed: [piMessage({ stopReason: 'error', errorMessage: '404 no such model' }), { type: 'agent_end' }],
	},
}

describe.each(Object.entries(RECORDS) as [Known, Records][])('%s', (name, { done, tokens, denied, failed }) => {
	test('done: its words and all its tokens, cached or not, each once', () => {
		const { lastMessage, totalTokens, failure } = read(name, done)
		expect({ lastMessage, totalTokens, failure }).toEqual({ lastMessage: 'Ready.', totalTokens: tokens, failure: undefined })
	})

	test('failed, and ended with 0', () => {
		expect(read(name, failed).failure?.sentence).toMatch(/ says that it failed( \(HTTP 40[04]\))?$/)
	})

	test.each([0, 1, 2, 3])('without its last lines, %i of them kept: no result', (kept) => {
		const { failure, totalTokens } = read(name, done.slice(0, Math.min(kept, done.length - 1)))
		expect(failure?.sentence).toMatch(/ printed no result: its record ends in the middle$/)
		expect(totalTokens).toBeUndefined()
	})

	test('done, but not by its own will', () => {
		expect(read(name, done, 1).failure?.sentence).toMatch(/ ended with exit status 1$/)
	})

	test('lines that are no JSON, and values of other kinds, change nothing', () => {
		const odd = ['warning: x', '[1]', 'null', '"text"', '{"type":', '{"type":7,"part":null,"message":[],"data":3,"item":"x"}']
		const stdout = [...odd, ...done.map((line) => JSON.stringify(line))].join('\n')
		expect(AGENTS[name].read({ exitCode: 0, stdout, stdoutCut: false, stderr: '' }).failure).toBeUndefined()
	})

	test.runIf(denied)('denied a tool, and ended with 0', () => {
		expect(read(name, denied ?? []).failure?.sentence).toMatch(/ was denied one tool call \(\w+\)$/)
	})
})

test('an agent without prices has no cost, not 0', () => {
	for (const name of ['opencode', 'pi'] as const) expect(read(name, RECORDS[name].done).costUsd).toBeUndefined()
	expect(read('claude', RECORDS.claude.done).costUsd).toBe(0.1)
})

test('a token count that is no count is none', () => {
	for (const wrong of ['5', -1, null]) {
		const end = { ...success, usage: { ...usage, output_tokens: wrong } }
		expect(read('claude', [end]).totalTokens).toBeUndefined()
	}
})
