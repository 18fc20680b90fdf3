import { createEmulator } from 'emulate'
import type { PullRequest } from './pull.ts'

export type Reply = { status: number; body: unknown; link: string | null }

/** The in-process emulate instance, spoken to over loopback. */
export type Backend = {
	origin: string
	send: (method: string, path: string, body?: unknown) => Promise<Reply>
	close: () => Promise<void>
}

const TOKEN = 'emulate'

export async function startBackend(pull: PullRequest): Promise<Backend> {
	const { owner, name } = pull.base.repo
	const emulator = await createEmulator({
		service: 'github',
		port: 0,
		seed: {
			tokens: { [TOKEN]: { login: 'admin', scopes: ['repo'] } },
			github: { orgs: [{ login: owner.login }], repos: [{ owner: owner.login, name }] },
		},
	})
	// Its own address says localhost, which may mean ::1 where it does not listen.
	const origin = `http://127.0.0.1:${new URL(emulator.url).port}`
	const backend = { origin, send: sendTo.bind(undefined, origin), close: () => emulator.close() }
	await seedPull(backend, pull)
	return backend
}

async function sendTo(origin: string, method: string, path: string, body?: unknown): Promise<Reply> {
	const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
	const response = await fetch(`${origin}${path}`, {
		method,
		headers,
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	})
	const text = await response.text()
	return { status: response.status, body: text === '' ? undefined : JSON.parse(text), link: response.headers.get('link') }
}

/** emulate counts issues and pull requests together from 1; the ones before ours are there to be counted. */
async function seedPull({ send }: Backend, { number, title, head, base }: PullRequest): Promise<void> {
	const path = `/repos/${base.repo.full_name}`
	for (let older = 1; older < number; older += 1) await send('POST', `${path}/issues`, { title: `Issue ${older}` })
	const { status } = await send('POST', `${path}/pulls`, { title, head: head.ref, base: base.ref })
	if (status !== 201) throw new Error(`emulate refused pull request #${number} with status ${status}.`)
}
