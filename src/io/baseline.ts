import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { aggregateBaseline } from '../core/compare.ts'
import { parseGrading } from '../formats/grading.ts'
import type { Baseline, BaselineEval, Problem, Suite } from '../model.ts'
import { listNames, readText, showPath } from './files.ts'
import { readTiming } from './workspace.ts'

export type BaselineRead = { baseline?: Baseline | undefined; problems: Problem[] }

/**
 * An earlier workspace to compare with. None asked for: nothing. Not there yet: a notice, because every gate has a first run.
 * There, but nothing in it can be read: an error, because a comparison that was asked for must not vanish silently.
 */
export async function readBaseline(suite: Suite, cwd: string): Promise<BaselineRead> {
	if (suite.baseline === undefined) return { problems: [] }
	const shown = showPath(suite.baseline, cwd)
	const directory = await resolveLatest(suite.baseline)
	if (directory === undefined) {
		return {
			problems: [
				{ code: 'baseline-none', severity: 'notice', file: shown, message: `there is no baseline of ${suite.skill} yet` },
			],
		}
	}
	const { evals, unreadable, problems } = await readEvals(directory, cwd)
	if (evals.size === 0) {
		const message = `the baseline of ${suite.skill} has no readable grading`
		const hint = 'name a directory that holds eval-<id>/grading.json, or leave the input "baseline" out'
		return { problems: [...problems, { code: 'baseline-unreadable', severity: 'error', file: shown, message, hint }] }
	}
	return { baseline: { label: basename(directory), evals, unreadable, aggregate: aggregateBaseline({ evals }) }, problems }
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

async function readEvals(
	directory: string,
	cwd: string,
): Promise<{ evals: Map<string, BaselineEval>; unreadable: string[]; problems: Problem[] }> {
	const evals = new Map<string, BaselineEval>()
	const unreadable: string[] = []
	const problems: Problem[] = []
	for (const name of (await listNames(directory)).filter((entry) => entry.startsWith('eval-'))) {
		const id = name.slice('eval-'.length)
		const path = join(directory, name, 'grading.json')
		const read = await readText(path, directory)
		const grading = read.status === 'read' ? parseGrading(read.text, showPath(path, cwd)).value : undefined
		if (grading) {
			const { timing } = await readTiming(directory, id, cwd)
			evals.set(id, { rows: grading.rows, timing })
			continue
		}
		unreadable.push(id)
		const message = `the baseline's ${JSON.stringify(name)} has no readable grading: its assertions cannot be compared`
		problems.push({ code: 'baseline-eval', severity: 'notice', file: showPath(path, cwd), message })
	}
	return { evals, unreadable, problems }
}
