import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { EvalDefinition, Fixture, Problem, Suite } from '../definition.ts'
import { exists, isInside } from './files.ts'

/** Finds every file that the evals declare. Done before anything runs, so that a missing input costs no agent run. */
export async function resolveFixtures(suite: Suite): Promise<{ suite: Suite; problems: Problem[] }> {
	const problems: Problem[] = []
	const fixtures = new Map<string, Fixture[]>()
	for (const evaluation of suite.evals) {
		const found: Fixture[] = []
		for (const declared of evaluation.files) {
			const resolved = await resolveFixture(declared, suite)
			if (typeof resolved === 'string') problems.push(problemOf(suite, evaluation, declared, resolved))
			else found.push(resolved)
		}
		fixtures.set(evaluation.id, found)
	}
	return { suite: { ...suite, fixtures }, problems }
}

/** The fixture, or one sentence why it cannot be used. */
async function resolveFixture(declared: string, suite: Suite): Promise<Fixture | string> {
	const normal = declared.replace(/^\.\//, '').replace(/\/+$/, '')
	const parts = normal.split('/')
	if (normal === '' || /^[A-Za-z]:|\\|\0/.test(normal) || parts.some((part) => ['..', '.', ''].includes(part)))
		return 'must be a relative path that stays below its directory'
	if (parts[0]?.toLowerCase() === 'outputs') return 'lies in outputs/, which must be empty when the agent starts'
	const bases = [suite.evalsDir, ...(suite.skillDir && suite.skillDir !== suite.evalsDir ? [suite.skillDir] : [])]
	const found: string[] = []
	for (const base of bases) {
		const path = join(base, normal)
		if (!(await exists(path))) continue
		const real = await realpath(path).catch(() => undefined)
		if (real === undefined || !isInside(real, await realpath(base))) return 'is a link that leads out of its directory'
		found.push(real)
	}
	const evalsFile = await realpath(join(suite.evalsDir, basename(suite.file)))
	if (found.some((path) => isInside(evalsFile, path))) return 'holds the evals themselves, which the agent must not see'
	const [first, second] = found
	if (first === undefined)
		return bases.length > 1 ? 'exists neither beside the evals nor in the skill’s directory' : 'does not exist beside the evals'
	if (second !== undefined && !(await isSame(first, second)))
		return 'exists beside the evals and in the skill’s directory, with different content'
	const odd = await findOdd(first)
	if (odd !== undefined)
		return `${odd === '' ? 'is' : `holds ${JSON.stringify(odd)}, which is`} neither a file nor a directory: it would not be copied`
	return { declared: normal, path: first }
}

/** The name of a link or special file below, empty for the path itself: without it the agent would be measured on less than its author meant. */
async function findOdd(path: string): Promise<string | undefined> {
	const stat = await lstat(path)
	if (!stat.isDirectory()) return stat.isFile() ? undefined : ''
	const entries = await readdir(path, { recursive: true, withFileTypes: true })
	return entries.find((entry) => !entry.isFile() && !entry.isDirectory())?.name
}

async function isSame(first: string, second: string): Promise<boolean> {
	if (first === second) return true
	const [a, b] = await Promise.all([first, second].map((path) => readFile(path).catch(() => undefined)))
	return a !== undefined && b !== undefined && a.equals(b)
}

function problemOf(suite: Suite, evaluation: EvalDefinition, declared: string, why: string): Problem {
	return {
		code: 'eval-file',
		severity: 'error',
		file: suite.file,
		line: evaluation.line,
		pointer: `${evaluation.pointer}/files`,
		message: `the file ${JSON.stringify(declared)} of eval ${evaluation.id} ${why}`,
		hint: 'paths are relative to the evals file, else to the directory of SKILL.md',
	}
}
