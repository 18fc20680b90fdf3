import type { Read } from '../definition.ts'
import type { Means } from '../model.ts'
import { describeValue, isObject, type Path, parseJson } from './json.ts'
import { type Report, reporter } from './shape.ts'

/** What somebody's benchmark.json says of the skill's results, and over what its means are. */
export type Benchmark = { means: Means; over: 'evals' | 'runs' }

/**
 * The means of a benchmark.json: run-evals' flat form (over evals), else skill-creator's `with_skill` (over runs). Deltas are never read.
 * Out: no value if the pass rate is anything but a fraction; percentages, counts and prose are refused by name, because nobody can tell 1 % from 1.
 */
export function parseBenchmark(text: string, file: string): Read<Benchmark> {
	const { value: document, problems } = parseJson(text, file)
	if (!document) return { problems }
	const report = reporter(document, file, problems)
	const root = document.value
	const summary = isObject(root) ? root.run_summary : undefined
	if (!isObject(summary)) {
		const place = isObject(root) ? '"run_summary"' : 'the document'
		const found = isObject(root) ? summary : root
		report('benchmark-shape', isObject(root) ? ['run_summary'] : [], `${place} must be an object; it is ${describeValue(found)}`)
		return { problems }
	}
	// A file of ours has both; the flat block means what our own numbers mean.
	const isFlat = summary.pass_rate !== undefined || !isObject(summary.with_skill)
	const path: Path = isFlat ? ['run_summary'] : ['run_summary', 'with_skill']
	const block = isFlat ? summary : (summary.with_skill as Record<string, unknown>)
	const passRate = readPassRate(block.pass_rate, [...path, 'pass_rate'], report)
	if (passRate === undefined) return { problems }
	const positive = (name: string) => readPositive(block[name], [...path, name], report)
	const means = { passRate, seconds: positive('time_seconds'), tokens: positive('tokens') }
	return { value: { means, over: isFlat ? 'evals' : 'runs' }, problems }
}

function readPassRate(metric: unknown, path: Path, report: Report): Means['passRate'] {
	const refuse = (at: Path, found: unknown): undefined => {
		const name = at.slice(1).join('.')
		report(
			'benchmark-pass-rate',
			at,
			`"${name}" must be ${at === path ? 'an object with a "mean"' : 'a number from 0 to 1'}; it is ${describeValue(found)}`,
		)
	}
	if (!isObject(metric)) return refuse(path, metric)
	const { mean } = metric
	return typeof mean === 'number' && mean >= 0 && mean <= 1 ? { mean } : refuse([...path, 'mean'], mean)
}

/** Time and tokens decide nothing: what is no positive number is unknown. */
function readPositive(metric: unknown, path: Path, report: Report): { mean: number } | undefined {
	const mean = isObject(metric) ? metric.mean : metric
	if (isObject(metric) && typeof mean === 'number' && Number.isFinite(mean) && mean > 0) return { mean }
	if (metric !== undefined)
		report(
			'benchmark-value',
			path,
			`"${path.slice(1).join('.')}" is ${describeValue(mean)}: taken as unknown`,
			undefined,
			'notice',
		)
	return undefined
}
