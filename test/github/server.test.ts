import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Comment } from './objects.ts'
import { type GitHub, startGitHub } from './server.ts'

const COMMENTS = '/repos/octo-org/skills/issues/7/comments'
const COMMENT = '/repos/octo-org/skills/issues/comments'

let github: GitHub
beforeEach(async () => {
	github = await startGitHub({ tokens: { reader: { readOnly: true }, person: { login: 'hubot' } } })
})
afterEach(async () => {
	await github.close()
})

type Asked = { body?: unknown; rawBody?: string; token?: string | null; headers?: Record<string, string> }

async function ask(method: string, path: string, { body, rawBody, token = github.token, headers = {} }: Asked = {}) {
	const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
	const sent = rawBody ?? (body === undefined ? null : JSON.stringify(body))
	const url = path.startsWith('http') ? path : `${github.url}${path}`
	const response = await fetch(url, { method, body: sent, headers: { ...authorization, ...headers } })
	const text = await response.text()
	const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
	return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined, link: response.headers.get('link') ?? '' }
}

function findLink(link: string, relation: string): string | undefined {
	return new RegExp(`<([^>]+)>; rel="${relation}"`).exec(link)?.[1]
}

describe('comments', () => {
	test('250 comments come in pages of at most 100, in order, by links that lead back here', async () => {
		for (let index = 1; index <= 250; index += 1)
			await github.addComment({ author: `user-${index % 3}`, body: `comment ${index}` })
		const bodies: string[] = []
		const sizes: number[] = []
		for (let next: string | undefined = `${COMMENTS}?per_page=1000`; next; ) {
			const page = await ask('GET', next)
			sizes.push(page.json.length)
			bodies.push(...page.json.map(({ body }: Comment) => body))
			next = findLink(page.link, 'next')
			if (next) expect(next.startsWith(`${github.url}${COMMENTS}?`)).toBe(true)
		}
		expect(sizes).toEqual([100, 100, 50])
		expect(bodies).toEqual(Array.from({ length: 250 }, (_, index) => `comment ${index + 1}`))
		expect((await ask('GET', COMMENTS)).json).toHaveLength(30)
		expect((await github.comments()).map(({ body }) => body)).toEqual(bodies)
		expect(github.violations).toEqual([])
	})

	test('a comment has the author of its token, keeps its identity when it is changed and is gone when it is deleted', async () => {
		const seeded = await github.addComment({ author: 'monalisa', body: 'mine' })
		const created = await ask('POST', COMMENTS, { body: { body: 'ours' } })
		expect(created.status).toBe(201)
		expect(created.json).toMatchObject({
			body: 'ours',
			user: { login: 'github-actions[bot]', type: 'Bot' },
			html_url: `https://github.com/octo-org/skills/pull/7#issuecomment-${created.json.id}`,
			url: `${github.url}${COMMENT}/${created.json.id}`,
			created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
		})
		const changed = await ask('PATCH', `${COMMENT}/${created.json.id}`, { body: { body: 'ours, newer' } })
		expect(changed.json).toMatchObject({ id: created.json.id, body: 'ours, newer', user: { login: 'github-actions[bot]' } })
		expect((await ask('GET', `${COMMENT}/${seeded.id}`)).json).toMatchObject({
			body: 'mine',
			user: { login: 'monalisa', type: 'User' },
		})
		expect((await ask('DELETE', `${COMMENT}/${created.json.id}`)).status).toBe(204)
		expect((await ask('PATCH', `${COMMENT}/${created.json.id}`, { body: { body: 'late' } })).status).toBe(404)
		expect(await github.comments()).toEqual([seeded])
	})

	test('what does not exist is not found', async () => {
		expect((await ask('GET', '/repos/octo-org/skills/issues/8/comments')).json).toMatchObject({ message: 'Not Found' })
		expect((await ask('GET', '/repos/octo-org/other/pulls/7')).status).toBe(404)
		expect((await ask('GET', '/repos/octo-org/skills/pulls/8')).status).toBe(404)
	})
})

