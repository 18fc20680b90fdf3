import { describe, expect, it } from 'vitest'
import { refuseExecution } from './trust.ts'

const target = (head: unknown) => ({ pull_request: { head: { repo: head }, base: { repo: { full_name: 'o/r' } } } })

describe('refuseExecution', () => {
	it.each([
		['pull_request from a fork, which has no secrets', 'pull_request', target({ full_name: 'x/r' })],
		['push', 'push', {}],
		['no event at all', undefined, undefined],
		['pull_request_target of the same repository', 'pull_request_target', target({ full_name: 'o/r' })],
		[
			'workflow_run of the same repository',
			'workflow_run',
			{ workflow_run: { head_repository: { full_name: 'o/r' } }, repository: { full_name: 'o/r' } },
		],
	])('allows %s', (_name, event, payload) => {
		expect(refuseExecution(event, payload)).toBeUndefined()
	})

	it.each([
		['a fork in pull_request_target', 'pull_request_target', target({ full_name: 'x/r' }), 'a fork'],
		['a deleted fork', 'pull_request_target', target(null), 'not known'],
		['pull_request_target without a payload', 'pull_request_target', undefined, 'not known'],
		['a payload of another shape', 'pull_request_target', [1], 'not known'],
		[
			'names that are no texts',
			'pull_request_target',
			{ pull_request: { head: { repo: { full_name: 1 } }, base: { repo: { full_name: 1 } } } },
			'not known',
		],
		[
			'a fork in workflow_run',
			'workflow_run',
			{ workflow_run: { head_repository: { full_name: 'x/r' } }, repository: { full_name: 'o/r' } },
			'a fork',
		],
		[
			'a comment, which does not say whose code is checked out',
			'issue_comment',
			{ repository: { full_name: 'o/r' } },
			'not known',
		],
	])('refuses %s', (_name, event, payload, why) => {
		expect(refuseExecution(event, payload)).toContain(why)
	})
})
