import { describe, expect, test } from 'vitest'
import type { ToolCall } from '../transcript.ts'
import type { AgentEnd } from './agent.ts'
import type { Outcome } from './lines.ts'
import { readRecord } from './record.ts'

const WORDS = { agent: 'Codex', program: 'codex', variable: 'CODEX_API_KEY', allow: 'allow it' }
const END: AgentEnd = { exitCode: 0, stdout: '', stdoutCut: false, stderr: '' }
const RECORD: Outcome = {
	toolCalls: [],
	texts: [
		{ at: 0, text: 'I begin.' },
		{ at: 1, text: ' Done. ' },
		{ at: 2, text: 'inner', branch: 'a' },
	],
	ending: 'finished',
	usage: { input: 100, output: 20 },
	costUsd: 0.5,
	model: 'm',
}
const read = (record: Partial<Outcome> = {}, end: Partial<AgentEnd> = {}) =>
	readRecord({ ...END, ...end }, { ...RECORD, ...record }, WORDS)
const call = (name: string, result: ToolCall['result']): ToolCall => ({ at: 0, name, input: {}, result })

test('a run that finished: its last words of the main chain, all its tokens, and what it cost', () => {
	expect(read()).toEqual({
		lastMessage: 'Done.',
		totalTokens: 120,
		costUsd: 0.5,
		model: 'm',
		turns: undefined,
		toolCalls: 0,
		denied: 0,
	})
})

describe('what was not told is not counted', () => {
	test.each<[string, Partial<Outcome>, Partial<AgentEnd>]>([
		['no usage', { usage: undefined, costUsd: undefined }, {}],
		['a usage of nothing', { usage: { input: 0, output: 0 }, costUsd: undefined }, {}],
		['a record that ends early', { ending: 'open' }, {}],
		['a record with a gap', {}, { stdoutCut: true }],
	])('%s', (_name, record, end) => {
		const report = read(record, end)
		expect([report.totalTokens, report.costUsd]).toEqual([undefined, undefined])
	})

	test('empty words are none', () => {
		expect(read({ texts: [{ at: 0, text: ' \n' }] }).lastMessage).toBeUndefined()
	})
})

describe('exit status 0 proves nothing', () => {
	test.each<[string, Partial<Outcome>, string]>([
		['it says that it failed', { ending: 'failed', fault: { message: 'no' } }, 'Codex says that it failed'],
		['with a status', { ending: 'failed', fault: { message: 'no', status: 400 } }, 'Codex says that it failed (HTTP 400)'],
		['it says nothing', { ending: 'open' }, 'Codex printed no result: its record ends in the middle'],
		['one denied call', { toolCalls: [call('Write', 'denied')] }, 'Codex was denied one tool call (Write)'],
		[
			'several',
			{ toolCalls: [call('Write', 'denied'), call('Read', 'ok'), call('Bash', 'denied'), call('Write', 'denied')] },
			'Codex was denied 3 tool calls (Write, Bash)',
		],
	])('%s', (_name, record, sentence) => {
		const { failure, retry } = read(record)
		expect({ sentence: failure?.sentence, retry }).toEqual({ sentence, retry: undefined })
	})

	test('a denial says what to do', () => {
		expect(read({ toolCalls: [call('Write', 'denied')] }).failure?.hint).toBe('allow it')
	})
})

describe('a finished record does not hide how the process ended', () => {
	test.each<[Partial<AgentEnd>, string]>([
		[{ exitCode: 3 }, 'Codex ended with exit status 3'],
		[{ exitCode: undefined }, 'Codex ended with exit status unknown'],
		[{ exitCode: undefined, signal: 'SIGKILL' }, 'Codex was ended by SIGKILL'],
		[{ failure: 'timed out after 5 s' }, 'Codex timed out after 5 s'],
		[{ failure: 'was cancelled' }, 'Codex was cancelled'],
	])('%j', (end, sentence) => {
		expect(read({}, end).failure?.sentence).toBe(sentence)
	})

	test('what could not be started has to be installed', () => {
		expect(read({}, { failure: 'could not be started (spawn codex ENOENT)' }).failure?.hint).toMatch(
			/so that codex is on the PATH/,
		)
	})

	test('the fault and the last lines of stderr are quotes', () => {
		const { failure } = read({ ending: 'failed', fault: { message: 'said so' } }, { stderr: `${'x'.repeat(900)}\nlast\n` })
		expect(failure?.quotes[0]).toBe('said so')
		expect(failure?.quotes[1]).toMatch(/^x+\nlast$/)
		expect(failure?.quotes[1]).toHaveLength(500)
	})
})

describe('what is tried again, and what stops the job', () => {
	test.each<[string, Partial<Outcome>, Partial<AgentEnd>, 'again' | 'stop' | undefined]>([
		['401', { ending: 'failed', fault: { message: 'x', status: 401 } }, { exitCode: 1 }, 'stop'],
		['401 with exit status 0', { ending: 'failed', fault: { message: 'x', status: 401 } }, {}, 'stop'],
		['no key, said on stderr only', { ending: 'open' }, { exitCode: 1, stderr: 'No API key found for anthropic.' }, 'stop'],
		['429', { ending: 'failed', fault: { message: 'x', status: 429 } }, {}, 'again'],
		['503', { ending: 'failed', fault: { message: 'x', status: 503 } }, { exitCode: 1 }, 'again'],
		['400', { ending: 'failed', fault: { message: 'x', status: 400 } }, {}, undefined],
		['a timeout', { ending: 'open', fault: { message: 'x', status: 429 } }, { failure: 'timed out after 5 s' }, undefined],
		['success whose words speak of keys', { texts: [{ at: 0, text: 'invalid api key' }] }, {}, undefined],
	])('%s', (_name, record, end, retry) => {
		expect(read(record, end).retry).toBe(retry)
	})

	test('a wrong key names the variable', () => {
		const { failure } = read({ ending: 'failed', fault: { message: 'invalid x-api-key', status: 401 } })
		expect(failure?.sentence).toBe('Codex was refused by its model’s API: the key is missing or wrong')
		expect(failure?.hint).toMatch(/^set CODEX_API_KEY in the job's environment and name it in agent-env/)
	})
})
