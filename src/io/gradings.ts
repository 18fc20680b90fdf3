import { join } from 'node:path'
import { collectFailure, collectRows } from '../core/collect.ts'
import { combineRuns } from '../core/combine.ts'
import type { EvalDefinition, Problem } from '../definition.ts'
import { type Grading, parseGrading } from '../formats/grading.ts'
import { parseTiming } from '../formats/timing.ts'
import type { EvalResult, Failure, Timing } from '../model.ts'
import type { EvalPlace } from './eval-directory.ts'
import { readText, showPath, unreadable } from './files.ts'

/** One run's grading.json and timing.json; a file that is missing or unusable leaves the run unmeasured, by name. */
export type GradingRead = { file: string; timing: Timing; problems: Problem[] } & ({ grading: Grading } | { failure: Failure })

/** Reads one run's directory, inside `within`. */
export async function readGrading(directory: string, within: string, cwd: string): Promise<GradingRead> {
	const path = join(directory, 'grading.json')
	const file = showPath(path, cwd)
	const own = await readTimingFile(directory, within, cwd)
	const common = { file, timing: own.timing ?? {}, problems: own.problems }
	const read = await readText(path, within)
	if (read.status !== 'read') {
		return { ...common, failure: { sentence: unreadable('grading-unreadable', file, read).message, quotes: [], file } }
	}
	const { value: grading, problems } = parseGrading(read.text, file)
	if (!grading) {
		const { message = 'it cannot be used', line, hint } = problems[0] ?? {}
		return { ...common, failure: { sentence: `the grading cannot be used: ${message}`, quotes: [], file, line, hint } }
	}
	const told = own.timing === undefined ? grading.timing : undefined
	return {
		...{ file, grading, timing: own.timing ?? told?.value ?? {} },
		problems: [...own.problems, ...problems, ...(told?.problems ?? [])],
	}
}

/** Undefined if there is no timing.json; no problem then, because a timing decides nothing. */
export async function readTimingFile(
	directory: string,
	within: string,
	cwd: string,
): Promise<{ timing: Timing | undefined; problems: Problem[] }> {
	const path = join(directory, 'timing.json')
	const read = await readText(path, within)
	if (read.status === 'missing') return { timing: undefined, problems: [] }
	const file = showPath(path, cwd)
	if (read.status === 'refused') return { timing: {}, problems: [unreadable('timing-unreadable', file, read, 'notice')] }
	const { value = {}, problems } = parseTiming(read.text, file)
	return { timing: value, problems }
}

/** One eval's result from all of its runs. `hint` says where a grading that is missing was expected. */
export async function readEval(
	definition: EvalDefinition,
	place: EvalPlace,
	within: string,
	cwd: string,
	hint: string,
): Promise<EvalResult> {
	const { fault, runs, problems } = place
	if (fault) {
		const failure = { sentence: fault.message, quotes: [], file: fault.file, hint: fault.hint }
		return collectFailure(definition, failure, {}, [...problems, fault])
	}
	const results: { run: number; result: EvalResult }[] = []
	for (const { run, directory } of runs) {
		const read = await readGrading(directory, within, cwd)
		const result =
			'failure' in read
				? collectFailure(definition, { hint, ...read.failure }, read.timing, read.problems)
				: collectRows(definition, read.grading, read.timing, read.file, read.problems)
		results.push({ run, result })
	}
	const combined = combineRuns(definition, results)
	return { ...combined, problems: [...problems, ...combined.problems] }
}
