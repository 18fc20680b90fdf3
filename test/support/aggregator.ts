/**
 * How skill-creator's aggregate_benchmark reads a directory, stated from the description of its rules and not from our code: what it takes for
 * a run, for a time and for a number of tokens, oddities included. Whatever we write for it is judged by this.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export type AggregatedRun = {
	evalId: unknown
	run: number
	passRate: number
	passed: number
	total: number
	seconds: number
	tokens: number
	rows: unknown[]
}
export type Statistics = { mean: number; stddev: number; min: number; max: number }
type Fields = Record<string, unknown>

/** By configuration, in the order in which directories are found; throws where the original does. */
export function loadRuns(directory: string): Map<string, AggregatedRun[]> {
	const found = new Map<string, AggregatedRun[]>()
	// By existence alone, even when it is empty.
	const search = existsSync(join(directory, 'runs')) ? join(directory, 'runs') : directory
	for (const [at, name] of listSorted(search, 'eval-').entries()) {
		const evalId = identify(join(search, name), name, at)
		for (const configuration of listSorted(join(search, name), '')) {
			const place = join(search, name, configuration)
			// A grading that lies in the configuration's own directory, or in the eval's, is not seen.
			if (!statSync(place).isDirectory() || listSorted(place, 'run-').length === 0) continue
			const runs = found.get(configuration) ?? []
			found.set(configuration, runs)
			for (const run of listSorted(place, 'run-')) {
				const number = toInteger(run.split('-')[1])
				if (number === undefined) throw new Error(`ValueError: ${run}`)
				const read = readRun(join(place, run))
				if (read) runs.push({ evalId, run: number, ...read })
			}
		}
	}
	return found
}

/** The directory is not of the skill's making if nothing says its id: then the position is taken. */
function identify(directory: string, name: string, at: number): unknown {
	const metadata = join(directory, 'eval_metadata.json')
	if (!existsSync(metadata)) return toInteger(name.split('-')[1]) ?? at
	const document = readJson(metadata)
	return document && 'eval_id' in document ? document.eval_id : at
}

function readRun(directory: string): Omit<AggregatedRun, 'evalId' | 'run'> | undefined {
	const grading = existsSync(join(directory, 'grading.json')) ? readJson(join(directory, 'grading.json')) : undefined
	if (!grading) return undefined
	const summary = fieldsOf(grading, 'summary')
	let seconds = numberOf(fieldsOf(grading, 'timing'), 'total_duration_seconds')
	let tokens = 0
	// The grading's own time comes first; tokens are only looked for where it has none.
	if (seconds === 0 && existsSync(join(directory, 'timing.json'))) {
		const timing = readJson(join(directory, 'timing.json')) ?? {}
		seconds = numberOf(timing, 'total_duration_seconds')
		tokens = numberOf(timing, 'total_tokens')
	}
	return {
		passRate: numberOf(summary, 'pass_rate'),
		passed: numberOf(summary, 'passed'),
		total: numberOf(summary, 'total'),
		seconds,
		// Characters pass for tokens.
		tokens: tokens === 0 ? numberOf(fieldsOf(grading, 'execution_metrics'), 'output_chars') : tokens,
		rows: (grading.expectations as unknown[] | undefined) ?? [],
	}
}

/** Sample standard deviation, 0 for one value; everything 0 for none. */
export function summarise(values: number[]): Statistics {
	if (values.length === 0) return { mean: 0, stddev: 0, min: 0, max: 0 }
	const mean = values.reduce((sum, value) => sum + value, 0) / values.length
	const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
	const stddev = values.length === 1 ? 0 : Math.sqrt(squares / (values.length - 1))
	return { mean: round4(mean), stddev: round4(stddev), min: round4(Math.min(...values)), max: round4(Math.max(...values)) }
}

/** First configuration minus second, in the order in which they were found; without a second, minus nothing. */
export function describeDelta(runs: Map<string, AggregatedRun[]>): string {
	const [first = 0, second = 0] = [...runs.values()].map((each) => summarise(each.map(({ passRate }) => passRate)).mean)
	const delta = first - second
	return `${delta < 0 ? '-' : '+'}${Math.abs(delta).toFixed(2)}`
}

/** By code point: eval-10 before eval-2. */
function listSorted(directory: string, prefix: string): string[] {
	return readdirSync(directory)
		.filter((name) => name.startsWith(prefix))
		.sort((a, b) => (a < b ? -1 : 1))
}

function toInteger(text: string | undefined): number | undefined {
	return text !== undefined && /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined
}

function readJson(path: string): Fields | undefined {
	try {
		return JSON.parse(readFileSync(path, 'utf8'))
	} catch {
		return undefined
	}
}

function fieldsOf(fields: Fields, key: string): Fields {
	return (fields[key] as Fields | undefined) ?? {}
}

function numberOf(fields: Fields, key: string): number {
	return (fields[key] as number | undefined) ?? 0
}

function round4(value: number): number {
	return Number(value.toFixed(4))
}
