/** What is made of every recorded run of the six agents, as a table; whoever ends with 0 and wrote nothing has failed. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AGENTS, type AgentName } from '../src/agents/registry.ts'

const corpus = join(import.meta.dirname, '../../shared/corpus/agent-output')
const present = existsSync(corpus)
if (!present) console.log('skipped: the recordings of agents are not here (../shared/corpus/agent-output)')

const TABLE = join(import.meta.dirname, '../fixtures/corpus-agents.tsv')
const HEADER = ['recording', 'exit', 'file', 'tokens', 'cost', 'model', 'calls', 'denied', 'retry', 'failure']
/** As the runs are judged where only files are looked for. */
const NO_FILE = 'left no file, only a final message'
const NOTHING = 'left neither a file nor a final message'

type Recording = { agent: AgentName; name: string; exit: number; wrote: boolean }

function listRecordings(): Recording[] {
	const rows = readFileSync(join(corpus, 'INDEX.tsv'), 'utf8').trim().split('\n').slice(1)
	return rows.map((row) => {
		const [agent = '', name = '', exit = '', ...rest] = row.split('\t')
		return { agent: agent as AgentName, name, exit: Number(exit), wrote: rest.at(-1) === 'yes' }
	})
}

/** 124 is the status of the recorder's own timeout. */
function judge({ agent, name, exit, wrote }: Recording): string[] {
	const read = (file: string) => readFileSync(join(corpus, agent, name, file), 'utf8')
	const ended = exit === 124 ? { failure: 'timed out' } : { exitCode: exit }
	const told = AGENTS[agent].read({ ...ended, stdout: read('stdout'), stdoutCut: false, stderr: read('stderr') })
	const failure = told.failure?.sentence ?? (wrote ? '' : told.lastMessage === undefined ? NOTHING : NO_FILE)
	const { totalTokens, costUsd, model, toolCalls, denied, retry } = told
	const facts = [
		totalTokens,
		costUsd === undefined ? undefined : Math.round(costUsd * 1e5) / 1e5,
		model,
		toolCalls,
		denied,
		retry,
	]
	return [`${agent}/${name}`, String(exit), wrote ? 'yes' : 'no', ...facts.map((fact) => String(fact ?? '')), failure]
}

describe.runIf(present)('the recordings', () => {
	const recordings = present ? listRecordings() : []
	const rows = recordings.map(judge)

	it('are all there, and each gives the row that was looked at', () => {
		expect(rows).toHaveLength(102)
		const text = [HEADER, ...rows].map((row) => row.join('\t')).join('\n')
		expect(`${text}\n`).toBe(readFileSync(TABLE, 'utf8'))
	})

	it('have no run without a file that counts as done', () => {
		const idle = recordings.flatMap(({ wrote, exit }, index) => (!wrote && exit === 0 ? [rows[index] ?? []] : []))
		expect(idle.length).toBeGreaterThan(20)
		expect(idle.filter((row) => row.at(-1) === '')).toEqual([])
	})

	it('have no run that failed and counts as done', () => {
		expect(recordings.filter(({ exit }, index) => exit !== 0 && rows[index]?.at(-1) === '').map(({ name }) => name)).toEqual([])
	})
})
