import { basename, dirname, resolve } from 'node:path'
import { glob, isDynamicPattern } from 'tinyglobby'
import { applyPolicy } from '../core/apply-policy.ts'
import { checkPluginCase } from '../core/check-plugin-case.ts'
import { checkPluginResult, collectPluginCase } from '../core/collect-plugin-result.ts'
import type { Weakened } from '../decision.ts'
import type { Problem, Suite } from '../definition.ts'
import { toDefinition, toEvalId } from '../formats/plugin-eval/definition.ts'
import { type PluginResult, parsePluginResult } from '../formats/plugin-eval/result.ts'
import { readPluginStderr } from '../formats/plugin-eval/stderr.ts'
import type { Inputs } from '../inputs.ts'
import { isDirectory, isInside, readText, showPath, unreadable } from './files.ts'
import { findPluginCases, type PluginCases } from './plugin-cases.ts'
import { type Places, placeBaseline, readPolicy } from './suites.ts'
import { type Measured, prepareWorkspace, writeEvalResult } from './workspace.ts'

/** Results that exist already, as the rest of the story wants them. */
export type PluginReport = {
	suites: Suite[]
	problems: Problem[]
	/** Absent where definitions were not compared with base. */
	weakened?: Weakened | undefined
	/** By the suite's workspace. */
	measured: Map<string, Measured>
	/** Where the verdict is written. */
	directory: string
}

/** One plugin's results: several files are several parts of one eval. */
type Group = { root: string; results: PluginResult[]; beside: Problem[]; hasStderr: boolean }

/** Whether the workspace is one or several results of `claude plugin eval`, a path or glob a line, and no directory. */
export function namesPluginResults({ mode, workspace }: Inputs): boolean {
	return mode === 'report' && workspace.split('\n').some((line) => line.trim().endsWith('.json'))
}

/**
 * Reads the aggregate-result.json files that the workspace names, each with the standard error beside it (`<name>.stderr.log`), and the plugin's case
 * directories where the repository is at hand: these are what has to be there. Problems about a file that cannot be used are the gate's own.
 */
export async function readPluginResults(inputs: Inputs, places: Places): Promise<PluginReport> {
	const { cwd } = places
	const { files, problems } = await findResults(inputs, places)
	const groups = new Map<string, Group>()
	for (const path of files) problems.push(...(await readResult(path, groups, cwd)))
	const areRead = problems.every(({ severity }) => severity !== 'error')
	const plugins = areRead ? await findPlugins(inputs, [...groups.values()], cwd, problems) : new Map<string, string>()
	const policy = await readPolicy(cwd)
	problems.push(...policy.problems)
	const report: PluginReport = { suites: [], problems, measured: new Map(), directory: chooseDirectory(files, cwd) }
	const all = [...groups.values()]
	const known = new Map<string, PluginCases>()
	for (const [root, plugin] of plugins) known.set(root, await findPluginCases(plugin, cwd))
	for (const cases of known.values()) problems.push(...cases.problems)
	const placed = all.map((group) => placeSuite(group, known.get(group.root), inputs, places))
	const applied = applyPolicy(placed, policy.value)
	problems.push(...applied.problems)
	report.suites.push(...applied.suites)
	for (const [at, suite] of applied.suites.entries()) {
		const group = all[at]
		if (!group || problems.some(({ severity }) => severity === 'error')) break
		problems.push(...(await prepareWorkspace(suite, cwd)))
		const measured = measureGroup(suite, group, known.get(group.root))
		report.measured.set(suite.workspace, measured)
		// As a workspace of our own it can be the baseline of a later gate.
		for (const result of measured.evals) {
			await writeEvalResult({ suite, evaluation: result.definition, arm: 'with_skill', run: 1 }, result, false)
		}
	}
	return report
}

/** The verdict is written as result.json beside the results, unless that would replace one of them. */
function chooseDirectory(files: string[], cwd: string): string {
	const [first] = files
	if (first === undefined) return cwd
	return files.some((file) => basename(file) === 'result.json') ? `${first.replace(/\.json$/, '')}.gate` : dirname(first)
}