describe('refusals', () => {
	test.each([
		['a missing body field', { body: {} }, '"body" wasn\'t supplied.'],
		['no body at all', {}, '"body" wasn\'t supplied.'],
		['a wrong type', { body: { body: 1 } }, "For 'body': must be string."],
	])('%s is refused with 422 and recorded', async (_name, asked, problem) => {
		const { status, json } = await ask('POST', COMMENTS, asked)
		expect({ status, message: json.message }).toEqual({ status: 422, message: `Invalid request.\n\n${problem}` })
		expect(github.violations).toEqual([{ method: 'POST', path: COMMENTS, problem }])
		expect(await github.comments()).toEqual([])
	})

	test('what GitHub would ignore in silence is answered and recorded', async () => {
		expect((await ask('GET', `${COMMENTS}?perPage=100`)).status).toBe(200)
		expect((await ask('POST', COMMENTS, { body: { body: 'text', boddy: 'typo' } })).status).toBe(201)
		expect(github.violations.map(({ problem }) => problem)).toEqual([
			'GitHub knows no "perPage" here.',
			'GitHub knows no "boddy" here.',
		])
	})

	test('a wrong parameter is refused with 422, an unknown operation with 501, damaged JSON with 400', async () => {
		expect((await ask('GET', '/repos/octo-org/skills/pulls?state=merged')).status).toBe(422)
		expect((await ask('GET', '/repos/octo-org/skills/issues/seven/comments')).status).toBe(422)
		expect((await ask('PUT', '/repos/octo-org/skills/pulls/7/merge', { body: {} })).status).toBe(501)
		expect((await ask('POST', COMMENTS, { rawBody: '{"body": ' })).json).toMatchObject({ message: 'Problems parsing JSON' })
		expect(github.violations.map(({ path }) => path)).toEqual([
			'/repos/octo-org/skills/pulls',
			'/repos/octo-org/skills/issues/seven/comments',
			'/repos/octo-org/skills/pulls/7/merge',
			COMMENTS,
			COMMENTS,
		])
	})

	test('a request without a User-Agent is 403, on every operation', async () => {
		const { status } = await ask('GET', '/rate_limit', { headers: { 'user-agent': '' } })
		expect(status).toBe(403)
		expect(github.violations.map(({ problem }) => problem)).toEqual(['GitHub refuses requests without a User-Agent.'])
		expect((await ask('GET', '/rate_limit')).json.resources.core).toHaveProperty('remaining')
	})

	test.each([
		['no token', null],
		['a wrong token', 'stolen'],
	])('%s is 401', async (_name, token) => {
		const { status, json } = await ask('GET', COMMENTS, { token })
		expect({ status, message: json.message }).toEqual({ status: 401, message: 'Bad credentials' })
		expect((await ask('POST', '/graphql', { token, body: { query: '{ viewer { login } }' } })).status).toBe(401)
	})

	test('a read-only token reads and does not write', async () => {
		expect((await ask('GET', COMMENTS, { token: 'reader' })).status).toBe(200)
		const { status, json } = await ask('POST', COMMENTS, { token: 'reader', body: { body: 'text' } })
		expect({ status, message: json.message }).toEqual({ status: 403, message: 'Resource not accessible by integration' })
		expect(await github.comments()).toEqual([])
		expect(github.violations).toEqual([])
	})

	test('an installation token has no user and a person has no check runs', async () => {
		const check = { name: 'evals', head_sha: github.pull.head.sha }
		expect((await ask('GET', '/user')).json).toMatchObject({ status: '403', message: 'Resource not accessible by integration' })
		expect((await ask('GET', '/user', { token: 'person' })).json).toMatchObject({ login: 'hubot', type: 'User' })
		expect((await ask('POST', '/repos/octo-org/skills/check-runs', { body: check })).status).toBe(201)
		expect((await ask('POST', '/repos/octo-org/skills/check-runs', { body: check, token: 'person' })).status).toBe(403)
		expect([...github.checkRuns.values()]).toMatchObject([{ name: 'evals', head_sha: github.pull.head.sha }])
	})

	test('a body of 65,536 characters fits and one more does not, on creating and on changing', async () => {
		const longest = '🙂'.repeat(65_536)
		const created = await ask('POST', COMMENTS, { body: { body: longest } })
		expect(created.status).toBe(201)
		for (const [method, path] of [['POST', COMMENTS] as const, ['PATCH', `${COMMENT}/${created.json.id}`] as const]) {
			const { status, json } = await ask(method, path, { body: { body: `${longest}x` } })
			expect({ status, message: json.errors[0].message }).toEqual({
				status: 422,
				message: 'Body is too long (maximum is 65536 characters)',
			})
		}
		expect((await github.comments()).map(({ body }) => body === longest)).toEqual([true])
		expect(github.violations).toEqual([])
	})

	test('51 annotations and a summary of 65,536 characters are too much for a check run', async () => {
		const annotation = { path: 'a', start_line: 1, end_line: 1, annotation_level: 'failure', message: 'no' }
		const post = (output: object) =>
			ask('POST', '/repos/octo-org/skills/check-runs', { body: { name: 'evals', head_sha: github.pull.head.sha, output } })
		expect((await post({ title: 't', summary: 's', annotations: Array(50).fill(annotation) })).status).toBe(201)
		expect((await post({ title: 't', summary: 's', annotations: Array(51).fill(annotation) })).status).toBe(422)
		expect((await post({ title: 't', summary: 's'.repeat(65_536) })).status).toBe(422)
	})
})

