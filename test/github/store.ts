import { type Answer, answerPage, type Call, refuse } from './answer.ts'
import { type Backend, type Reply, startBackend } from './backend.ts'
import type { Grant } from './grants.ts'
import { type Author, type Comment, makeAccount, makeComment, makeReview, type Review, type Stored } from './objects.ts'
import type { PullRequest } from './pull.ts'

export type ChangedFile = { filename: string; status?: string; previous_filename?: string }
type Item = Record<string, unknown>
type Handler = (call: Call, params: Record<string, string>, grant: Grant) => Answer | Promise<Answer>

/**
 * What GitHub remembers. emulate keeps comments, reviews and check runs, pages them and knows what does not exist. Kept here, because
 * emulate cannot: pull requests (it makes up head SHAs, never changes them and knows no forks), their files (always none), commit
 * statuses and the pulls of a commit (404), authors (only seeded ones, never of type Bot) and addresses on github.com.
 */
export type Store = {
	pulls: PullRequest[]
	files: ChangedFile[]
	statuses: Item[]
	checkRuns: Map<number, Item>
	/** By login; who is not here may read, as anybody may in a public repository. */
	permissions: Map<string, 'admin' | 'write' | 'read' | 'none'>
	answer: (operationId: string, ...call: Parameters<Handler>) => Promise<Answer>
	addComment: (author: Author, body: string) => Promise<Comment>
	addReview: (author: Author, review: Item) => Promise<Review>
	listComments: () => Promise<Comment[]>
	close: () => Promise<void>
}

export async function startStore(origin: string, pull: PullRequest): Promise<Store> {
	const backend = await startBackend(pull)
	const repository = pull.base.repo
	const issuePath = `/repos/${repository.full_name}/issues/${pull.number}/comments`
	const reviewPath = `/repos/${repository.full_name}/pulls/${pull.number}/reviews`
	const comments = shareAuthors((stored, author) => makeComment(stored, author, origin, repository))
	const reviews = shareAuthors((stored, author) => makeReview(stored, author, pull.html_url))
	const state: State = { pulls: [pull], files: [], statuses: [], checkRuns: new Map(), permissions: new Map() }
	const handlers: Record<string, Handler> = {
		...pullHandlers(state, origin),
		...statusHandlers(state),
		...permissionHandlers(state),
		...forwardHandlers(backend, origin, comments, reviews, state),
	}
	return {
		...state,
		async answer(operationId, call, params, grant) {
			const isOurs =
				params.repo === undefined || `${params.owner}/${params.repo}`.toLowerCase() === repository.full_name.toLowerCase()
			const handler = handlers[operationId]
			if (!isOurs || !handler) return refuse(404, 'Not Found')
			return handler(call, params, grant)
		},
		addComment: async (author, body) => comments.add((await backend.send('POST', issuePath, { body })).body, author),
		addReview: async (author, review) => reviews.add((await backend.send('POST', reviewPath, review)).body, author),
		async listComments() {
			const all: Comment[] = []
			for (let page = 1, length = 100; length === 100; page += 1) {
				const { body } = await backend.send('GET', `${issuePath}?per_page=100&page=${page}`)
				const found = (body as Stored[]).map(comments.present)
				all.push(...found)
				length = found.length
			}
			return all
		},
		close: backend.close,
	}
}

type State = Pick<Store, 'pulls' | 'files' | 'statuses' | 'checkRuns' | 'permissions'>

/** emulate knows one author; this remembers the real one of each object. */
type Authored<T> = { add: (stored: unknown, author: Author) => T; present: (stored: Stored) => T }

function shareAuthors<T>(make: (stored: Stored, author: Author) => T): Authored<T> {
	const authors = new Map<number, Author>()
	const present = (stored: Stored) => make(stored, authors.get(stored.id) ?? { login: 'ghost', association: 'NONE' })
	return {
		add(stored, author) {
			authors.set((stored as Stored).id, author)
			return present(stored as Stored)
		},
		present,
	}
}