async function findResults({ workspace }: Inputs, { cwd, temp }: Places): Promise<{ files: string[]; problems: Problem[] }> {
	const files = new Set<string>()
	const problems: Problem[] = []
	const lines = workspace.split('\n').map((line) => line.trim().replaceAll('{temp}', () => temp))
	for (const line of lines.filter((text) => text !== '')) {
		const found = isDynamicPattern(line)
			? await glob(line, { cwd, absolute: true, followSymbolicLinks: false, ignore: ['**/result.json'] })
			: [line]
		for (const file of found) files.add(resolve(cwd, file))
		if (found.length > 0 && line.endsWith('.json') && !line.includes('{')) continue
		const message = found.length === 0 ? `no result matches ${line}` : `the workspace ${line} is no result of claude plugin eval`
		const hint = 'name aggregate-result.json files, one path or glob a line, without {skill}'
		problems.push({ code: 'plugin-eval-missing', severity: 'error', message, hint })
	}
	return { files: [...files].sort(), problems }
}

async function readResult(path: string, groups: Map<string, Group>, cwd: string): Promise<Problem[]> {
	const file = showPath(path, cwd)
	const within = isInside(path, cwd) ? cwd : dirname(path)
	const read = await readText(path, within)
	if (read.status !== 'read') {
		const hint = 'claude plugin eval writes nothing if it refuses to run: see what it printed'
		return [{ ...unreadable('plugin-eval-unreadable', file, read), hint }]
	}
	const { value: result, problems } = parsePluginResult(read.text, file)
	if (!result) return problems
	const root = result.suite.root
	const group = groups.get(root) ?? { root, results: [], beside: [], hasStderr: true }
	groups.set(root, group)
	group.results.push(result)
	const log = path.replace(/\.json$/, '.stderr.log')
	const printed = await readText(log, within)
	const shown = showPath(log, cwd)
	if (printed.status === 'read') group.beside.push(...readPluginStderr(printed.text, shown))
	else if (printed.status === 'refused') group.beside.push(unreadable('plugin-eval-stderr', shown, printed))
	if (printed.status !== 'read') group.hasStderr = false
	return problems
}

/** By the result's root: the plugin on disk, as `evals` names it, else where the result says that it was. */
async function findPlugins(inputs: Inputs, groups: Group[], cwd: string, problems: Problem[]): Promise<Map<string, string>> {
	const plugins = new Map<string, string>()
	if (inputs.defaultEvals) {
		for (const { root } of groups) if (isInside(root, cwd) && (await isDirectory(root))) plugins.set(root, root)
		return plugins
	}
	for (const path of inputs.evals) {
		const directory = resolve(cwd, path)
		const group = matchGroup(directory, inputs.evals.length, groups)
		if (group && (await isDirectory(directory))) {
			plugins.set(group.root, directory)
			continue
		}
		const message = `evals names ${path}, and ${group ? 'it is no directory' : 'no result is of that plugin'}`
		const hint = 'with results of claude plugin eval, "evals" names the directories of the plugins'
		problems.push({ code: 'plugin-eval-plugin', severity: 'error', message, hint })
	}
	for (const { root, results } of groups.filter((group) => !plugins.has(group.root))) {
		const message = `this result is of the plugin ${basename(root)}, which "evals" does not name`
		problems.push({ code: 'plugin-eval-plugin', severity: 'error', file: results[0]?.file, message })
	}
	return plugins
}

/** A checkout may lie elsewhere now; then its directory's name has to tell, or there is only one of each. */
function matchGroup(directory: string, named: number, groups: Group[]): Group | undefined {
	if (groups.length === 1 && named === 1) return groups[0]
	const own = groups.filter(({ root }) => root === directory || basename(root) === basename(directory))
	return own.length === 1 ? own[0] : undefined
}

