import type { Read } from '../definition.ts'
import { describeValue, isObject, parseJson } from './json.ts'
import { reporter } from './shape.ts'

/** Configurations that run the skill under test: their gradings are judged. */
export const JUDGED = ['with_skill', 'new_skill']
/** What those are compared with elsewhere: no skill, or the skill as it was. */
export const COMPARED = ['without_skill', 'old_skill']

/** `iteration-7-rerun` is a seventh iteration too; of `iteration-7b` nobody can say that. */
const ITERATION = /^iteration-(\d{1,9})(?![\p{L}\p{N}])/u
const RUN = /^run-(\d{1,9})$/
/** A run costs money; more than this is another tool's directory. */
const MAX_RUNS = 100

export type Iterations = {
	/** The names with the highest number; more than one is ambiguous. */
	latest: string[]
	/** What says to be an iteration without saying which. */
	unnumbered: string[]
}

/** Which of a workspace's `iteration-*` is the latest. By number, so that iteration-10 comes after iteration-9. */
export function pickIteration(names: string[]): Iterations {
	const numbered = names.map((name) => ({ name, number: Number(ITERATION.exec(name)?.[1] ?? Number.NaN) }))
	const highest = Math.max(...numbered.flatMap(({ number }) => (Number.isNaN(number) ? [] : [number])))
	return {
		latest: numbered.flatMap(({ name, number }) => (number === highest ? [name] : [])),
		unnumbered: numbered.flatMap(({ name, number }) => (Number.isNaN(number) ? [name] : [])),
	}
}

/** The evals that a directory can be named after: `eval-<id>` to the letter, else every id of which it is `eval-<id>-<anything>`. */
export function matchEvals(name: string, ids: string[]): string[] {
	// Some disks give names decomposed.
	const found = name.normalize('NFC')
	const exact = ids.filter((id) => found === `eval-${id}`)
	return exact.length > 0 ? exact : ids.filter((id) => found.startsWith(`eval-${id}-`))
}

/** Each `run-<n>` with its number, in order; or why the runs cannot all be told: a run that got lost must not look like one that never was. */
export function numberRuns(names: string[]): { runs: { name: string; run: number }[] } | { fault: string } {
	const odd = names.find((name) => !RUN.test(name))
	if (odd !== undefined) return { fault: `${JSON.stringify(odd)} has no number` }
	if (names.length > MAX_RUNS) return { fault: `there are ${names.length} runs; at most ${MAX_RUNS} are read` }
	const runs = names.map((name) => ({ name, run: Number(RUN.exec(name)?.[1]) })).sort((a, b) => a.run - b.run)
	for (const [at, { name, run }] of runs.entries()) {
		const before = runs[at - 1]
		const expected = before ? before.run + 1 : Math.min(run, 1)
		if (before?.run === run) return { fault: `${JSON.stringify(before.name)} and ${JSON.stringify(name)} have the same number` }
		if (run !== expected) return { fault: `run-${expected} is missing, ${name} is there` }
	}
	return { runs }
}

/** The eval that an eval_metadata.json names; no value if it names none, because such files are also used as diaries. */
export function parseEvalId(text: string, file: string): Read<string> {
	const { value: document, problems } = parseJson(text, file)
	if (!document) return { problems }
	const id = isObject(document.value) ? document.value.eval_id : undefined
	if (id === undefined || id === null) return { problems }
	if (Number.isSafeInteger(id) || (typeof id === 'string' && id !== '')) return { value: String(id).normalize('NFC'), problems }
	const report = reporter(document, file, problems)
	report('metadata-id', ['eval_id'], `"eval_id" is ${describeValue(id)}`, 'write the id of a declared eval')
	return { problems }
}
