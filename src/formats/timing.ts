import type { Read, Timing } from '../model.ts'
import { describeValue, isObject, parseJson } from './json.ts'
import { type Report, reporter } from './shape.ts'

/**
 * A timing.json: `duration_ms` (else `total_duration_seconds`) and `total_tokens`.
 * What is no positive number is unknown with a notice; a timing never decides anything.
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
	const milliseconds = readMeasure(root, 'duration_ms', report)
	const seconds = milliseconds === undefined ? readMeasure(root, 'total_duration_seconds', report) : undefined
	const durationMs = milliseconds ?? (seconds === undefined ? undefined : seconds * 1000)
	return { value: { durationMs, totalTokens: readMeasure(root, 'total_tokens', report) }, problems }
}

function readMeasure(root: Record<string, unknown>, key: string, report: Report): number | undefined {
	const value = root[key]
	if (value === undefined) return undefined
	if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
	report('timing-value', [key], `"${key}" is ${describeValue(value)}: taken as unknown`, undefined, 'notice')
	return undefined
}
