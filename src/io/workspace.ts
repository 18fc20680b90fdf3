import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { collectFailure, collectRows } from '../core/collect.ts'
import { parseClaimedPassRate } from '../formats/benchmark.ts'
import { parseGrading } from '../formats/grading.ts'
import { parseTiming } from '../formats/timing.ts'
import type { EvalDefinition, EvalResult, Problem, Suite, SuiteResult, Timing } from '../model.ts'
import {
	type BenchmarkContext,
	formatBenchmark,
	formatEvalMetadata,
	formatFeedback,
	formatGrading,
	formatTiming,
} from '../report/results.ts'
import { isDirectory, listNames, readText, showPath, unreadable, writeText } from './files.ts'

/** Says that a workspace is ours, so that a next run may clear it; a result of unknown origin must never be counted. */
const MARKER = '.skill-eval-gate'
/** A claimed mean with two decimals is right if it is this close. */
const ROUNDING = 0.006

/** Where one run's own files are kept, in skill-creator's layout. */
export function runDirectory(suite: Suite, evalId: string, run: number): string {
	return join(suite.runsDir, `eval-${evalId}`, 'with_skill', `run-${run}`)
}

/** Makes an empty workspace. One that holds something we did not make is a problem, not ours to delete. */
export async function prepareWorkspace(suite: Suite, cwd: string): Promise<Problem[]> {
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

/** One eval of a workspace that something else wrote. A file that is missing or unusable leaves the eval unmeasured, by name. */
export async function readEvalResult(suite: Suite, evaluation: EvalDefinition, cwd: string): Promise<EvalResult> {
	const path = join(suite.workspace, `eval-${evaluation.id}`, 'grading.json')
	const file = showPath(path, cwd)
	const { timing, problems } = await readTiming(suite.workspace, evaluation.id, cwd)
	const read = await readText(path, suite.workspace)
	if (read.status !== 'read') {
		const { message } = unreadable('grading-unreadable', file, read)
		return collectFailure(
			evaluation,
			{ sentence: `${message}`, quotes: [], file, hint: await hintAtLayout(suite, evaluation) },
			timing,
			problems,
		)
	}
	const grading = parseGrading(read.text, file)
	if (!grading.value) {
		const { message = 'it cannot be used', line, hint } = grading.problems[0] ?? {}
		return collectFailure(
			evaluation,
			{ sentence: `the grading cannot be used: ${message}`, quotes: [], file, line, hint },
			timing,
			problems,
		)
	}
	return collectRows(evaluation, grading.value, timing, file, [...problems, ...grading.problems])
}

/** Names the layout that was found instead, where it is a known one. */
async function hintAtLayout(suite: Suite, { id }: EvalDefinition): Promise<string> {
	const expected = `expected ${`eval-${id}`}/grading.json in the workspace`
	const names = await listNames(suite.workspace)
	if (names.some((name) => name.startsWith('iteration-')))
		return `${expected}; found iteration-… directories: name one of them as the workspace`
	if (await isDirectory(join(suite.workspace, `eval-${id}`, 'with_skill'))) return `${expected}; found eval-${id}/with_skill/`
	return names.length === 0 ? `${expected}, which is empty or missing` : expected
}

/** An eval's timing.json; a missing one is no problem, because a timing decides nothing. */
export async function readTiming(
	workspace: string,
	evalId: string,
	cwd: string,
): Promise<{ timing: Timing; problems: Problem[] }> {
	const path = join(workspace, `eval-${evalId}`, 'timing.json')
	const read = await readText(path, workspace)
	if (read.status === 'missing') return { timing: {}, problems: [] }
	const file = showPath(path, cwd)
	if (read.status === 'refused') return { timing: {}, problems: [unreadable('timing-unreadable', file, read, 'notice')] }
	const { value = {}, problems } = parseTiming(read.text, file)
	return { timing: value, problems }
}

/** Directories of evals that no definition declares: results of something else, or of an eval that was taken away. */
export async function findExtraEvals(suite: Suite, cwd: string): Promise<Problem[]> {
	const declared = new Set(suite.evals.map(({ id }) => `eval-${id}`))
	const extra = (await listNames(suite.workspace)).filter((name) => name.startsWith('eval-') && !declared.has(name))
	return extra.map((name) => ({
		code: 'eval-undeclared',
		severity: 'error',
		file: showPath(join(suite.workspace, name), cwd),
		message: `the workspace has results of ${JSON.stringify(name)}, which ${suite.file} does not declare`,
		hint: 'remove the directory, or declare the eval again',
	}))
}

/** What the workspace's own benchmark.json says, where it contradicts the recount. */
export async function compareClaim(result: SuiteResult, cwd: string): Promise<Problem[]> {
	const path = join(result.suite.workspace, 'benchmark.json')
	const read = await readText(path, result.suite.workspace)
	if (read.status !== 'read') return []
	const file = showPath(path, cwd)
	const claimed = parseClaimedPassRate(read.text, file)
	const counted = result.aggregate.passRate?.mean
	if (claimed === undefined || (counted !== undefined && Math.abs(claimed - counted) < ROUNDING)) return []
	const recount = counted === undefined ? 'nothing was measured' : `the gradings say ${counted.toFixed(2)}`
	const message = `the benchmark.json found in the workspace says a pass rate of ${claimed}, ${recount}: the gradings count`
	return [{ code: 'benchmark-differs', severity: 'notice', file, message }]
}

/** A graded eval, in run-evals' place and, for an executed run, beside its transcript. */
export async function writeEvalResult(suite: Suite, result: EvalResult, executed: boolean): Promise<void> {
	const directories = [join(suite.workspace, `eval-${result.id}`), ...(executed ? [runDirectory(suite, result.id, 1)] : [])]
	for (const directory of directories) {
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
