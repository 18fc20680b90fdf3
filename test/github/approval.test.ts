/** Whose approval counts, asked of the loopback GitHub. Who wrote the pull request is octocat. */
import { expect, it } from 'vitest'
import { findApproval } from '../../src/io/github/approval.ts'
import { createClient } from '../../src/io/github/client.ts'
import { type GitHub, type ReviewSeed, startGitHub } from './server.ts'

const approve = (author: string, more: Partial<ReviewSeed> = {}): ReviewSeed => ({ author, event: 'APPROVE', ...more })

async function ask(reviews: ReviewSeed[], change: (github: GitHub) => void = () => {}) {
	await using github = await startGitHub()
	for (const login of ['maintainer', 'octocat', 'github-actions[bot]']) github.permissions.set(login, 'write')
	const headSha = github.pull.head.sha
	for (const review of reviews) await github.addReview(review)
	change(github)
	const octokit = await createClient(github.token, { GITHUB_API_URL: github.url }, '0')
	const [owner = '', repo = ''] = github.repository.full_name.split('/')
	const approval = await findApproval(octokit, { owner, repo, number: github.pull.number, headSha })
	expect(github.violations).toEqual([])
	return approval
}

it.each([
	['of somebody who may write', [approve('maintainer')]],
	['after a no of the same person', [approve('maintainer', { event: 'REQUEST_CHANGES' }), approve('maintainer')]],
	['before a comment of the same person', [approve('maintainer'), approve('maintainer', { event: 'COMMENT' })]],
	['beside others that do not count', [approve('octocat'), approve('reader'), approve('maintainer')]],
	[
		'behind a hundred others',
		[...Array.from({ length: 101 }, () => approve('reader', { event: 'COMMENT' })), approve('maintainer')],
	],
])('counts: %s', async (_name, reviews) => {
	expect(await ask(reviews)).toEqual({ by: 'maintainer' })
})

const useless: [string, Parameters<typeof ask>, RegExp][] = [
	['none at all', [[]], /nobody has approved it/],
	['of the author', [[approve('octocat')]], /octocat wrote the pull request/],
	['of a member who may only read', [[approve('reader', { association: 'MEMBER' })]], /reader has no write access/],
	['of an app', [[approve('github-actions[bot]')]], /is no person/],
	['of an older commit', [[approve('maintainer', { sha: '0'.repeat(40) })]], /maintainer approved an older commit/],
	[
		'that was taken back',
		[[approve('maintainer'), approve('maintainer', { event: 'REQUEST_CHANGES' })]],
		/nobody has approved it/,
	],
	['that is only a comment', [[approve('maintainer', { event: 'COMMENT' })]], /nobody has approved it/],
	[
		'where the author is not known',
		[[approve('maintainer')], ({ pull }) => void Object.assign(pull, { user: null })],
		/wrote the pull request/,
	],
	['where the head has moved on', [[approve('maintainer')], (github) => github.setHeadSha('f'.repeat(40))], /has moved on/],
	[
		'where the permission cannot be read',
		[[approve('maintainer')], (github) => github.fail({ path: /permission$/, status: 403 })],
		/the reviews could not be read \(HTTP 403/,
	],
	[
		'where the permission is an HTML page',
		[[approve('maintainer')], (github) => github.fail({ path: /permission$/, status: 200, body: '<html>' })],
		/has no write access|could not be read/,
	],
	[
		'where reviews cannot be listed',
		[[approve('maintainer')], (github) => github.fail({ path: /reviews$/, status: 404 })],
		/HTTP 404/,
	],
]
it.each(useless)('does not count: %s', async (_name, parameters, why) => {
	const approval = await ask(...parameters)
	expect('missing' in approval && approval.missing).toMatch(why)
})