describe('faults', () => {
	test('a write that is stored and then answered with 502 exists once; the next one is answered', async () => {
		github.fail({ method: 'POST', path: /\/comments$/, status: 502, storedFirst: true, body: '<html>Bad gateway</html>' })
		const first = await ask('POST', COMMENTS, { body: { body: 'stored' } })
		expect(first).toMatchObject({ status: 502, text: '<html>Bad gateway</html>' })
		expect((await github.comments()).map(({ body }) => body)).toEqual(['stored'])
		expect((await ask('POST', COMMENTS, { body: { body: 'next' } })).status).toBe(201)
	})

	test('a write that fails is not stored, as often as the script says', async () => {
		github.fail({ path: /\/comments$/, times: 2, skip: 1, status: 429, headers: { 'retry-after': '1' } })
		expect(github.pendingFaults()).toHaveLength(1)
		github.fail({ method: 'DELETE', path: /\/comments$/ })
		const statuses: number[] = []
		for (const body of ['a', 'b', 'c', 'd']) statuses.push((await ask('POST', COMMENTS, { body: { body } })).status)
		expect(statuses).toEqual([201, 429, 429, 201])
		expect((await github.comments()).map(({ body }) => body)).toEqual(['a', 'd'])
		expect(github.pendingFaults()).toMatchObject([{ method: 'DELETE' }])
	})

	test('a reset cuts the connection, before or after storing', async () => {
		github.fail({ method: 'POST', path: /comments/, reset: true })
		await expect(ask('POST', COMMENTS, { body: { body: 'lost' } })).rejects.toThrow('fetch failed')
		github.fail({ method: 'POST', path: /comments/, reset: true, storedFirst: true })
		await expect(ask('POST', COMMENTS, { body: { body: 'kept' } })).rejects.toThrow('fetch failed')
		expect((await github.comments()).map(({ body }) => body)).toEqual(['kept'])
	})

	test('a hanging request ends when the caller gives up, and does not keep the server from closing', async () => {
		github.fail({ path: /comments/, hang: true })
		const aborter = new AbortController()
		const hanging = fetch(`${github.url}${COMMENTS}`, { signal: aborter.signal }).catch((error: Error) => error.name)
		expect((await ask('GET', '/repos/octo-org/skills/pulls/7')).status).toBe(200)
		aborter.abort()
		expect(await hanging).toBe('AbortError')
		github.fail({ path: /comments/, hang: true })
		const left = fetch(`${github.url}${COMMENTS}`).catch((error: Error) => error.message)
		expect((await ask('GET', '/repos/octo-org/skills/pulls/7')).status).toBe(200)
		await github.close()
		expect(await left).toBe('fetch failed')
	})

	test('a request that meets a fault is recorded and inspected all the same', async () => {
		github.fail({ path: /comments/, status: 500 })
		await ask('POST', COMMENTS, { body: { text: 'wrong' } })
		expect(github.violations.map(({ problem }) => problem)).toContain('"body" wasn\'t supplied.')
		expect(github.requests).toMatchObject([{ method: 'POST', path: COMMENTS, body: { text: 'wrong' } }])
	})
})

