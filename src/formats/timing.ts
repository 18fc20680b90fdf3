import type { Problem, Read } from '../definition.ts'
import type { Timing } from '../model.ts'
import { describeValue, isObject, type JsonDocument, parseJson } from './json.ts'
import { type Report, reporter } from './shape.ts'

/** Under which names a duration is known, with what one of its units has in milliseconds; the canonical ones first. */
const DURATIONS: [string, number][] = [
	['duration_ms', 1],
	['elapsed_ms', 1],
	...['total_duration_seconds', 'duration_seconds', 'time_seconds', 'elapsed_seconds', 'total_seconds'].map(
		(key): [string, number] => [key, 1000],
	),
]
const TOKENS: [string, number][] = [
	['total_tokens', 1],
	['tokens', 1],
]

/** In a grading; what it says of the grader's own time is not the run's. */
const RUN_DURATIONS: [string, number][] = [
	['total_duration_seconds', 1000],
	['executor_duration_seconds', 1000],
]

/**
 * A timing.json in any of the spellings that are found.
 * What is no positive number is unknown, with a notice; a timing never decides anything.
 */
export function parseTiming(text: string, file: string): Read<Timing> {
	const { value: document, problems } = parseJson(text, file)
	if (!document) return { value: {}, problems: problems.map((problem) => ({ ...problem, severity: 'notice' as const })) }
	const report = reporter(document, file, problems)
	const root = document.value
	if (!isObject(root)) {
		report('timing-shape', [], `a timing must be an object; this is ${describeValue(root)}`, undefined, 'notice')
		return { value: {}, problems }
	}
	return { value: { durationMs: readMeasure(root, DURATIONS, report), totalTokens: readMeasure(root, TOKENS, report) }, problems }
}

/** What a grading says of its run's time, for a run that has no timing.json. */
export function readGradingTiming(timing: unknown, document: JsonDocument, file: string): Read<Timing> {
	const problems: Problem[] = []
	const inner = reporter(document, file, problems)
	const report: Report = (code, path, ...rest) => inner(code, ['timing', ...path], ...rest)
	if (isObject(timing)) return { value: { durationMs: readMeasure(timing, RUN_DURATIONS, report) }, problems }
	report('timing-shape', [], `a timing must be an object; this is ${describeValue(timing)}`, undefined, 'notice')
	return { value: {}, problems }
}

/** The first of the names with a usable value. A zero stands for "unknown" in hundreds of real files, and nothing takes no time. */
function readMeasure(root: Record<string, unknown>, names: [string, number][], report: Report): number | undefined {
	for (const [key, factor] of names) {
		const value = root[key]
		if (value === undefined) continue
		if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value * factor
		report('timing-value', [key], `"${key}" is ${describeValue(value)}: taken as unknown`, undefined, 'notice')
	}
	return undefined
}
