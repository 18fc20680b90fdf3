import type { Agent } from './agent.ts'
import { addUp, at, type Event, listAt, numberAt, type Outcome, parseEvents, priced, textAt } from './lines.ts'
import { renderPrompt } from './prompt.ts'
import { readRecord } from './record.ts'

/** pi. It has no permissions to give or to refuse. */
export const piAgent: Agent = {
	name: 'pi',
	skillPlaces: ['.agents/skills'],
	isKnown: true,
	unreported: [],
	call: (task, { model, args }) => ({
		argv: [
			'pi',
			...['--mode', 'json', '-p', '--no-session'],
			...['--no-skills', ...(task.skillPath === undefined ? [] : ['--skill', task.skillPath])],
			...(model === undefined ? [] : ['--model', model]),
			...args,
		],
		stdin: renderPrompt(task),
		environment: { PI_OFFLINE: '1', PI_TELEMETRY: '0' },
		// Its own retries of each provider and of each turn multiply to twelve requests.
		homeFiles: [
			{ path: '.pi/agent/settings.json', text: JSON.stringify({ retry: { enabled: true, maxRetries: 1, baseDelayMs: 1000 } }) },
		],
	}),
	read: (end) =>
		readRecord(end, readPi(end.stdout), {
			agent: 'pi',
			program: 'pi',
			variable: "the provider's variable, such as ANTHROPIC_API_KEY,",
			allow: 'see the agent-args that you gave',
		}),
}

/** Its last message decides: it ends with 0 where its model's API refuses its key. `agent_end` comes once for each of its own retries. */
export function readPi(stdout: string): Outcome {
	const events = parseEvents(stdout)
	const messages = events.flatMap(({ type, message }) =>
		type === 'message_end' && at(message, 'role') === 'assistant' ? [message] : [],
	)
	const last = messages.at(-1)
	const reason = textAt(last, 'stopReason')
	const message = textAt(last, 'errorMessage')
	const of = (name: string) => messages.map((each) => numberAt(each, 'usage', name))
	const input = addUp([...of('input'), ...of('cacheRead'), ...of('cacheWrite')])
	const output = addUp(of('output'))
	const isOver = events.at(-1)?.type === 'agent_end'
	return {
		model: textAt(last, 'model'),
		texts: messages.flatMap((each, index) => {
			const blocks = listAt(each, 'content').filter((block) => at(block, 'type') === 'text')
			const text = blocks.map((block) => textAt(block, 'text') ?? '').join('\n')
			return text === '' ? [] : [{ at: index, text }]
		}),
		toolCalls: readCalls(events),
		turns: events.filter(({ type }) => type === 'turn_start').length,
		usage: input === undefined || output === undefined ? undefined : { input, output },
		costUsd: priced(addUp(messages.map((each) => numberAt(each, 'usage', 'cost', 'total')))),
		ending:
			message !== undefined || reason === 'error' || reason === 'aborted'
				? 'failed'
				: isOver && reason === 'stop'
					? 'finished'
					: 'open',
		fault: message === undefined ? undefined : { message },
	}
}

function readCalls(events: Event[]): Outcome['toolCalls'] {
	const ends = new Map(events.filter(({ type }) => type === 'tool_execution_end').map((event) => [event.toolCallId, event]))
	return events.flatMap((event, index) => {
		if (event.type !== 'tool_execution_start') return []
		const result = at(ends.get(event.toolCallId), 'isError') === false ? ('ok' as const) : ('failed' as const)
		return [{ at: index, name: textAt(event, 'toolName') ?? 'a tool', input: at(event, 'args'), result }]
	})
}
