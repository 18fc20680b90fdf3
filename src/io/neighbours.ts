import { join } from 'node:path'
import type { Problem, Read } from '../definition.ts'
import { parseAnalysis, parseComparison, parseGradingMetrics, parseHistory, parseMetrics } from '../formats/neighbours.ts'
import type { BlindComparison, Neighbours, Suggestion, ToolUse } from '../model.ts'
import { listEntries, readText, showPath, unreadable } from './files.ts'
import type { Layout } from './layout.ts'

/** More comparisons are nothing that a person reads. */
const MAX_COMPARISONS = 50
const COMPARISON = /^comparison[\w.-]*\.json$/

/**
 * What other tools left beside the results of the given evals: never in an `outputs/`, where the agent could have put it.
 * It decides nothing, so a file that cannot be read is a notice.
 */
export async function readNeighbours(
	workspace: string,
	layout: Layout,
	ids: string[],
	cwd: string,
): Promise<{ neighbours?: Neighbours | undefined; problems: Problem[] }> {
	const problems: Problem[] = []
	const read = async <T>(path: string, parse: (text: string, file: string) => Read<T>): Promise<Read<T> | undefined> => {
		const file = showPath(path, cwd)
		const text = await readText(path, workspace)
		if (text.status === 'missing') return undefined
		const parsed: Read<T> =
			text.status === 'read' ? parse(text.text, file) : { problems: [unreadable('neighbour-unreadable', file, text, 'notice')] }
		problems.push(...parsed.problems.map((problem) => ({ ...problem, severity: 'notice' as const })))
		return parsed
	}
	const places = ids.flatMap((id) => layout.evals.get(id) ?? [])
	const runs = places.flatMap((place) => place.runs.map(({ directory }) => directory))
	const toolUses: ToolUse[] = []
	for (const directory of runs) {
		const metrics =
			(await read(join(directory, 'metrics.json'), parseMetrics)) ?? (await readOwnMetrics(directory, workspace, cwd, problems))
		if (metrics?.value) toolUses.push(metrics.value)
	}
	const history = (await read(join(workspace, 'history.json'), parseHistory))?.value
	const comparisons: BlindComparison[] = []
	const suggestions: Suggestion[] = []
	for (const directory of new Set([workspace, layout.root, ...places.map((place) => place.directory), ...runs])) {
		const names = (await listEntries(directory)).entries.flatMap(({ name }) => (COMPARISON.test(name) ? [name] : []))
		for (const name of names.slice(0, MAX_COMPARISONS - comparisons.length)) {
			const comparison = (await read(join(directory, name), parseComparison))?.value
			if (comparison) comparisons.push(comparison)
		}
		suggestions.push(...((await read(join(directory, 'analysis.json'), parseAnalysis))?.value ?? []))
	}
	const isEmpty = toolUses.length + comparisons.length + suggestions.length === 0 && history === undefined
	return { neighbours: isEmpty ? undefined : { toolUses, runs: runs.length, history, comparisons, suggestions }, problems }
}

/** A grading that cannot be read has been reported as one; only what is wrong with its metrics is said here. */
async function readOwnMetrics(
	directory: string,
	workspace: string,
	cwd: string,
	problems: Problem[],
): Promise<Read<ToolUse> | undefined> {
	const path = join(directory, 'grading.json')
	const text = await readText(path, workspace)
	if (text.status !== 'read') return undefined
	const read = parseGradingMetrics(text.text, showPath(path, cwd))
	problems.push(...read.problems.filter(({ code }) => code === 'neighbour-value' || code === 'neighbour-shape'))
	return read
}
