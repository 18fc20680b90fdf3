/** A model that follows a script, on loopback, behind the APIs of Anthropic, OpenAI and Google: it uses the skill, writes a file, and says so. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, sendContent, sendMessages, sendResponses, type TokenCount, type Turn } from './wire.ts'

/** `work`: as above. `talk`: the last words at once. A number: every request is answered with this HTTP status. `hang`: never answered. `judge`: passes what begins with "It "; `gullible`: passes all. */
export type Script = 'work' | 'talk' | 'judge' | 'gullible' | 'hang' | 401 | 429 | 500

type Body = Record<string, unknown>
export type LoggedRequest = { path: string; text: string; tools: string[] }
export type ModelServer = {
	url: string
	/** All that was asked of it, in order; headers, and so keys, are not kept. */
	requests: LoggedRequest[]
	/** The next request waits for this to be called with it; for tests that interrupt. */
	onRequest?: (() => void) | undefined
	/** After so many refused requests it works. */
	refusals?: number | undefined
	close: () => Promise<void>
}

export const LAST_WORDS = 'The report is in outputs/report.md.'
export const REPORT = '# Report\n\nRevenue: 42\n'
/** Of every turn. */
export const TOKENS: TokenCount = { fresh: 1000, cached: 200, output: 30 }

const STATUS_WORDS: Record<number, { anthropic: string; google: string; message: string }> = {
	401: { anthropic: 'authentication_error', google: 'UNAUTHENTICATED', message: 'invalid x-api-key' },
	429: { anthropic: 'rate_limit_error', google: 'RESOURCE_EXHAUSTED', message: 'rate limit reached' },
	500: { anthropic: 'api_error', google: 'INTERNAL', message: 'internal error' },
}

/** Starts the server; `close` ends it and every connection. */
export async function startModelServer(script: Script, skill: string): Promise<ModelServer> {
	const model: ModelServer = { url: '', requests: [], close: async () => {} }
	const server = createServer((request, response) => {
		void readBody(request).then((text) => answer(request.url ?? '/', text, response, script, skill, model))
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
	model.close = async () => {
		server.closeAllConnections()
		await new Promise((resolve) => server.close(resolve))
	}
	return model
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = []
	for await (const chunk of request) chunks.push(chunk as Buffer)
	return Buffer.concat(chunks).toString('utf8')
}

function answer(path: string, text: string, response: ServerResponse, script: Script, skill: string, model: ModelServer): void {
	const body = parse(text)
	const tools = toolNames(body)
	model.requests.push({ path, text, tools })
	model.onRequest?.()
	const send = /\/messages(\?|$)/.test(path)
		? sendMessages
		: /\/responses(\?|$)/.test(path)
			? sendResponses
			: /:streamGenerateContent/.test(path)
				? sendContent
				: undefined
	if (script === 'hang' && send) return
	if (!send) {
		sendJson(response, 404, { error: { message: `not scripted: ${path}` } })
		return
	}
	if (typeof script === 'number' && model.refusals !== 0) {
		if (model.refusals !== undefined) model.refusals--
		refuse(response, script)
		return
	}
	const isJudge = script === 'judge' || script === 'gullible'
	const working = () => nextTurn(countResults(body), tools, findDirectory(text), skill)
	const judging = () => judgeTurn(text, tools, countResults(body), script === 'gullible')
	const turn = script === 'talk' ? { text: LAST_WORDS } : isJudge ? judging() : working()
	send(response, { turn, tokens: TOKENS, id: String(model.requests.length), model: nameModel(path, body) } satisfies Answer)
}

function refuse(response: ServerResponse, status: number): void {
	const words = STATUS_WORDS[status] ?? { anthropic: 'api_error', google: 'UNKNOWN', message: 'refused' }
	const error = { type: words.anthropic, code: status, status: words.google, message: words.message }
	sendJson(response, status, { type: 'error', error })
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' })
	response.end(JSON.stringify(value))
}

/** One step for each tool result that the agent has sent back: the skill first, where there is a tool for it, then the file, then the words. */
function nextTurn(done: number, tools: string[], directory: string, skill: string): Turn {
	const steps = [...skillSteps(tools, skill), writeStep(tools, directory)].filter((step) => step !== undefined)
	const call = tools.length === 0 ? undefined : steps[done]
	return call ? { call } : { text: LAST_WORDS }
}

/** By the tool for structured answers, where the program has one, or as its last words. */
function judgeTurn(text: string, tools: string[], done: number, passesAll: boolean): Turn {
	const list = text.split('Assertions:\\n')[1]?.split('\\n\\n')[0]?.split('\\n') ?? []
	const results = list.flatMap((line) => {
		const [, n, words = ''] = /^(\d+)\. (.*)$/.exec(line) ?? []
		if (n === undefined) return []
		return [{ n: Number(n), passed: passesAll || words.startsWith('It '), evidence: 'seen', quote: null, file: null }]
	})
	const isAsked = tools.includes('StructuredOutput') && done === 0
	return isAsked ? { call: { name: 'StructuredOutput', input: { results } } } : { text: JSON.stringify({ results }) }
}

type Call = { name: string; input: Record<string, unknown> }

function skillSteps(tools: string[], skill: string): Call[] {
	if (tools.includes('Skill')) return [{ name: 'Skill', input: { skill } }]
	if (tools.includes('activate_skill')) return [{ name: 'activate_skill', input: { name: skill } }]
	return tools.includes('skill') ? [{ name: 'skill', input: { name: skill, skill } }] : []
}

function writeStep(tools: string[], directory: string): Call | undefined {
	const path = `${directory}/outputs/report.md`
	const shell = `printf '%s' '${REPORT}' > outputs/report.md`
	const calls: Call[] = [
		{ name: 'Write', input: { file_path: path, content: REPORT } },
		{ name: 'write_file', input: { file_path: path, content: REPORT } },
		{ name: 'write', input: { path, filePath: path, content: REPORT } },
		{ name: 'create', input: { path, file_text: REPORT } },
		{ name: 'exec_command', input: { cmd: shell } },
		{ name: 'shell', input: { command: ['sh', '-c', shell] } },
	]
	return calls.find(({ name }) => tools.includes(name))
}

/** The run's directory, as every agent tells it to its model; not what it keeps at home under a like name. */
function findDirectory(text: string): string {
	const found = text.match(/\/[^\s"'\\<>]*\/skill-eval-[A-Za-z0-9]{6}(?![\w-])/g) ?? []
	return found.find((path) => !path.includes('skill-eval-home-')) ?? '.'
}

function toolNames({ tools }: Body): string[] {
	const list = Array.isArray(tools) ? tools : []
	return list
		.flatMap((tool) => [...(tool.functionDeclarations ?? []), ...(tool.tools ?? []), tool])
		.flatMap(({ name }) => name ?? [])
}

function countResults({ messages, input, contents }: Body): number {
	const entries = [messages, input, contents].flatMap((list) => (Array.isArray(list) ? list : []))
	const parts = entries.flatMap((entry) => [
		entry,
		...(Array.isArray(entry.content) ? entry.content : []),
		...(entry.parts ?? []),
	])
	return parts.filter(
		({ type, functionResponse }) => functionResponse || type === 'tool_result' || /_call_output$/.test(type ?? ''),
	).length
}

function nameModel(path: string, { model }: Body): string {
	return typeof model === 'string' ? model : (/models\/([^:]+):/.exec(path)?.[1] ?? 'scripted')
}

function parse(text: string): Body {
	try {
		return JSON.parse(text) as Body
	} catch {
		return {}
	}
}