function pullHandlers({ pulls, files }: State, origin: string): Record<string, Handler> {
	const matchesQuery = ({ state, head, base }: PullRequest, query: URLSearchParams) => {
		const wanted = query.get('state') ?? 'open'
		if (wanted !== 'all' && wanted !== state) return false
		if (query.has('base') && query.get('base') !== base.ref) return false
		// GitHub ignores a head without its owner and then lists everything: a caller's mistake must show here too.
		return !query.get('head')?.includes(':') || query.get('head') === head.label
	}
	const find = (number = '') => pulls.find((pull) => pull.number === Number(number))
	return {
		'pulls/get': (_call, { pull_number }) => {
			const pull = find(pull_number)
			return pull ? { status: 200, body: pull } : refuse(404, 'Not Found')
		},
		'pulls/list': (call) => {
			const found = pulls.filter((pull) => matchesQuery(pull, call.query))
			return answerPage(found, call, origin)
		},
		'pulls/list-files': (call, { pull_number }) => {
			if (!find(pull_number)) return refuse(404, 'Not Found')
			const listed = files.map((file) => ({ status: 'modified', additions: 1, deletions: 0, changes: 1, ...file }))
			return answerPage(listed, call, origin)
		},
		'repos/list-pull-requests-associated-with-commit': (call, { commit_sha }) => {
			const found = pulls.filter(({ head }) => head.sha === commit_sha)
			return answerPage(found, call, origin)
		},
	}
}

function statusHandlers({ statuses }: State): Record<string, Handler> {
	return {
		'repos/create-commit-status': (call, { sha }, { login }) => {
			const status = { id: statuses.length + 1, context: 'default', ...(call.body as Item), sha, creator: makeAccount(login) }
			statuses.push(status)
			return { status: 201, body: status }
		},
		'users/get-authenticated': (_call, _params, { login }) => ({ status: 200, body: makeAccount(login) }),
	}
}

/** emulate answers the same for everybody. */
function permissionHandlers({ permissions }: State): Record<string, Handler> {
	return {
		'repos/get-collaborator-permission-level': (_call, { username = '' }) => {
			const permission = permissions.get(username) ?? 'read'
			return { status: 200, body: { permission, role_name: permission, user: makeAccount(username) } }
		},
	}
}

function forwardHandlers(
	backend: Backend,
	origin: string,
	comments: Authored<Comment>,
	reviews: Authored<Review>,
	{ checkRuns }: State,
): Record<string, Handler> {
	const forward = async ({ method, path, query, body }: Call, finish: (body: unknown) => unknown): Promise<Answer> => {
		const reply = await backend.send(method, query.size > 0 ? `${path}?${query}` : path, body)
		if (reply.status >= 400) return refuse(reply.status, (reply.body as { message: string }).message)
		return { status: reply.status, body: finish(reply.body), headers: copyLink(reply, backend.origin, origin) }
	}
	const list: (shown: Authored<unknown>) => Handler = (shown) => (call) =>
		forward(call, (body) => (body as Stored[]).map(shown.present))
	const show: Handler = (call) => forward(call, (body) => comments.present(body as Stored))
	const create: (shown: Authored<unknown>) => Handler = (shown) => (call, _params, grant) =>
		forward(call, (body) => shown.add(body, { login: grant.login, association: 'CONTRIBUTOR' }))
	const keepCheckRun: Handler = (call) =>
		forward(call, (body) => {
			const run = JSON.parse(JSON.stringify(body).replaceAll(backend.origin, origin)) as Item
			checkRuns.set(Number(run.id), run)
			return run
		})
	return {
		'issues/list-comments': list(comments),
		'issues/get-comment': show,
		'issues/create-comment': create(comments),
		'issues/update-comment': show,
		'issues/delete-comment': (call) => forward(call, () => undefined),
		'pulls/list-reviews': list(reviews),
		'pulls/create-review': create(reviews),
		'checks/create': keepCheckRun,
		'checks/update': keepCheckRun,
		'rate-limit/get': (call) => forward(call, (body) => body),
	}
}

function copyLink({ link }: Reply, from: string, to: string): Record<string, string> {
	return link === null ? {} : { link: link.replaceAll(from, to) }
}
