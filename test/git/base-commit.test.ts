import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { findWeakenings } from '../../src/core/contract.ts'
import { parseEvals } from '../../src/formats/evals.ts'
import { readBaseCommit } from '../../src/io/git/base-commit.ts'

const FILE = 'evals/s/evals.json'
const root = mkdtempSync(join(tmpdir(), 'base-commit-'))
afterAll(() => rmSync(root, { recursive: true }))
const repository = join(root, 'repository')
const git = (cwd: string, ...parameters: string[]) =>
	execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...parameters], { cwd, encoding: 'utf8' }).trim()

const assertion = {
	id: 'a',
	text: 'Names the file',
	severity: 'warning',
	type: 'regression',
	weight: 2,
	grader: 'contains',
	options: { value: 'x' },
}
const definition = {
	skill_name: 's',
	evals: [{ id: 1, prompt: 'Do it', expected_output: 'done', files: ['in.txt'], assertions: [assertion, 'Says hello'] }],
}
mkdirSync(join(repository, 'evals/s'), { recursive: true })
writeFileSync(join(repository, FILE), JSON.stringify(definition))
git(root, 'init', '-q', repository)
git(repository, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
const commit = () => {
	git(repository, 'add', '-A')
	git(repository, 'commit', '-qm', 'c')
	return git(repository, 'rev-parse', 'HEAD')
}
const base = commit()

const parse = (text: string) => {
	const { value, problems } = parseEvals(text, FILE, 'directory')
	if (!value || problems.some(({ severity }) => severity === 'error')) throw new Error(JSON.stringify(problems))
	return value
}
const readBase = async (cwd: string, sha = base) => {
	const into = mkdtempSync(join(root, 'into-'))
	return {
		...(await readBaseCommit(cwd, sha, into, (tree) => [...tree.keys()])),
		text: () => readFileSync(join(into, FILE), 'utf8'),
	}
}

/** Every value of the file by itself: taken away, or another one. */
function* mutate(value: unknown): Generator<unknown> {
	if (Array.isArray(value)) {
		for (const [at, item] of value.entries()) {
			yield value.toSpliced(at, 1)
			for (const other of mutate(item)) yield value.with(at, other)
		}
	} else if (value !== null && typeof value === 'object') {
		for (const [key, item] of Object.entries(value)) {
			const { [key]: _, ...rest } = value as Record<string, unknown>
			yield rest
			for (const other of mutate(item)) yield { ...value, [key]: other }
		}
	} else if (typeof value === 'number') yield value - 1
	else yield value === 'warning' ? 'notice' : value === 'regression' ? 'capability' : `${value}2`
}

/** Stricter than base or the same by default: without a severity it is `error`, and `regression` is what no type means. */
const isNoWeakening = (mutant: typeof definition) => {
	const first = mutant.evals[0]?.assertions[0]
	return typeof first === 'object' && (first.severity === undefined || first.type === undefined)
}

test('each single-field mutation of a committed suite is found, and no strengthening is', async () => {
	const { text, problems } = await readBase(repository)
	expect(problems).toEqual([])
	const before = parse(text())
	let found = 0
	for (const mutant of mutate(definition) as Generator<typeof definition>) {
		const read = parseEvals(JSON.stringify(mutant), FILE, 'directory')
		// What no longer parses is red already.
		if (!read.value || read.problems.some(({ severity }) => severity === 'error')) continue
		const weakenings = findWeakenings([before], [read.value])
		expect(weakenings.length > 0, JSON.stringify(mutant)).toBe(!isNoWeakening(mutant))
		found += weakenings.length > 0 ? 1 : 0
	}
	expect(found).toBeGreaterThan(10)
})

test('a work tree, a replaced object and a moved branch do not alter what base says', async () => {
	writeFileSync(join(repository, FILE), '{}')
	const head = commit()
	git(repository, 'replace', base, head)
	expect(JSON.parse((await readBase(repository)).text())).toEqual(definition)
	git(repository, 'replace', '-d', base)
})

test('a shallow checkout fetches the base commit; where it cannot, that is an error that says what to set', async () => {
	const shallow = join(root, 'shallow')
	git(root, 'clone', '-q', '--depth=1', pathToFileURL(repository).href, shallow)
	expect(JSON.parse((await readBase(shallow)).text())).toEqual(definition)
	const cut = join(root, 'cut')
	git(root, 'clone', '-q', '--depth=1', pathToFileURL(repository).href, cut)
	git(cut, 'remote', 'remove', 'origin')
	expect((await readBase(cut)).problems).toMatchObject([{ severity: 'error', hint: expect.stringContaining('fetch-depth: 0') }])
})

test.each(['HEAD', '--output=x', '', 'main', `${base.slice(0, 39)}`, `\u{feff}${base}`])('%j is no commit', async (name) => {
	expect((await readBase(repository, name)).problems).toMatchObject([{ severity: 'error', code: 'base-unreadable' }])
})
