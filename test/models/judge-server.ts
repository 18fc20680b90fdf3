/** Models' APIs on loopback, by the wire formats that the providers document. What is answered is a script's matter. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

export type Provider = 'anthropic' | 'openai' | 'google'

export type Asked = {
	provider: Provider
	model: string
	/** What the model was told, instructions and data. */
	system: string
	user: string
	/** As sent. */
	key: string | undefined
	hasSchema: boolean
	/** The assertions as the prompt numbers them. */
	assertions: { n: number; text: string }[]
	/** How often this script was asked, from 1. */
	attempt: number
}

export type Answer =
	| { text: string; finish?: 'stop' | 'length' | 'refusal' }
	| { status: number; headers?: Record<string, string>; body?: string; how?: 'hang' | 'drip' | 'reset' | 'gzip' }

export type Script = (asked: Asked) => Answer

export type JudgeServer = AsyncDisposable & { baseUrl: (provider: Provider) => string; asked: (Asked & { script: string })[] }

const PATHS: [Provider, RegExp][] = [
	['anthropic', /^\/anthropic\/messages$/],
	['openai', /^\/openai\/chat\/completions$/],
	['google', /^\/google\/models\/([^:]+):generateContent$/],
]

/** The task of an eval names its script: `script: <name>`. */
export async function startJudgeServer(scripts: Record<string, Script>): Promise<JudgeServer> {
	const asked: JudgeServer['asked'] = []
	const server = createServer((request, response) => {
		void receive(request).then((call): void => {
			const script = /script: ([\w-]+)/.exec(call?.user ?? '')?.[1] ?? ''
			const answer = scripts[script]
			if (!call || !answer) {
				send(response, 404, {}, 'nobody answers here')
				return
			}
			const attempt = asked.filter((earlier) => earlier.script === script).length + 1
			const numbered = { ...call, attempt, script }
			asked.push(numbered)
			give(response, call.provider, answer(numbered))
		})
	})
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
	const { port } = server.address() as AddressInfo
	return {
		baseUrl: (provider) => `http://127.0.0.1:${port}/${provider}`,
		asked,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections()
			await new Promise((resolve) => server.close(resolve))
		},
	}
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of three APIs, read only by this test
type Body = any

async function receive(request: IncomingMessage): Promise<Omit<Asked, 'attempt'> | undefined> {
	let text = ''
	for await (const chunk of request) text += String(chunk)
	const [provider, path] = PATHS.find(([, pattern]) => pattern.test(request.url ?? '')) ?? []
	if (!provider || !path || request.method !== 'POST') return undefined
	const body: Body = JSON.parse(text)
	const header = (name: string) => request.headers[name] as string | undefined
	const read = {
		anthropic: () => ({
			model: body.model,
			system: body.system[0].text,
			user: body.messages[0].content[0].text,
			key: header('x-api-key'),
			hasSchema: Boolean(body.output_format ?? body.output_config?.format ?? body.tools),
		}),
		openai: () => ({
			model: body.model,
			system: body.messages[0].content,
			user: body.messages[1].content,
			key: header('authorization')?.replace('Bearer ', ''),
			hasSchema: body.response_format?.json_schema?.strict === true,
		}),
		google: () => ({
			model: path.exec(request.url ?? '')?.[1] ?? '',
			system: body.systemInstruction.parts[0].text,
			user: body.contents[0].parts[0].text,
			key: header('x-goog-api-key'),
			hasSchema: Boolean(body.generationConfig?.responseSchema ?? body.generationConfig?.responseJsonSchema),
		}),
	}[provider]()
	const list = read.user.split('\n\n')[0] ?? ''
	const assertions = [...list.matchAll(/^(\d+)\. (.*)$/gm)].map(([, n, sentence = '']) => ({ n: Number(n), text: sentence }))
	return { provider, ...read, assertions }
}

/** 20 MB of blanks in 20 kB. */
const BOMB = gzipSync(Buffer.alloc(20 * 1024 * 1024, 0x20))

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: string | Buffer): void {
	response.writeHead(status, headers).end(body)
}

function give(response: ServerResponse, provider: Provider, answer: Answer): void {
	const json = { 'content-type': 'application/json' }
	if ('text' in answer) {
		send(response, 200, json, JSON.stringify(wrap(provider, answer.text, answer.finish ?? 'stop')))
		return
	}
	const { status, headers = json, body = '', how } = answer
	if (how === undefined) send(response, status, headers, body)
	if (how === 'reset') response.socket?.resetAndDestroy()
	if (how === 'gzip') {
		send(response, status, { ...headers, 'content-encoding': 'gzip' }, BOMB)
	}
	if (how === 'drip') {
		response.writeHead(status, headers)
		const drip = setInterval(() => response.write(' '), 50)
		response.once('close', () => clearInterval(drip))
	}
}

function wrap(provider: Provider, text: string, finish: 'stop' | 'length' | 'refusal'): unknown {
	if (provider === 'anthropic') {
		const stop = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' }[finish]
		return {
			...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: stop, stop_sequence: null },
			content: [{ type: 'text', text }],
			usage: { input_tokens: 10, output_tokens: 5 },
		}
	}
	if (provider === 'openai') {
		const reason = { stop: 'stop', length: 'length', refusal: 'content_filter' }[finish]
		return {
			...{ id: 'c_1', object: 'chat.completion', created: 1, model: 'm' },
			choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: reason }],
			usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
		}
	}
	const reason = { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' }[finish]
	return {
		candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: reason }],
		usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
	}
}