function placeSuite({ root, results }: Group, known: PluginCases | undefined, inputs: Inputs, { cwd, temp }: Places): Suite {
	const [first] = results
	const file = first?.file ?? ''
	const workspace = `${resolve(cwd, file).replace(/\.json$/, '')}.gate`
	const name = first?.suite.plugins.length === 1 ? first.suite.plugins[0]?.name : basename(root)
	const skill = (name ?? '').replaceAll(/[^A-Za-z0-9 ._:-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'plugin'
	const baseline = inputs.baseline?.replaceAll('{temp}', () => temp).replaceAll('{skill}', () => skill.replaceAll(/[ :]+/g, '-'))
	return {
		...{ skill: skill.slice(0, 100), file, format: 'plugin-eval', fixtures: new Map(), evalsDir: dirname(workspace) },
		evals: results.flatMap((result) =>
			result.cases.map((item, at) => toDefinition(item, at, result, known?.cases.get(item.dir)?.severityOf ?? (() => 'error'))),
		),
		...{ workspace, runsDir: `${workspace}.runs` },
		baseline: baseline === undefined ? undefined : placeBaseline(baseline, cwd),
	}
}

function measureGroup(suite: Suite, group: Group, cases: PluginCases | undefined): Measured {
	const items = group.results.flatMap((result) => result.cases.map((item, at) => ({ item, at, result })))
	const evals = items.flatMap(({ item, at, result }, index) => {
		const definition = suite.evals[index]
		return definition ? [collectPluginCase(definition, item, at, result)] : []
	})
	const problems = [
		...group.results.flatMap((result) => checkPluginResult(result, cases !== undefined)),
		...group.beside,
		...findTwice(suite, group),
		...compareWithDisk(suite, group, cases),
		...items.flatMap(({ item, at, result }) => {
			const definition = cases?.cases.get(item.dir)
			return definition ? checkPluginCase(definition, item, at, result) : []
		}),
	]
	return { evals, problems }
}

/** Of two results of one case nobody can say which counts. */
function findTwice({ file }: Suite, { results }: Group): Problem[] {
	const seen = new Map<string, string>()
	return results
		.flatMap(({ cases }) => cases)
		.flatMap(({ dir }): Problem[] => {
			const id = toEvalId(dir).normalize('NFKC').toLowerCase()
			const first = seen.get(id)
			seen.set(id, dir)
			if (first === undefined) return []
			const message = first === dir ? `the case ${dir} is here twice` : `the cases ${first} and ${dir} have one id`
			return [{ code: 'plugin-eval-twice', severity: 'error', file, message, hint: 'keep one result of each case' }]
		})
}

/** What the plugin has must be in the result, and nothing else: a case that was not loaded leaves no trace in it, so nothing in a result proves that it is whole. */
function compareWithDisk({ file }: Suite, { results, hasStderr }: Group, cases: PluginCases | undefined): Problem[] {
	if (!cases) {
		const message = "the plugin's case files are not at hand: a case that was not loaded or not run leaves no trace in the result"
		const hint =
			'check the repository out at the commit that was run, and name the directory of the plugin with the input "evals"'
		return [{ code: 'plugin-eval-alone', severity: 'error', file, message, hint }]
	}
	const here = new Set(results.flatMap((result) => result.cases.map(({ dir }) => dir)))
	const missing = cases.dirs.filter((dir) => !here.has(dir))
	const extra = [...here].filter((dir) => !cases.dirs.includes(dir))
	const untold = hasStderr
		? []
		: [...cases.cases].flatMap(([dir, { context }]) => (here.has(dir) && context?.scaffold_script ? [dir] : []))
	const say = (code: string, message: string, hint: string): Problem => ({ code, severity: 'error', file, message, hint })
	return [
		...missing.map((dir) =>
			say(
				'plugin-eval-lost',
				`the case ${dir} has no result: it was not loaded, or not run`,
				'see what claude plugin eval printed',
			),
		),
		...extra.map((dir) =>
			say('eval-undeclared', `the result has the case ${dir}, which the plugin does not have`, 'run it again'),
		),
		...untold.map((dir) =>
			say(
				'plugin-eval-scaffold',
				`whether the scaffold_script of ${dir} ran is not known`,
				'keep what claude plugin eval prints: 2> aggregate-result.stderr.log, beside the result',
			),
		),
	]
}
