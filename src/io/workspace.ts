import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { collectFailure } from '../core/collect.ts'
import { meanRunRate } from '../core/combine.ts'
import type { EvalDefinition, OtherArm, PlannedRun, Problem, Suite } from '../definition.ts'
import { parseBenchmark } from '../formats/benchmark.ts'
import type { EvalResult, Neighbours, SuiteResult, Timing } from '../model.ts'
import {
	type BenchmarkContext,
	formatBenchmark,
	formatEvalMetadata,
	formatFeedback,
	formatGrading,
	formatTiming,
} from '../report/results.ts'
import type { EvalPlace } from './eval-directory.ts'
import { exists, isDirectory, listNames, readText, showPath, writeText } from './files.ts'
import { readEval, readTimingFile } from './gradings.ts'
import { findLayout, type Layout } from './layout.ts'
import { readNeighbours } from './neighbours.ts'

/** Says that a workspace is ours, so that a next run may clear it; a result of unknown origin must never be counted. */
const MARKER = '.skill-eval-gate'
/** A claimed mean with two decimals is right if it is this close. */
const ROUNDING = 0.006
/** Of the directories that were found instead so many are named. */
const MAX_FOUND = 5

/** Where one run's own files are kept, in skill-creator's layout. */
export function runDirectory({ suite, evaluation, arm, run }: PlannedRun): string {
	return join(suite.runsDir, `eval-${evaluation.id}`, arm, `run-${run}`)
}

/** Where a command that grades finds the outputs: those that the gate judges are in run-evals' place. */
export function outputsDirectory(planned: PlannedRun): string {
	const { suite, evaluation, arm } = planned
	return join(arm === 'with_skill' ? join(suite.workspace, `eval-${evaluation.id}`) : runDirectory(planned), 'outputs')
}

/** Makes an empty workspace. One that holds something we did not make is a problem, not ours to delete. */
export async function prepareWorkspace(suite: Suite, cwd: string): Promise<Problem[]> {
	for (const place of [suite.workspace, suite.runsDir]) {
		if ((await exists(place)) && !(await isDirectory(place))) {
			const message = `the workspace of ${suite.skill} would be ${showPath(place, cwd)}, which is not a directory`
			return [{ code: 'workspace-used', severity: 'error', message, hint: 'choose another input "workspace"' }]
		}
	}
	const names = [...(await listNames(suite.workspace)), ...(await listNames(suite.runsDir))]
	if (names.length > 0 && !names.includes(MARKER)) {
		const message = `the workspace of ${suite.skill} is not empty: ${showPath(suite.workspace, cwd)}`
		return [
			{
				code: 'workspace-used',
				severity: 'error',
				message,
				hint: 'an older result must not be counted: remove it, or choose another input "workspace"',
			},
		]
	}
	await rm(suite.workspace, { recursive: true, force: true })
	await rm(suite.runsDir, { recursive: true, force: true })
	await mkdir(suite.workspace, { recursive: true })
	await writeText(join(suite.runsDir, MARKER), '')
	return []
}

/** What is known of one suite's evals, in the order of the definition, and what is wrong with where they are. */
export type Measured = {
	evals: EvalResult[]
	problems: Problem[]
	/** The same evals in another arm, where that was asked for. */
	other?: { arm: OtherArm; evals: EvalResult[] } | undefined
	/** Of results that something else wrote: the directory that holds the evals' directories. */
	root?: string | undefined
	neighbours?: Neighbours | undefined
}

/**
 * A workspace that something else wrote: every declared eval's result, in the order of the definition, and what is wrong with the workspace.
 * What is declared and not there is not measured, by name; what is there and not declared is an error.
 */
export async function readWorkspace(suite: Suite, cwd: string): Promise<Measured> {
	const { workspace } = suite
	const ids = suite.evals.map(({ id }) => id)
	const layout = await findLayout(workspace, ids, cwd)
	const evals: EvalResult[] = []
	for (const evaluation of suite.evals) {
		const place = layout.evals.get(evaluation.id)
		evals.push(
			place
				? await readEval(evaluation, place, workspace, cwd, describeFound(evaluation.id, place, layout, cwd))
				: failMissing(evaluation, layout, cwd),
		)
	}
	const undeclared = [...layout.evals].filter(([id]) => !ids.includes(id))
	const extra = undeclared.map(([, { directory }]) => toUndeclared(suite, directory, cwd))
	const beside = await readNeighbours(workspace, layout, ids, cwd)
	const problems = [...layout.problems, ...layout.unassigned, ...extra, ...beside.problems]
	return { root: layout.root, evals, problems, neighbours: beside.neighbours }
}

