import type { Agent } from './agent.ts'
import { addUp, at, type Event, numberAt, type Outcome, parseEvents, priced, textAt } from './lines.ts'
import { renderPrompt } from './prompt.ts'
import { readRecord } from './record.ts'

/** OpenCode. It may edit and run commands in its directory; what it would have to ask for is refused, and it says so. */
export const opencodeAgent: Agent = {
	name: 'opencode',
	skillPlaces: ['.agents/skills'],
	isKnown: true,
	unreported: [],
	call: (task, { model, args }) => ({
		argv: [
			'opencode',
			'run',
			...['--format', 'json'],
			...(model === undefined ? [] : ['-m', model]),
			...args,
			// What follows is never read as an option.
			'--',
			renderPrompt(task),
		],
		stdin: '',
		environment: {
			OPENCODE_DISABLE_AUTOUPDATE: '1',
			OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
			OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
		},
	}),
	read: (end) =>
		readRecord(end, readOpencode(end.stdout), {
			agent: 'OpenCode',
			program: 'opencode',
			variable: "the provider's variable, such as ANTHROPIC_API_KEY,",
			allow: 'allow the tool with the variable OPENCODE_PERMISSION, named in agent-env',
		}),
}

/** It prints no result: its last step has to end by itself, and no error may have come. */
export function readOpencode(stdout: string): Outcome {
	const events = parseEvents(stdout)
	const steps = events.filter(({ type }) => type === 'step_finish')
	const error = events.findLast(({ type }) => type === 'error')
	const of = (step: Event, ...keys: string[]) => numberAt(step, 'part', 'tokens', ...keys)
	const input = addUp(steps.flatMap((step) => [of(step, 'input'), of(step, 'cache', 'read'), of(step, 'cache', 'write')]))
	const output = addUp(steps.flatMap((step) => [of(step, 'output'), of(step, 'reasoning')]))
	const isLast = events.at(-1)?.type === 'step_finish' && textAt(events.at(-1), 'part', 'reason') === 'stop'
	return {
		model: undefined,
		texts: events.flatMap((event, index) => {
			const text = event.type === 'text' ? textAt(event, 'part', 'text') : undefined
			return text === undefined ? [] : [{ at: index, text }]
		}),
		toolCalls: events.flatMap((event, index) => {
			if (event.type !== 'tool_use') return []
			const state = at(event, 'part', 'state')
			const isDenied = /\b(rejected|denied) permission\b|\bprevents you from using\b/i.test(textAt(state, 'error') ?? '')
			const result = isDenied ? 'denied' : textAt(state, 'status') === 'completed' ? 'ok' : 'failed'
			return [{ at: index, name: textAt(event, 'part', 'tool') ?? 'a tool', input: at(state, 'input'), result }]
		}),
		turns: steps.length,
		usage: input === undefined || output === undefined ? undefined : { input, output },
		costUsd: priced(addUp(steps.map((step) => numberAt(step, 'part', 'cost')))),
		ending: error ? 'failed' : isLast ? 'finished' : 'open',
		fault: error && {
			message: textAt(error, 'error', 'data', 'message') ?? 'it says no reason',
			status: numberAt(error, 'error', 'data', 'statusCode'),
		},
	}
}
