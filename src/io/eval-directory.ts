import { join } from 'node:path'
import type { Problem } from '../definition.ts'
import { COMPARED, JUDGED, numberRuns } from '../formats/layout.ts'
import { type Entry, listEntries, showPath } from './files.ts'

/** Where one eval's results are. */
export type EvalPlace = {
	/** The eval's directory. */
	directory: string
	/** The directories in which a grading.json has to be, one a run, in order. */
	runs: { run: number; directory: string }[]
	/** What was found: `eval-1/grading.json`, or a configuration below it; undefined if neither. */
	layout?: 'flat' | 'configuration' | undefined
	/** Why nobody can say which of the results count: then none does. */
	fault?: Problem | undefined
	/** What else was noticed. */
	problems: Problem[]
	/** Configurations with gradings that are there for comparison. */
	compared: string[]
	/** What was found instead of a grading. */
	found: string[]
}

/** Never looked into: what is in them comes from the agent, a planted grading.json among it. */
const CLOSED = new Set(['outputs', 'inputs'])

/** Finds the gradings of one eval: its own, else those of the configuration under test. What is a link is never followed. */
export async function readEvalDirectory(directory: string, cwd: string): Promise<EvalPlace> {
	const place: EvalPlace = { directory, runs: [{ run: 1, directory }], problems: [], compared: [], found: [] }
	const { entries, refused } = await listEntries(directory)
	const fault = faultOf(place, cwd)
	if (refused !== undefined) return fault(directory, `the directory cannot be read: ${refused}`)
	const isFlat = entries.some(({ name }) => name === 'grading.json')
	const judged = entries.filter(({ name, kind }) => JUDGED.includes(name) && kind !== 'other')
	const others = await findGradings(
		directory,
		entries.filter(({ name }) => !JUDGED.includes(name)),
	)
	place.compared = others.filter((name) => COMPARED.includes(name))
	place.found = others
	const [first, second] = judged
	if (first && second)
		return fault(directory, `"${first.name}" and "${second.name}" are both here: which of them is judged is not clear`)
	const run = others.find((name) => name.startsWith('run-'))
	const rival = first?.name ?? run
	if (isFlat && rival !== undefined) {
		return fault(
			directory,
			`"grading.json" and ${JSON.stringify(`${rival}/`)} are both here: which of them holds the result is not clear`,
		)
	}
	for (const name of others.filter((other) => !COMPARED.includes(other) && (isFlat || first))) {
		const message = `${JSON.stringify(name)} holds gradings too, which are not read`
		place.problems.push({ code: 'layout-other', severity: 'warning', file: showPath(directory, cwd), message })
	}
	if (first) return readConfiguration({ ...place, layout: 'configuration' }, first, cwd)
	return isFlat ? { ...place, layout: 'flat' } : place
}

/** `with_skill/grading.json`, or one a run below it. */
async function readConfiguration(place: EvalPlace, { name, kind }: Entry, cwd: string): Promise<EvalPlace> {
	const directory = join(place.directory, name)
	const fault = faultOf(place, cwd)
	if (kind === 'link') return fault(directory, LINK.message, { code: 'layout-link', hint: LINK.hint })
	const { entries, refused } = await listEntries(directory)
	if (refused !== undefined) return fault(directory, `the directory cannot be read: ${refused}`)
	const runs = entries.filter((entry) => entry.name.startsWith('run-') && entry.kind !== 'other')
	const link = runs.find((entry) => entry.kind === 'link')
	if (link) return fault(join(directory, link.name), LINK.message, { code: 'layout-link', hint: LINK.hint })
	const isGraded = entries.some((entry) => entry.name === 'grading.json')
	const odd = await findGradings(
		directory,
		entries.filter((entry) => !entry.name.startsWith('run-')),
	)
	const names = [...runs.map((entry) => entry.name), ...odd]
	if (runs.length === 0 && (!isGraded || odd.length === 0)) {
		return { ...place, runs: [{ run: 1, directory }], found: odd.map((inner) => `${name}/${inner}`) }
	}
	if (isGraded) {
		const rival = JSON.stringify(`${names[0]}/`)
		return fault(directory, `"grading.json" and ${rival} are both here: which of them holds the result is not clear`)
	}
	const numbered = numberRuns(names)
	if ('fault' in numbered) {
		const hint = 'number the runs from run-1 on, without a gap'
		return fault(directory, `not every run can be judged: ${numbered.fault}`, { code: 'layout-runs', severity: 'warning', hint })
	}
	return { ...place, runs: numbered.runs.map((each) => ({ run: each.run, directory: join(directory, each.name) })) }
}

/** Whoever can write a link into a workspace could show results from anywhere. */
export const LINK = {
	message: 'it is a link: results are read from real directories only',
	hint: 'put the directory itself in its place',
}

function faultOf(place: EvalPlace, cwd: string) {
	return (directory: string, message: string, more: Partial<Problem> = {}): EvalPlace => {
		const own = { code: 'layout-ambiguous', severity: 'error' as const, file: showPath(directory, cwd), message }
		return { ...place, runs: [], fault: { hint: 'keep one result of each eval', ...own, ...more } }
	}
}

/** Names of the directories that hold a grading, or runs. */
async function findGradings(directory: string, entries: Entry[]): Promise<string[]> {
	const found: string[] = []
	for (const { name, kind } of entries) {
		if (kind !== 'directory' || CLOSED.has(name)) continue
		const inner = await listEntries(join(directory, name))
		const isGraded = inner.entries.some(
			(entry) => entry.name === 'grading.json' || (entry.name.startsWith('run-') && entry.kind === 'directory'),
		)
		if (isGraded) found.push(name)
	}
	return found
}
