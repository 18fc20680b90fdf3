/** A baseline in a commit: read by its SHA, from a checkout that has nothing but its own commit, and never taken for "none yet". */
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runCommand } from './support/program.ts'
import { makeTree, type Tree } from './support/tree.ts'

const IDENTITY = [
	'-c',
	'user.name=t',
	'-c',
	'user.email=t@example.com',
	'-c',
	'commit.gpgsign=false',
	'-c',
	'protocol.file.allow=always',
]
const ENV = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
const git = (cwd: string, ...args: string[]) =>
	execFileSync('git', [...IDENTITY, ...args], { cwd, env: ENV, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
const grading = (passed: boolean) => ({ assertion_results: [{ text: 'It works', passed, evidence: 'line 1' }] })
const EVALS = { skill_name: 'x', evals: [{ id: 1, prompt: 'p', assertions: ['It works'] }] }

/** A repository whose branch main holds a baseline that passed, and a shallow, detached checkout of another branch, as a job has it. */
function makeCheckout(change: (origin: Tree) => void = () => {}) {
	const tree = makeTree({
		'origin/evals/x/evals.json': EVALS,
		'origin/evals/x/baselines/4be1c07/eval-1/grading.json': grading(true),
		'origin/evals/x/baselines/4be1c07/eval-1/outputs/notes.md': 'not read',
		'origin/evals/x/baselines/latest': { link: '4be1c07' },
	})
	const origin = { ...tree, dir: tree.path('origin'), path: (...parts: string[]) => tree.path('origin', ...parts) }
	git(origin.dir, 'init', '-q', '-b', 'main')
	change(origin)
	git(origin.dir, 'add', '-A')
	git(origin.dir, 'commit', '-q', '-m', 'base')
	const sha = git(origin.dir, 'rev-parse', 'HEAD')
	git(origin.dir, 'checkout', '-q', '-b', 'topic')
	rmSync(origin.path('evals/x/baselines'), { recursive: true, force: true })
	git(origin.dir, 'add', '-A')
	git(origin.dir, 'commit', '-q', '--allow-empty', '-m', 'topic')
	git(origin.dir, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
	git(tree.dir, 'clone', '-q', '--depth=1', '--branch=topic', `file://${origin.dir}`, 'checkout')
	git(tree.path('checkout'), 'checkout', '-q', '--detach')
	git(tree.path('checkout'), 'branch', '-q', '-D', 'topic')
	tree.write({ 'checkout/results/eval-1/grading.json': grading(false) })
	return { tree, sha, origin, checkout: tree.path('checkout') }
}

const report = (cwd: string, baseline: string, env: Record<string, string> = {}) =>
	runCommand(['report', '--evals', 'evals/x/evals.json', '--workspace', 'results', '--baseline', baseline], {
		cwd,
		env: { ...ENV, ...env },
	})

describe('a baseline in a commit', () => {
	it('is found by branch, tag and SHA in a shallow detached checkout, through the link "latest"', async () => {
		const { tree, sha, origin, checkout } = makeCheckout()
		await using _ = tree
		git(origin.dir, 'tag', '-a', 'v1', '-m', 'v1', sha)
		for (const ref of ['main', 'v1', sha]) {
			const { exitCode, stdout, stderr } = await report(checkout, `ref:${ref}:evals/{skill}/baselines/latest`)
			expect(exitCode, stderr).toBe(1)
			expect(stderr).toContain('passed in the baseline, fails now')
			expect(stdout).toContain('**Baseline** (`4be1c07`): 100%')
		}
		// A branch of that name in the checkout is not the one that is meant.
		git(checkout, 'branch', 'main')
		expect((await report(checkout, 'ref:main:evals/x/baselines/latest')).stderr).toContain('passed in the baseline')
	})

	it('is not there yet only where the commit says so', async () => {
		const { tree, checkout } = makeCheckout((origin) => rmSync(origin.path('evals/x/baselines'), { recursive: true }))
		await using _ = tree
		tree.write({ 'checkout/results/eval-1/grading.json': grading(true) })
		const { exitCode, stdout, stderr } = await report(checkout, 'ref:main:evals/x/baselines/latest')
		expect(exitCode, stderr).toBe(0)
		expect(stdout).toContain('main:evals/x/baselines/latest')
		expect(stdout).toContain('there is no baseline of x yet')
	})

	const relink = (target: string) => (origin: Tree) => {
		rmSync(origin.path('evals/x/baselines/latest'))
		symlinkSync(target, origin.path('evals/x/baselines/latest'))
	}
	it.each<[string, (origin: Tree) => void, RegExp]>([
		['a link that leads nowhere', relink('gone'), /is a link that leads to no directory/],
		['a link in a circle', relink('latest'), /leads out of the repository, or in a circle/],
		['a link out of the repository', relink('../../../../checkout/base'), /leads out of the repository/],
		['an absolute link', relink('/etc'), /leads out of the repository/],
		[
			'a file instead of a directory',
			(origin) => {
				rmSync(origin.path('evals/x/baselines/latest'))
				writeFileSync(origin.path('evals/x/baselines/latest'), 'x')
			},
			/is, or lies below, a file/,
		],
		[
			'a grading that is a link out',
			(origin) => {
				rmSync(origin.path('evals/x/baselines/4be1c07/eval-1/grading.json'))
				symlinkSync('/etc/passwd', origin.path('evals/x/baselines/4be1c07/eval-1/grading.json'))
			},
			/"eval-1\/grading\.json" in it is a link/,
		],
		[
			'an eval that is a link',
			(origin) => {
				renameSync(origin.path('evals/x/baselines/4be1c07/eval-1'), origin.path('evals/x/old'))
				symlinkSync('../../old', origin.path('evals/x/baselines/4be1c07/eval-1'))
			},
			/"eval-1" in it is a link/,
		],
		[
			'a grading that is cut off',
			(origin) => writeFileSync(origin.path('evals/x/baselines/4be1c07/eval-1/grading.json'), '{'),
			/has no readable grading.*main:evals\/x\/baselines\/4be1c07/,
		],
	])('with %s is incomplete', async (_name, change, says) => {
		const { tree, checkout } = makeCheckout(change)
		await using _ = tree
		mkdirSync(tree.path('checkout/base'))
		tree.write({ 'checkout/results/eval-1/grading.json': grading(true) })
		const { exitCode, stderr } = await report(checkout, 'ref:main:evals/x/baselines/latest')
		expect(exitCode, stderr).toBe(2)
		expect(stderr).toMatch(says)
	})

	it('that nobody can be asked for is incomplete', async () => {
		const { tree, checkout, origin, sha } = makeCheckout()
		await using _ = tree
		tree.write({ 'checkout/results/eval-1/grading.json': grading(true) })
		const path = 'evals/x/baselines/latest'
		const missing = await report(checkout, `ref:nowhere:${path}`)
		expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining('there is no branch or tag nowhere')])
		git(origin.dir, 'tag', 'main', 'topic')
		const both = await report(checkout, `ref:main:${path}`)
		expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('main is a branch and a tag')])
		rmSync(origin.dir, { recursive: true })
		const gone = await report(checkout, `ref:main:${path}`)
		expect([gone.exitCode, gone.stderr]).toEqual([2, expect.stringContaining('origin could not be asked for main')])
		const lost = await report(checkout, `ref:${sha}:${path}`)
		expect([lost.exitCode, lost.stderr]).toEqual([2, expect.stringContaining('could not be fetched')])
		rmSync(tree.path('checkout/.git'), { recursive: true })
		const none = await report(checkout, `ref:main:${path}`)
		expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('no git repository')])
	})
})