describe('pull requests', () => {
	const PULLS = '/repos/octo-org/skills/pulls'

	test('the pull request says what a reporter needs, and its head can move', async () => {
		expect((await ask('GET', `${PULLS}/7`)).json).toMatchObject({
			number: 7,
			state: 'open',
			html_url: 'https://github.com/octo-org/skills/pull/7',
			head: { sha: expect.stringMatching(/^[0-9a-f]{40}$/), repo: { full_name: 'octo-org/skills' } },
			base: { sha: expect.stringMatching(/^[0-9a-f]{40}$/), repo: { full_name: 'octo-org/skills' } },
		})
		const moved = 'd'.repeat(40)
		github.setHeadSha(moved)
		expect((await ask('GET', `${PULLS}/7`)).json.head.sha).toBe(moved)
		expect(() => github.setHeadSha('main')).toThrow('40 hex digits')
	})

	test('pull requests are found by state, head and commit', async () => {
		const { head } = github.pull
		const numbers = async (path: string) => (await ask('GET', path)).json.map(({ number }: { number: number }) => number)
		expect(await numbers(PULLS)).toEqual([7])
		expect(await numbers(`${PULLS}?head=${head.label}&state=open`)).toEqual([7])
		expect(await numbers(`${PULLS}?head=someone:${head.ref}`)).toEqual([])
		expect(await numbers(`${PULLS}?state=closed`)).toEqual([])
		expect(await numbers(`/repos/octo-org/skills/commits/${head.sha}/pulls`)).toEqual([7])
		expect(await numbers(`/repos/octo-org/skills/commits/${'e'.repeat(40)}/pulls`)).toEqual([])
		github.pull.state = 'closed'
		expect(await numbers(PULLS)).toEqual([])
	})

	test('its files are paged', async () => {
		github.files.push(...Array.from({ length: 130 }, (_, index) => ({ filename: `skills/s${index}/SKILL.md` })))
		const first = await ask('GET', `${PULLS}/7/files?per_page=1000`)
		const second = await ask('GET', findLink(first.link, 'next') ?? '')
		expect([first.json.length, second.json.length]).toEqual([100, 30])
		expect(second.json.at(-1)).toMatchObject({ filename: 'skills/s129/SKILL.md', status: 'modified' })
		expect(findLink(second.link, 'next')).toBeUndefined()
		expect(github.violations).toEqual([])
	})

	test('reviews name who approved which commit', async () => {
		await github.addReview({ author: 'maintainer', event: 'APPROVE' })
		await ask('POST', `${PULLS}/7/reviews`, { body: { event: 'COMMENT', body: 'hm' } })
		expect((await ask('GET', `${PULLS}/7/reviews`)).json).toMatchObject([
			{ state: 'APPROVED', commit_id: github.pull.head.sha, user: { login: 'maintainer' }, author_association: 'MEMBER' },
			{ state: 'COMMENTED', user: { login: 'github-actions[bot]' } },
		])
	})

	test('a commit status is kept, one with a long description is not', async () => {
		const path = `/repos/octo-org/skills/statuses/${github.pull.head.sha}`
		expect((await ask('POST', path, { body: { state: 'failed' } })).status).toBe(422)
		expect((await ask('POST', path, { body: { state: 'failure', description: 'x'.repeat(141) } })).status).toBe(422)
		expect((await ask('POST', path, { body: { state: 'failure', description: 'x'.repeat(140) } })).status).toBe(201)
		expect(github.statuses).toMatchObject([{ state: 'failure', sha: github.pull.head.sha }])
	})
})

test('GraphQL says who is asking and nothing else', async () => {
	const query = 'query {\n  viewer {\n    login\n  }\n}'
	expect((await ask('POST', '/graphql', { body: { query } })).json).toEqual({
		data: { viewer: { login: 'github-actions[bot]' } },
	})
	expect((await ask('POST', '/graphql', { body: { query }, token: 'person' })).json.data.viewer.login).toBe('hubot')
	expect(github.violations).toEqual([])
	const unknown = await ask('POST', '/graphql', { body: { query: '{ viewer { login email } }' } })
	expect(unknown).toMatchObject({ status: 200, json: { data: null, errors: [{ type: 'NOT_IMPLEMENTED' }] } })
	expect(github.violations).toHaveLength(1)
})

test('the login GraphQL answers can be set apart from the author of comments', async () => {
	await using other = await startGitHub({ grant: { viewerLogin: 'github-actions' } })
	const headers = { authorization: `token ${other.token}` }
	const viewer = await fetch(other.graphqlUrl, { method: 'POST', headers, body: '{"query":"{viewer{login}}"}' })
	expect(await viewer.json()).toEqual({ data: { viewer: { login: 'github-actions' } } })
	const comment = await fetch(`${other.url}${COMMENTS}`, { method: 'POST', headers, body: '{"body":"text"}' })
	expect(await comment.json()).toMatchObject({ user: { login: 'github-actions[bot]' } })
})

test('requests are recorded without their token', async () => {
	await ask('POST', `${COMMENTS}?page=2`, { body: { body: 'text' }, headers: { 'x-sent': 'yes' } })
	expect(github.requests).toMatchObject([
		{
			method: 'POST',
			path: COMMENTS,
			query: { page: '2' },
			body: { body: 'text' },
			headers: { 'x-sent': 'yes', authorization: '[redacted]' },
		},
	])
	expect(JSON.stringify(github.requests)).not.toContain(github.token)
})
