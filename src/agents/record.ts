import type { Failure } from '../model.ts'
import type { AgentEnd, AgentReport } from './agent.ts'
import { describeEnd, quoteStderr } from './end.ts'
import type { Outcome } from './lines.ts'
import { classifyTrouble } from './trouble.ts'

/** What differs from agent to agent in what is said of a failure. */
export type RecordWords = {
	/** As a sentence names it. */
	agent: string
	/** The program that is started. */
	program: string
	/** The variable with its key. */
	variable: string
	/** What to do where it was denied a tool. */
	allow: string
}

const MAX_NAMED_TOOLS = 5

/**
 * The report of an agent that prints a record of its own. Exit status 0 proves nothing: each of the six ends with it although it did nothing.
 * In: how its process ended, and the record that was read from its standard output. Of a record with a gap no sum and no fact is believed.
 */
export function readRecord(end: AgentEnd, record: Outcome, words: RecordWords): AgentReport {
	const failed = findFailure(end, record, words)
	const tokens = record.usage && record.usage.input + record.usage.output
	const lastMessage = record.texts
		.filter(({ branch }) => branch === undefined)
		.at(-1)
		?.text.trim()
	return {
		lastMessage: lastMessage === '' ? undefined : lastMessage,
		// A record that ends early counts only what it saw.
		totalTokens: end.stdoutCut || record.ending === 'open' || !tokens ? undefined : tokens,
		costUsd: end.stdoutCut || record.ending === 'open' ? undefined : record.costUsd,
		model: record.model,
		...(end.stdoutCut ? {} : countCalls(record)),
		...failed,
	}
}

function countCalls({ turns, toolCalls }: Outcome): Pick<AgentReport, 'turns' | 'toolCalls' | 'denied'> {
	return { turns, toolCalls: toolCalls.length, denied: toolCalls.filter(({ result }) => result === 'denied').length }
}

function findFailure(end: AgentEnd, record: Outcome, words: RecordWords): Pick<AgentReport, 'failure' | 'retry'> {
	const quotes = [...(record.fault ? [record.fault.message] : []), ...quoteStderr(end)]
	const fail = (sentence: string, hint?: string): Failure => ({ sentence: `${words.agent} ${sentence}`, quotes, hint })
	if (end.failure !== undefined) {
		const hint = end.failure.startsWith('could not be started')
			? `install it in an earlier step, so that ${words.program} is on the PATH: docs/agents.md`
			: undefined
		return { failure: fail(end.failure, hint) }
	}
	const ended = describeEnd(end)
	const denied = ended === undefined && record.ending !== 'failed' ? findDenials(record, fail, words) : {}
	if (denied.failure || (record.ending === 'finished' && ended === undefined)) return denied
	// Where the record says nothing, the standard error may: some agents tell a missing key nowhere else.
	const trouble = classifyTrouble(record.fault ?? { message: quoteStderr(end).join('') })
	if (trouble === 'key') {
		const hint = `set ${words.variable} in the job's environment and name it in agent-env; check that the key is valid`
		return { failure: fail('was refused by its model’s API: the key is missing or wrong', hint), retry: 'stop' }
	}
	const sentence = describeOpen(record, ended)
	return trouble === 'passing' ? { failure: fail(sentence), retry: 'again' } : { failure: fail(sentence) }
}

function describeOpen({ ending, fault }: Outcome, ended: string | undefined): string {
	const status = fault?.status === undefined ? '' : ` (HTTP ${fault.status})`
	if (ending === 'failed') return `says that it failed${status}`
	return ended ?? 'printed no result: its record ends in the middle'
}

type Fail = (sentence: string, hint?: string) => Failure

function findDenials({ toolCalls }: Outcome, fail: Fail, { allow }: RecordWords): Pick<AgentReport, 'failure'> {
	const denied = toolCalls.filter(({ result }) => result === 'denied')
	if (denied.length === 0) return {}
	const names = [...new Set(denied.map(({ name }) => name))].slice(0, MAX_NAMED_TOOLS).join(', ')
	const times = denied.length === 1 ? 'one tool call' : `${denied.length} tool calls`
	return { failure: fail(`was denied ${times} (${names})`, allow) }
}
