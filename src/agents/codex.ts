import type { Agent } from './agent.ts'
import { addUp, at, numberAt, type Outcome, parseEvents, textAt } from './lines.ts'
import { renderPrompt } from './prompt.ts'
import { readRecord } from './record.ts'

/**
 * Without these it waits five seconds for its analytics where no network is, and asks github.com for plugins and chatgpt.com for apps
 * (measured with 0.171); a home directory that is empty has neither.
 */
export const CODEX_QUIET = ['analytics.enabled', 'check_for_update_on_startup', 'features.plugins', 'features.apps'].flatMap(
	(setting) => ['-c', `${setting}=false`],
)

/** Codex. A command that its sandbox stops is not in its record at all, so that it gets the sandbox in which it can write. */
export const codexAgent: Agent = {
	name: 'codex',
	skillPlaces: ['.agents/skills'],
	isKnown: true,
	unreported: ['cost'],
	call: (task, { model, args }) => ({
		argv: [
			'codex',
			'exec',
			...['--json', '--skip-git-repo-check', '--sandbox', 'workspace-write'],
			...CODEX_QUIET,
			...(model === undefined ? [] : ['-m', model]),
			...args,
			'-',
		],
		stdin: renderPrompt(task),
		environment: {},
	}),
	read: (end) =>
		readRecord(end, readCodex(end.stdout), {
			agent: 'Codex',
			program: 'codex',
			variable: 'CODEX_API_KEY',
			allow: 'choose another sandbox with agent-args, such as ["--sandbox", "danger-full-access"]',
		}),
}

const TOOL_ITEMS = ['command_execution', 'file_change', 'mcp_tool_call', 'web_search']

/** Its last turn decides: events of type `error` occur in runs that succeed, for each reconnection. */
export function readCodex(stdout: string): Outcome {
	const events = parseEvents(stdout)
	const items = events.filter(({ type }) => type === 'item.completed').map(({ item }) => item)
	const last = events.findLast(({ type }) => type === 'turn.completed' || type === 'turn.failed')
	const isFailed = last?.type === 'turn.failed'
	const trouble = isFailed
		? textAt(last, 'error', 'message')
		: textAt(
				events.findLast(({ type }) => type === 'error'),
				'message',
			)
	const turns = events.filter(({ type }) => type === 'turn.completed')
	// Cached input is part of the input, reasoning part of the output.
	const input = addUp(turns.map((turn) => numberAt(turn, 'usage', 'input_tokens')))
	const output = addUp(turns.map((turn) => numberAt(turn, 'usage', 'output_tokens')))
	return {
		model: undefined,
		texts: items.flatMap((item, index) => {
			const text = at(item, 'type') === 'agent_message' ? textAt(item, 'text') : undefined
			return text === undefined ? [] : [{ at: index, text }]
		}),
		toolCalls: items.flatMap((item, index) => {
			const name = textAt(item, 'type') ?? ''
			const [status, input] = [textAt(item, 'status'), at(item, 'command') ?? at(item, 'changes') ?? at(item, 'arguments')]
			const result = status === 'declined' ? 'denied' : status === 'failed' ? 'failed' : 'ok'
			return TOOL_ITEMS.includes(name) ? [{ at: index, name, input, result }] : []
		}),
		usage: input === undefined || output === undefined ? undefined : { input, output },
		ending: last === undefined ? 'open' : isFailed ? 'failed' : 'finished',
		fault: trouble === undefined || last?.type === 'turn.completed' ? undefined : { message: trouble },
	}
}
