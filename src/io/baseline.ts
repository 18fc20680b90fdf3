import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { combineRows, meanTiming } from '../core/combine.ts'
import { aggregateBaseline } from '../core/compare.ts'
import type { Problem, Suite } from '../definition.ts'
import { parseBenchmark } from '../formats/benchmark.ts'
import { parseFingerprint } from '../formats/fingerprint.ts'
import type { Baseline, BaselineEval, GradingRow, Means, Timing } from '../model.ts'
import type { EvalPlace } from './eval-directory.ts'
import { readText, showPath } from './files.ts'
import { readGrading } from './gradings.ts'
import { findLayout, type Layout } from './layout.ts'

export type BaselineRead = { baseline?: Baseline | undefined; problems: Problem[] }

/**
 * An earlier workspace to compare with. None asked for: nothing. Not there yet: a notice, because every gate has a first run.
 * There, but nothing in it can be read: an error, because a comparison that was asked for must not vanish silently.
 */
export async function readBaseline(suite: Suite, cwd: string): Promise<BaselineRead> {
	if (suite.baseline === undefined) return { problems: [] }
	const shown = showPath(suite.baseline, cwd)
	if (await isBroken(suite.baseline)) {
		const message = `the baseline of ${suite.skill} is there and cannot be opened`
		const hint = 'a link must lead to a directory that is checked out; repair it, or leave the input "baseline" out'
		return { problems: [{ code: 'baseline-unreadable', severity: 'error', file: shown, message, hint }] }
	}
	const directory = await resolveLatest(suite.baseline)
	if (directory === undefined) {
		return {
			problems: [
				{ code: 'baseline-none', severity: 'notice', file: shown, message: `there is no baseline of ${suite.skill} yet` },
			],
		}
	}
	const layout = await findLayout(
		directory,
		suite.evals.map(({ id }) => id),
		cwd,
	)
	const { evals, unreadable, problems } = await readEvals(layout, directory, cwd)
	const label = basename(directory)
	if (evals.size > 0) {
		const fingerprint = await readFingerprint(layout.root, directory)
		return { baseline: { label, evals, unreadable, aggregate: aggregateBaseline({ evals }), fingerprint }, problems }
	}
	const summary = await readSummary(suite, layout.root, directory, cwd)
	if (!('means' in summary)) return { problems: [...problems, { ...summary, file: summary.file ?? shown }] }
	const message = `the baseline of ${suite.skill} is known from summary only: assertions cannot be compared`
	const notice: Problem = { code: 'baseline-summary', severity: 'notice', file: summary.file, message }
	return {
		baseline: { label, evals, unreadable, aggregate: summary.means, summaryOnly: true },
		problems: [...problems, ...summary.problems, notice],
	}
}

/** A benchmark.json that is there and cannot be read may hide that everything was measured otherwise. */
async function readFingerprint(root: string, within: string): Promise<Baseline['fingerprint']> {
	const read = await readText(join(root, 'benchmark.json'), within)
	if (read.status === 'missing') return undefined
	return read.status === 'read' ? parseFingerprint(read.text) : 'unreadable'
}

type Summary = { file: string; means: Means; problems: Problem[] }

/** The means of a benchmark.json, where no grading can be read; else the problem that this is. */
async function readSummary(suite: Suite, root: string, within: string, cwd: string): Promise<Summary | Problem> {
	const path = join(root, 'benchmark.json')
	const file = showPath(path, cwd)
	const read = await readText(path, within)
	const unusable = `the baseline of ${suite.skill} has no readable grading`
	const problem = (message: string, more: Partial<Problem> = {}): Problem => {
		const hint = 'name a directory that holds eval-<id>/grading.json, or leave the input "baseline" out'
		return { code: 'baseline-unreadable', severity: 'error', message, hint, ...more }
	}
	if (read.status === 'missing') return problem(unusable)
	if (read.status === 'refused') return problem(`${unusable}, and its benchmark.json cannot be read: ${read.reason}`, { file })
	const { value, problems } = parseBenchmark(read.text, file)
	if (value) return { file, means: value.means, problems }
	const { message, line, column, pointer } = problems[0] ?? {}
	return problem(`${unusable}, and its benchmark.json cannot be used: ${message}`, { file, line, column, pointer })
}

/** A link that leads nowhere or in a circle, or a path that may not be entered, is not a first run: only what does not exist is missing. */
async function isBroken(path: string): Promise<boolean> {
	const failed = await stat(path).then(
		() => undefined,
		(error: NodeJS.ErrnoException) => error,
	)
	if (failed === undefined) return false
	if (failed.code !== 'ENOENT') return true
	return lstat(path).then(
		() => true,
		() => false,
	)
}

/** The real directory. Where git checked `latest` out as a text file (no symbolic links there), that file holds the link's target. */
async function resolveLatest(path: string): Promise<string | undefined> {
	const found = await stat(path).catch(() => undefined)
	if (!found?.isFile()) return found === undefined ? undefined : realpath(path)
	const read = await readText(path, dirname(path))
	const target = read.status === 'read' ? read.text.trim() : ''
	const sibling = join(dirname(path), target)
	const isSibling = /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(target)
	return isSibling && (await stat(sibling).catch(() => undefined))?.isDirectory() ? realpath(sibling) : path
}

/** Per eval; what cannot be read of one is a notice, because its assertions are then marked as not comparable. */
async function readEvals(
	layout: Layout,
	within: string,
	cwd: string,
): Promise<{ evals: Map<string, BaselineEval>; unreadable: string[]; problems: Problem[] }> {
	const evals = new Map<string, BaselineEval>()
	const unreadable: string[] = []
	const problems = [...layout.problems, ...layout.unassigned.map((problem) => ({ ...problem, severity: 'notice' as const }))]
	for (const [id, place] of layout.evals) {
		const read = await readBaselineEval(place, within, cwd)
		if ('rows' in read) {
			evals.set(id, read)
			continue
		}
		unreadable.push(id)
		const message = `the baseline's ${JSON.stringify(basename(place.directory))} has no readable grading: its assertions cannot be compared`
		problems.push({ code: 'baseline-eval', severity: 'notice', message, ...read })
	}
	return { evals, unreadable, problems }
}

async function readBaselineEval(
	{ fault, runs, directory }: EvalPlace,
	within: string,
	cwd: string,
): Promise<BaselineEval | Partial<Problem>> {
	const own = `the baseline's ${JSON.stringify(basename(directory))} cannot be compared`
	if (fault) return { file: fault.file, message: `${own}: ${fault.message}` }
	const rows: GradingRow[][] = []
	const timings: Timing[] = []
	for (const run of runs) {
		const read = await readGrading(run.directory, within, cwd)
		if ('failure' in read) return { file: read.file }
		rows.push(read.grading.rows)
		timings.push(read.timing)
	}
	const combined = combineRows(rows)
	if (!combined) return { file: showPath(directory, cwd), message: `${own}: its runs list different assertions` }
	return { rows: combined, timing: meanTiming(timings) }
}
