/** What is read of every recorded run of the six agents, as a table, and of a session of Claude Code with its sub-agents. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Transcript } from '../src/transcript.ts'
import { readTranscript } from '../src/transcripts/read-transcript.ts'

const corpus = join(import.meta.dirname, '../../shared/corpus')
const present = existsSync(join(corpus, 'agent-output'))
if (!present) console.log('skipped: the recordings of agents are not here (../shared/corpus)')

const TABLE = join(import.meta.dirname, '../fixtures/corpus-transcripts.tsv')
const HEADER = [
	'recording',
	'format',
	'ending',
	'status',
	'prompts',
	'texts',
	'tools',
	'skills',
	'files',
	'input',
	'output',
	'usd',
	'notices',
]

function read(path: string): string {
	return readFileSync(join(corpus, path), 'utf8')
}

/** A tool a call, with what came of it where that was not `ok`. */
function describeCalls({ toolCalls }: Transcript): string {
	return toolCalls.map(({ name, result }) => (result === 'ok' ? name : `${name}:${result}`)).join(' ')
}

function toRow(recording: string): string[] {
	const told = readTranscript(read(`agent-output/${recording}/stdout`), { prompt: 'the task' })
	if ('problem' in told) return [recording, told.problem]
	const { transcript } = told
	const { format, ending, fault, prompts, texts, skillInvocations, fileAccesses, usage, costUsd, notices } = transcript
	return [
		recording,
		format,
		ending,
		String(fault?.status ?? ''),
		String(prompts.length),
		String(texts.length),
		describeCalls(transcript),
		skillInvocations.map(({ skill, by }) => `${by}:${skill}`).join(' '),
		fileAccesses.map(({ op, path }) => `${op}:${path}`).join(' '),
		String(usage?.input ?? ''),
		String(usage?.output ?? ''),
		String(costUsd === undefined ? '' : Math.round(costUsd * 1e5) / 1e5),
		notices.join('; '),
	]
}

describe.runIf(present)('the recordings', () => {
	const index = present ? read('agent-output/INDEX.tsv').trim().split('\n').slice(1) : []
	const runs = index
		.map((line) => line.split('\t'))
		.map(([agent, name, exit, ...rest]) => ({ id: `${agent}/${name}`, exit, wrote: rest.at(-1) === 'yes' }))

	// To accept what changed: npx vitest run test/corpus-transcripts.test.ts -u
	it('are all there, and each gives the row that was looked at', async () => {
		expect(runs).toHaveLength(102)
		const table = [HEADER, ...runs.map(({ id }) => toRow(id))].map((row) => row.join('\t')).join('\n')
		await expect(`${table}\n`).toMatchFileSnapshot(TABLE)
	})

	it.each([
		['claude/ok-stream', 4577],
		['pi/ok-json', 4577],
		['codex/ok-json', 2577],
		['gemini/ok-stream', 2591],
	])('%s took %d tokens', (id, total) => {
		const told = readTranscript(read(`agent-output/${id}/stdout`))
		if ('problem' in told) throw new Error(told.problem)
		expect((told.transcript.usage?.input ?? 0) + (told.transcript.usage?.output ?? 0)).toBe(total)
	})

	it('show no file written where none was, by whoever can tell', () => {
		const idle = runs.filter(({ wrote }) => !wrote)
		expect(idle.length).toBeGreaterThan(40)
		for (const { id } of idle) {
			const told = readTranscript(read(`agent-output/${id}/stdout`))
			if ('problem' in told) continue
			const { toolCalls, fileAccesses } = told.transcript
			const done = fileAccesses.filter(({ op, at }) => op !== 'read' && toolCalls.find((call) => call.at === at)?.result === 'ok')
			expect([id, done]).toEqual([id, []])
		}
	})
})

describe.runIf(present)('a session of Claude Code', () => {
	const traces = 'tracevals/fixtures/traces'
	const load = (path: string, sidecars: { name: string; text: string; meta: string }[] = []) => {
		const told = readTranscript(read(`${traces}/${path}`), { sidecars })
		if ('problem' in told) throw new Error(told.problem)
		return told.transcript
	}

	it('with inline sub-agents', () => {
		const session = load('claude-session.jsonl')
		expect(session).toMatchObject({ format: 'claude-session', model: 'claude-opus-4-8' })
		expect(session.notices).toEqual(['1 line of the transcript could not be read and is left out'])
		expect(session.prompts.filter(({ branch }) => branch === undefined)).toHaveLength(2)
		expect(session.toolCalls.filter(({ name, branch }) => name === 'Bash' && branch === undefined)).toHaveLength(2)
		expect(session.branches.map(({ agentType }) => agentType)).toEqual(['Explore', 'reviewer'])
		expect(session.spawns.map(({ agentType, child }) => [agentType, child !== undefined])).toEqual([
			['Explore', true],
			['reviewer', true],
			['doc-writer', false],
		])
		const reviewer = session.branches[1]
		expect(session.toolCalls.filter(({ branch }) => branch === reviewer?.id).map(({ name }) => name)).toEqual(['Read'])
	})

	it('with a sub-agent beside it', () => {
		const directory = `${traces}/claude-session-sidecar/subagents/agent-a1111111111111111`
		const sidecar = {
			name: 'agent-a1111111111111111.jsonl',
			text: read(`${directory}.jsonl`),
			meta: read(`${directory}.meta.json`),
		}
		const session = load('claude-session-sidecar.jsonl', [sidecar])
		expect(session.branches).toMatchObject([{ id: 'a1111111111111111', agentType: 'Explore' }])
		expect(session.toolCalls.some(({ branch }) => branch === 'a1111111111111111')).toBe(true)
		const alone = load('claude-session-sidecar.jsonl')
		expect(alone.spawns.some(({ agentType, child }) => agentType === 'Explore' && child === undefined)).toBe(true)
	})
})
