import { join } from 'node:path'
import type { Problem } from '../definition.ts'
import { isObject, parseJson } from '../formats/json.ts'
import { type CaseDefinition, type CaseFiles, parsePluginCase } from '../formats/plugin-eval/case.ts'
import { listEntries, readText, showPath, unreadable } from './files.ts'

/** As Claude Code 2.1.332 walks a plugin: so deep, and never into these. */
const MAX_DEPTH_LEVELS = 16
const NEVER_ENTERED = new Set(['node_modules', '.claude', 'results', 'mocks', '.git'])
const MANIFESTS = ['.claude-plugin/plugin.json', 'plugin.json']

/** The case directories of a plugin, relative to it, with `/`. */
export type PluginCases = {
	dirs: string[]
	/** By directory, those that can be used. */
	cases: Map<string, CaseDefinition>
	problems: Problem[]
}

/**
 * The cases on disk, found as Claude Code finds them: each directory with a case.yaml or a prompt.md below `evals`, or below what the manifest names.
 * What it passes over without a word (`case.yml`, a grader without front matter) is a warning.
 */
export async function findPluginCases(root: string, cwd: string): Promise<PluginCases> {
	const found: PluginCases = { dirs: [], cases: new Map(), problems: [] }
	const own = await readEvalDirectoryName(root, cwd, found.problems)
	if (own === undefined) await searchPlugin(root, '', 0, found, cwd)
	else await searchCases(root, own, 0, found, cwd)
	found.dirs.sort()
	return found
}

/** `experimental.evals` of the manifest. */
async function readEvalDirectoryName(root: string, cwd: string, problems: Problem[]): Promise<string | undefined> {
	for (const name of MANIFESTS) {
		const read = await readText(join(root, name), root)
		if (read.status === 'missing') continue
		const file = showPath(join(root, name), cwd)
		const parsed = read.status === 'read' ? parseJson(read.text, file) : { problems: [] }
		const manifest = parsed.value?.value
		if (!isObject(manifest)) {
			problems.push({ code: 'plugin-manifest', severity: 'error', file, message: 'the plugin manifest cannot be read' })
			return undefined
		}
		if (manifest.evals !== undefined) {
			const message = 'the manifest has a top-level "evals", which Claude Code ignores'
			const hint = 'write it as "experimental": {"evals": "…"}'
			problems.push({ code: 'plugin-manifest', severity: 'warning', file, message, hint })
		}
		const evals = isObject(manifest.experimental) ? manifest.experimental.evals : undefined
		if (evals === undefined) return undefined
		const isPath =
			typeof evals === 'string' && evals.split('/').every((part) => /^[A-Za-z0-9][A-Za-z0-9._@+-]*$/.test(part) && part !== '..')
		if (isPath) return evals
		problems.push({ code: 'plugin-manifest', severity: 'error', file, message: '"experimental.evals" is not a relative path' })
		return undefined
	}
	return undefined
}

async function searchPlugin(root: string, way: string, depth: number, found: PluginCases, cwd: string): Promise<void> {
	for (const name of await listDirectories(root, way, found, cwd)) {
		const inner = way === '' ? name : `${way}/${name}`
		if (name === 'evals') await searchCases(root, inner, 0, found, cwd)
		else if (depth < MAX_DEPTH_LEVELS) await searchPlugin(root, inner, depth + 1, found, cwd)
	}
}

async function searchCases(root: string, way: string, depth: number, found: PluginCases, cwd: string): Promise<void> {
	const { entries } = await listEntries(join(root, way))
	const names = entries.filter(({ kind }) => kind !== 'directory').map(({ name }) => name)
	if (names.includes('case.yaml') || names.includes('prompt.md')) return readCase(root, way, found, cwd)
	if (names.includes('case.yml')) {
		const file = showPath(join(root, way, 'case.yml'), cwd)
		const message = 'Claude Code reads case.yaml only: this case is never run'
		found.problems.push({ code: 'plugin-case-ignored', severity: 'warning', file, message, hint: 'call it case.yaml' })
	}
	if (depth >= MAX_DEPTH_LEVELS) return
	for (const name of await listDirectories(root, way, found, cwd))
		await searchCases(root, `${way}/${name}`, depth + 1, found, cwd)
}

async function readCase(root: string, way: string, found: PluginCases, cwd: string): Promise<void> {
	found.dirs.push(way)
	const shown = showPath(join(root, way), cwd)
	const read = async (...parts: string[]): Promise<string | undefined> => {
		const text = await readText(join(root, way, ...parts), root)
		if (text.status === 'refused') found.problems.push(unreadable('plugin-unreadable', `${shown}/${parts.join('/')}`, text))
		return text.status === 'read' ? text.text : undefined
	}
	const graders: CaseFiles['graders'] = []
	for (const { name, kind } of (await listEntries(join(root, way, 'graders'))).entries) {
		if (kind === 'directory' || !name.endsWith('.md')) continue
		const text = await read('graders', name)
		if (text !== undefined) graders.push({ name: name.slice(0, -'.md'.length), text })
	}
	const [caseYaml, promptMd] = [await read('case.yaml'), await read('prompt.md')]
	const { value, problems } = parsePluginCase({ dir: way, shown, caseYaml, promptMd, graders })
	found.problems.push(...problems)
	if (value) found.cases.set(way, value)
}

/** A directory that cannot be read may hold cases. */
async function listDirectories(root: string, way: string, found: PluginCases, cwd: string): Promise<string[]> {
	const directory = join(root, way)
	const { entries, refused } = await listEntries(directory)
	if (refused !== undefined) {
		const message = `the directory cannot be read: ${refused}`
		found.problems.push({ code: 'plugin-unreadable', severity: 'error', file: showPath(directory, cwd), message })
	}
	return entries.filter(({ name, kind }) => kind === 'directory' && !NEVER_ENTERED.has(name)).map(({ name }) => name)
}
