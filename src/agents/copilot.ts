import type { Agent } from './agent.ts'
import { at, numberAt, type Outcome, parseEvents, textAt } from './lines.ts'
import { renderPrompt } from './prompt.ts'
import { readRecord } from './record.ts'

/** GitHub Copilot CLI. It reads no prompt from standard input. */
export const copilotAgent: Agent = {
	name: 'copilot',
	skillPlaces: ['.agents/skills'],
	isKnown: true,
	unreported: ['tokens', 'cost'],
	call: (task, { model, args }) => ({
		argv: [
			'copilot',
			`--prompt=${renderPrompt(task)}`,
			...['--output-format', 'json', '--allow-all-tools', '--no-ask-user', '--no-color'],
			...(model === undefined ? [] : ['--model', model]),
			...args,
		],
		stdin: '',
		environment: { COPILOT_AUTO_UPDATE: 'false' },
	}),
	read: (end) =>
		readRecord(end, readCopilot(end.stdout), {
			agent: 'Copilot CLI',
			program: 'copilot',
			variable: 'COPILOT_GITHUB_TOKEN',
			allow: 'see the agent-args that you gave',
		}),
}

/** Its result line decides; it tells no tokens. */
export function readCopilot(stdout: string): Outcome {
	const events = parseEvents(stdout)
	const result = events.findLast(({ type }) => type === 'result')
	const error = events.findLast(({ type }) => type === 'session.error')
	const ends = new Map(
		events.filter(({ type }) => type === 'tool.execution_complete').map((event) => [textAt(event, 'data', 'toolCallId'), event]),
	)
	const message = textAt(error, 'data', 'message')
	const isFinished = at(result, 'exitCode') === 0
	return {
		model: events.map((event) => textAt(event, 'data', 'model')).find((model) => model !== undefined),
		texts: events.flatMap((event, index) => {
			const text = event.type === 'assistant.message' ? textAt(event, 'data', 'content') : undefined
			return text ? [{ at: index, text }] : []
		}),
		toolCalls: events.flatMap((event, index) => {
			if (event.type !== 'tool.execution_start') return []
			const end = ends.get(textAt(event, 'data', 'toolCallId'))
			const isDenied = textAt(end, 'data', 'error', 'code') === 'denied'
			const result = isDenied ? 'denied' : at(end, 'data', 'success') === true ? 'ok' : 'failed'
			return [{ at: index, name: textAt(event, 'data', 'toolName') ?? 'a tool', input: at(event, 'data', 'arguments'), result }]
		}),
		turns: events.filter(({ type }) => type === 'assistant.turn_start').length,
		ending: result === undefined ? 'open' : isFinished ? 'finished' : 'failed',
		fault: message === undefined || isFinished ? undefined : { message, status: numberAt(error, 'data', 'statusCode') },
	}
}