function failMissing(evaluation: EvalDefinition, layout: Layout, cwd: string): EvalResult {
	const isNested = [...layout.evals.values()].some((place) => place.layout === 'configuration')
	const path = join(layout.root, `eval-${evaluation.id}`, ...(isNested ? ['with_skill'] : []), 'grading.json')
	const hint = describeFound(evaluation.id, undefined, layout, cwd)
	return collectFailure(evaluation, { sentence: 'grading.json is missing', quotes: [], file: showPath(path, cwd), hint }, {}, [])
}

/** What was expected, in the layout that the other evals have, and what there is instead. */
function describeFound(id: string, place: EvalPlace | undefined, { evals, root, others }: Layout, cwd: string): string {
	const layouts = place?.layout ? [place.layout] : [...evals.values()].flatMap(({ layout }) => layout ?? [])
	const forms = [
		...(layouts.length === 0 || layouts.includes('flat') ? [`eval-${id}/grading.json`] : []),
		...(layouts.length === 0 || layouts.includes('configuration') ? [`eval-${id}[-name]/with_skill/[run-1/]grading.json`] : []),
	]
	const where = `expected ${forms.join(' or ')} in ${showPath(root, cwd)}`
	const names = place ? place.found.map((name) => `${basename(place.directory)}/${name}/`) : others.map((name) => `${name}/`)
	if (names.length > 0) return `${where}; found ${names.slice(0, MAX_FOUND).join(', ')}${names.length > MAX_FOUND ? ', …' : ''}`
	return evals.size === 0 ? `${where}; no eval's directory was found there` : where
}

/** An eval's timing.json; a missing one is no problem, because a timing decides nothing. */
export async function readTiming(
	workspace: string,
	evalId: string,
	cwd: string,
): Promise<{ timing: Timing; problems: Problem[] }> {
	const { timing = {}, problems } = await readTimingFile(join(workspace, `eval-${evalId}`), workspace, cwd)
	return { timing, problems }
}

/** Directories of evals that no definition declares: results of something else, or of an eval that was taken away. */
export async function findExtraEvals(suite: Suite, cwd: string): Promise<Problem[]> {
	const declared = new Set(suite.evals.map(({ id }) => `eval-${id}`))
	const extra = (await listNames(suite.workspace)).filter((name) => name.startsWith('eval-') && !declared.has(name))
	return extra.map((name) => toUndeclared(suite, join(suite.workspace, name), cwd))
}

function toUndeclared(suite: Suite, directory: string, cwd: string): Problem {
	return {
		code: 'eval-undeclared',
		severity: 'error',
		file: showPath(directory, cwd),
		message: `the workspace has results of ${JSON.stringify(basename(directory))}, which ${suite.file} does not declare`,
		hint: 'remove the directory, or declare the eval again',
	}
}

/** What the benchmark.json beside the results says, where it contradicts the recount. */
export async function compareClaim(result: SuiteResult, directory: string, cwd: string): Promise<Problem[]> {
	const path = join(directory, 'benchmark.json')
	const read = await readText(path, result.suite.workspace)
	if (read.status !== 'read') return []
	const file = showPath(path, cwd)
	const benchmark = parseBenchmark(read.text, file).value
	const claimed = benchmark?.means.passRate?.mean
	const counted = benchmark?.over === 'runs' ? meanRunRate(result.evals) : result.aggregate.passRate?.mean
	if (claimed === undefined || (counted !== undefined && Math.abs(claimed - counted) < ROUNDING)) return []
	const recount = counted === undefined ? 'nothing was measured' : `the gradings say ${counted.toFixed(2)}`
	const message = `the benchmark.json found in the workspace says a pass rate of ${claimed}, ${recount}: the gradings count`
	return [{ code: 'benchmark-differs', severity: 'notice', file, message }]
}

/** A graded eval: with the skill in run-evals' place, and an executed run beside its transcript. */
export async function writeEvalResult(planned: PlannedRun, result: EvalResult, executed: boolean): Promise<void> {
	const { suite, arm } = planned
	const directories = [
		...(arm === 'with_skill' ? [join(suite.workspace, `eval-${result.id}`)] : []),
		...(executed ? [runDirectory(planned)] : []),
	]
	for (const directory of directories) {
		// A link would lead into another eval's results, or out of the workspace.
		if ((await exists(directory)) && !(await isDirectory(directory))) continue
		await writeText(join(directory, 'grading.json'), formatGrading(result))
		if (executed) await writeText(join(directory, 'timing.json'), formatTiming(result.timing))
	}
	if (executed) await writeText(join(suite.runsDir, `eval-${result.id}`, 'eval_metadata.json'), formatEvalMetadata(result))
}

/** benchmark.json and, where nobody has written one yet, feedback.json. */
export async function writeBenchmark(result: SuiteResult, context: BenchmarkContext): Promise<void> {
	const { workspace } = result.suite
	await writeText(join(workspace, 'benchmark.json'), formatBenchmark(result, context))
	if (!(await listNames(workspace)).includes('feedback.json')) {
		await writeText(join(workspace, 'feedback.json'), formatFeedback(result.evals.map(({ id }) => id)))
	}
}
