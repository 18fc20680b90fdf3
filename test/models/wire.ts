/** How three vendors' streaming APIs spell a model's turn. Only as much as their command-line programs read. */
import type { ServerResponse } from 'node:http'

/** What the model does in one turn: call a tool, or speak its last words. */
export type Turn = { call: { name: string; input: Record<string, unknown> } } | { text: string }
export type TokenCount = { fresh: number; cached: number; output: number }
export type Answer = { turn: Turn; tokens: TokenCount; id: string; model: string }

type Event = { type?: string; [key: string]: unknown }

function stream(response: ServerResponse, events: Event[], named: boolean): void {
	response.writeHead(200, { 'content-type': 'text/event-stream' })
	for (const event of events) {
		if (named && event.type) response.write(`event: ${event.type}\n`)
		response.write(`data: ${JSON.stringify(event)}\n\n`)
	}
	response.end()
}

/** Anthropic's Messages: input tokens that came from the cache are counted apart. */
export function sendMessages(response: ServerResponse, { turn, tokens, id, model }: Answer): void {
	const usage = {
		input_tokens: tokens.fresh,
		cache_creation_input_tokens: 0,
		cache_read_input_tokens: tokens.cached,
		output_tokens: 1,
	}
	const [block, delta, reason] =
		'text' in turn
			? [{ type: 'text', text: '' }, { type: 'text_delta', text: turn.text }, 'end_turn']
			: [
					{ type: 'tool_use', id: `toolu_${id}`, name: turn.call.name, input: {} },
					{ type: 'input_json_delta', partial_json: JSON.stringify(turn.call.input) },
					'tool_use',
				]
	const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage }
	const events = [
		{ type: 'message_start', message },
		{ type: 'content_block_start', index: 0, content_block: block },
		{ type: 'content_block_delta', index: 0, delta },
		{ type: 'content_block_stop', index: 0 },
		{ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: tokens.output } },
		{ type: 'message_stop' },
	]
	stream(response, events, true)
}

/** OpenAI's Responses: cached tokens are part of the input. */
export function sendResponses(response: ServerResponse, { turn, tokens, id, model }: Answer): void {
	const item =
		'text' in turn
			? {
					type: 'message',
					id: `msg_${id}`,
					role: 'assistant',
					status: 'completed',
					content: [{ type: 'output_text', text: turn.text, annotations: [] }],
				}
			: {
					type: 'function_call',
					id: `fc_${id}`,
					call_id: `call_${id}`,
					name: turn.call.name,
					arguments: JSON.stringify(turn.call.input),
					status: 'completed',
				}
	const input = tokens.fresh + tokens.cached
	const usage = {
		input_tokens: input,
		input_tokens_details: { cached_tokens: tokens.cached },
		output_tokens: tokens.output,
		output_tokens_details: { reasoning_tokens: 0 },
		total_tokens: input + tokens.output,
	}
	const base = { id: `resp_${id}`, object: 'response', created_at: 1, model, output: [], tools: [], tool_choice: 'auto' }
	const events = [
		{ type: 'response.created', response: { ...base, status: 'in_progress' } },
		{ type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
		{ type: 'response.output_item.done', output_index: 0, item },
		{ type: 'response.completed', response: { ...base, status: 'completed', output: [item], usage } },
	]
	stream(response, events, true)
}

/** Google's streamGenerateContent: cached tokens are part of the prompt. */
export function sendContent(response: ServerResponse, { turn, tokens, model }: Answer): void {
	const input = tokens.fresh + tokens.cached
	const part = 'text' in turn ? { text: turn.text } : { functionCall: { name: turn.call.name, args: turn.call.input } }
	const chunk = {
		candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
		usageMetadata: {
			promptTokenCount: input,
			cachedContentTokenCount: tokens.cached,
			candidatesTokenCount: tokens.output,
			totalTokenCount: input + tokens.output,
		},
		modelVersion: model,
	}
	stream(response, [chunk], false)
}
