import type { Agent } from './agent.ts'
import { addUp, at, type Event, listAt, numberAt, type Outcome, parseEvents, textAt } from './lines.ts'
import { renderPrompt } from './prompt.ts'
import { readRecord } from './record.ts'

/** It sends nothing home, and gives up early: its own ten retries take three minutes even for a wrong key; ours start the run anew. */
export const CLAUDE_QUIET = {
	CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
	CLAUDE_CODE_MAX_RETRIES: '2',
	DISABLE_AUTOUPDATER: '1',
	DISABLE_ERROR_REPORTING: '1',
	DISABLE_TELEMETRY: '1',
}

/** Claude Code. What it is not allowed to do it says in its record, so that it starts with the right to edit files only. */
export const claudeAgent: Agent = {
	name: 'claude',
	skillPlaces: ['.claude/skills'],
	isKnown: true,
	unreported: [],
	call: (task, { model, args }) => ({
		argv: [
			'claude',
			'-p',
			...['--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
			...(model === undefined ? [] : ['--model', model]),
			...args,
		],
		stdin: renderPrompt(task),
		environment: CLAUDE_QUIET,
	}),
	read: (end) =>
		readRecord(end, readClaudeStream(end.stdout), {
			agent: 'Claude Code',
			program: 'claude',
			variable: 'ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN',
			allow: 'allow the tool with agent-args, such as ["--allowedTools", "Bash"]',
		}),
}

/** Its result line decides: the same message is printed once a content block, with the tokens of its beginning. */
export function readClaudeStream(stdout: string): Outcome {
	const events = parseEvents(stdout)
	const result = events.findLast(({ type }) => type === 'result')
	const init = events.find(({ type, subtype }) => type === 'system' && subtype === 'init')
	const said = textAt(result, 'result')
	const isFailed = result !== undefined && (at(result, 'is_error') !== false || at(result, 'subtype') !== 'success')
	const message = said ?? listAt(result, 'errors').map(String).join('; ')
	return {
		model: textAt(init, 'model') ?? Object.keys(at(result, 'modelUsage') ?? {})[0],
		texts: said === undefined || isFailed ? [] : [{ at: 0, text: said }],
		toolCalls: readCalls(events, result),
		turns: numberAt(result, 'num_turns'),
		usage: readUsage(result),
		costUsd: numberAt(result, 'total_cost_usd'),
		ending: result === undefined ? 'open' : isFailed ? 'failed' : 'finished',
		fault: isFailed
			? { message: message || `it ended with ${textAt(result, 'subtype')}`, status: numberAt(result, 'api_error_status') }
			: undefined,
	}
}

/** Each kind of input is counted apart. */
function readUsage(result: Event | undefined): Outcome['usage'] {
	const of = (name: string) => numberAt(result, 'usage', name)
	const input = addUp([of('input_tokens'), of('cache_creation_input_tokens') ?? 0, of('cache_read_input_tokens') ?? 0])
	const output = of('output_tokens')
	return input === undefined || output === undefined ? undefined : { input, output }
}

function readCalls(events: Event[], result: Event | undefined): Outcome['toolCalls'] {
	const blocks = events.flatMap((event) => listAt(event, 'message', 'content'))
	const denials = listAt(result, 'permission_denials')
	const denied = new Set(denials.map((denial) => at(denial, 'tool_use_id')))
	const failed = new Set(blocks.filter((block) => at(block, 'is_error') === true).map((block) => at(block, 'tool_use_id')))
	const calls = blocks.filter((block) => at(block, 'type') === 'tool_use')
	const known = new Set(calls.map((call) => at(call, 'id')))
	const resultOf = (id: unknown) => (denied.has(id) ? 'denied' : failed.has(id) ? 'failed' : 'ok')
	return [
		...calls.map((call, index) => ({
			at: index,
			name: textAt(call, 'name') ?? 'a tool',
			input: at(call, 'input'),
			result: resultOf(at(call, 'id')) as 'ok' | 'failed' | 'denied',
		})),
		// Without the stream, as with output format `json`, only the denials are told.
		...denials
			.filter((denial) => !known.has(at(denial, 'tool_use_id')))
			.map((denial) => ({ at: 0, name: textAt(denial, 'tool_name') ?? 'a tool', input: undefined, result: 'denied' as const })),
	]
}
