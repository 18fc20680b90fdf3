import type { Agent, AgentOptions } from './agent.ts'
import { at, type Event, numberAt, type Outcome, parseEvents, textAt } from './lines.ts'
import { renderPrompt } from './prompt.ts'
import { readRecord } from './record.ts'

/** Its own ten attempts take more than 150 s; ours start the run anew. */
const ATTEMPTS = 3

/** Gemini CLI. A tool that it may not use is not even offered to its model, and nobody could tell why it did nothing: it may use all. */
export const geminiAgent: Agent = {
	name: 'gemini',
	skillPlaces: ['.agents/skills'],
	isKnown: true,
	unreported: ['cost'],
	call: (task, { model, args, variables }) => ({
		argv: [
			'gemini',
			...['--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'],
			...(model === undefined ? [] : ['-m', model]),
			...args,
		],
		stdin: renderPrompt(task),
		environment: {},
		homeFiles: [{ path: '.gemini/settings.json', text: JSON.stringify(toSettings(variables)) }],
	}),
	read: (end) =>
		readRecord(end, readGemini(end.stdout), {
			agent: 'Gemini CLI',
			program: 'gemini',
			variable: 'GEMINI_API_KEY',
			allow: 'see the agent-args that you gave',
		}),
}

/** Without a chosen kind of key it asks for one, and ends with status 41. */
function toSettings(variables: AgentOptions['variables']) {
	const selectedType = variables.includes('GOOGLE_GENAI_USE_VERTEXAI') ? 'vertex-ai' : 'gemini-api-key'
	return {
		security: { auth: { selectedType } },
		general: { maxAttempts: ATTEMPTS, enableAutoUpdate: false, enableAutoUpdateNotification: false },
		privacy: { usageStatisticsEnabled: false },
		telemetry: { enabled: false },
	}
}

/** Its result line decides; the tokens in it are those of all models that it used. */
export function readGemini(stdout: string): Outcome {
	const events = parseEvents(stdout)
	const result = events.findLast(({ type }) => type === 'result')
	const isFinished = textAt(result, 'status') === 'success'
	const message = textAt(result, 'error', 'message')
	const total = numberAt(result, 'stats', 'total_tokens')
	const input = numberAt(result, 'stats', 'input_tokens')
	const status = Number(/"code":\s*(\d{3})/.exec(message ?? '')?.[1])
	return {
		model: textAt(
			events.find(({ type }) => type === 'init'),
			'model',
		),
		texts: joinDeltas(events),
		toolCalls: readCalls(events),
		usage: total === undefined || input === undefined || total < input ? undefined : { input, output: total - input },
		ending: result === undefined ? 'open' : isFinished ? 'finished' : 'failed',
		fault: isFinished || result === undefined ? undefined : { message: message ?? 'it says no reason', ...known(status) },
	}
}

/** A wrong key is HTTP 400 to Google, and told by its reason only. */
function known(status: number): { status?: number } {
	return Number.isNaN(status) || status === 400 ? {} : { status }
}

/** What is said between two tool calls comes in pieces. */
function joinDeltas(events: Event[]): Outcome['texts'] {
	const texts: Outcome['texts'] = []
	let isOpen = false
	for (const [index, event] of events.entries()) {
		const isSpoken = event.type === 'message' && event.role === 'assistant'
		const content = isSpoken ? (textAt(event, 'content') ?? '') : ''
		const last = texts.at(-1)
		if (isSpoken && isOpen && last) last.text += content
		else if (isSpoken) texts.push({ at: index, text: content })
		isOpen = isSpoken
	}
	return texts
}

function readCalls(events: Event[]): Outcome['toolCalls'] {
	const results = new Map(events.filter(({ type }) => type === 'tool_result').map((event) => [event.tool_id, event]))
	return events.flatMap((event, index) => {
		if (event.type !== 'tool_use') return []
		const end = results.get(event.tool_id)
		const isDenied = /denied|policy/i.test(textAt(end, 'error', 'type') ?? '')
		const result = isDenied ? 'denied' : textAt(end, 'status') === 'success' ? 'ok' : 'failed'
		return [{ at: index, name: textAt(event, 'tool_name') ?? 'a tool', input: at(event, 'parameters'), result }]
	})
}
