import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer, Call } from './answer.ts'
import { answerFault, createFaults, type Fault } from './faults.ts'
import { type Grant, makeGrant } from './grants.ts'
import type { Comment, Review } from './objects.ts'
import { makePull, makeRepository, type PullRequest, type Repository } from './pull.ts'
import { type RecordedRequest, receiveCall, type Site, type Violation } from './site.ts'
import { type ChangedFile, startStore } from './store.ts'

export type GitHubOptions = {
	/** What `github.token` may do: by default what the job's own token may, as `github-actions[bot]`. */
	grant?: Partial<Grant>
	/** Further tokens. */
	tokens?: Record<string, Partial<Grant>>
	/** Default `octo-org/skills` and 7. */
	repository?: string
	number?: number
	files?: ChangedFile[]
}

export type GitHub = AsyncDisposable & {
	url: string
	graphqlUrl: string
	token: string
	repository: Repository
	/** What GET pulls/{n} answers and an event payload carries; change it freely. */
	pull: PullRequest
	/** All pull requests of the repository, `pull` first. */
	pulls: PullRequest[]
	files: ChangedFile[]
	statuses: Record<string, unknown>[]
	checkRuns: Map<number, Record<string, unknown>>
	/** What somebody may do in the repository; by default read. */
	permissions: Map<string, 'admin' | 'write' | 'read' | 'none'>
	requests: RecordedRequest[]
	/** Requests that GitHub's description does not allow. A test that expects none says so at its end. */
	violations: Violation[]
	fail: (fault: Fault) => void
	/** Faults that no request met. */
	pendingFaults: () => Fault[]
	addComment: (comment: { author: string; body: string; association?: string }) => Promise<Comment>
	addReview: (review: ReviewSeed) => Promise<Review>
	/** All comments of the pull request, the oldest first. */
	comments: () => Promise<Comment[]>
	setHeadSha: (sha: string) => void
	close: () => Promise<void>
}

export type ReviewSeed = {
	author: string
	event: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT'
	/** Default: the head of the pull request. */
	sha?: string
	association?: string
	body?: string
}

const TOKEN = 'token-of-the-job'

/** A GitHub on loopback: what the real one would refuse is refused, what it would store is stored, and faults come when scripted. */
export async function startGitHub(options: GitHubOptions = {}): Promise<GitHub> {
	const repository = makeRepository(options.repository ?? 'octo-org/skills')
	const pull = makePull(repository, options.number ?? 7)
	const tokens = Object.entries(options.tokens ?? {}).map(([token, grant]) => [token, makeGrant(grant)] as const)
	const grants = new Map([[TOKEN, makeGrant(options.grant)], ...tokens])
	const server = createServer()
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
	const store = await startStore(url, pull)
	store.files.push(...(options.files ?? []))
	const site: Site = { store, grants, faults: createFaults(), requests: [], violations: [] }
	server.on('request', (request, response) => {
		serve(site, request, response).catch((error: Error) => {
			site.violations.push({
				method: request.method ?? '',
				path: request.url ?? '',
				problem: `The loopback GitHub broke: ${error.stack}`,
			})
			response.destroy()
		})
	})
	const close = async () => {
		server.closeAllConnections()
		await Promise.all([new Promise((resolve) => server.close(resolve)), store.close()])
	}
	return {
		url,
		graphqlUrl: `${url}/graphql`,
		token: TOKEN,
		repository,
		pull,
		...shareSite(site, pull),
		close,
		[Symbol.asyncDispose]: close,
	}
}

function shareSite({ store, faults, requests, violations }: Site, pull: PullRequest) {
	const { pulls, files, statuses, checkRuns, permissions } = store
	return {
		...{ pulls, files, statuses, checkRuns, permissions, requests, violations },
		fail: faults.add,
		pendingFaults: faults.pending,
		addComment: ({ author, body, association = 'CONTRIBUTOR' }: { author: string; body: string; association?: string }) =>
			store.addComment({ login: author, association }, body),
		addReview: ({ author, event, sha = pull.head.sha, association = 'MEMBER', body = '' }: ReviewSeed) =>
			store.addReview({ login: author, association }, { event, commit_id: sha, body }),
		comments: store.listComments,
		setHeadSha(sha: string) {
			if (!/^[0-9a-f]{40}$/.test(sha)) throw new Error(`A head SHA has 40 hex digits: ${sha}`)
			pull.head.sha = sha
		},
	}
}

async function serve(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
	const call = await readCall(request)
	const perform = receiveCall(site, call)
	const requestNumber = site.requests.length
	const fault = site.faults.take(call.method, call.path)
	if (!fault) {
		sendAnswer(response, await perform(), requestNumber)
		return
	}
	if (fault.storedFirst) await perform()
	if (fault.reset) request.socket.resetAndDestroy()
	else if (!fault.hang) sendAnswer(response, answerFault(fault), requestNumber)
}

async function readCall(request: IncomingMessage): Promise<Call> {
	const chunks: Buffer[] = []
	for await (const chunk of request) chunks.push(chunk)
	const rawBody = Buffer.concat(chunks).toString('utf8')
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
	const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
	return {
		method: request.method ?? 'GET',
		path: pathname,
		query: searchParams,
		headers: Object.fromEntries(headers),
		rawBody,
		body: parseJson(rawBody),
	}
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return undefined
	}
}

function sendAnswer(response: ServerResponse, { status, body, headers }: Answer, requestNumber: number): void {
	const isText = typeof body === 'string'
	response.writeHead(status, {
		'content-type': isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
		'x-github-request-id': `LOOP:${requestNumber}`,
		...headers,
	})
	response.end(isText || body === undefined ? body : JSON.stringify(body))
}
