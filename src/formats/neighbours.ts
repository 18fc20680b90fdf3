import type { Read } from '../definition.ts'
import type { BlindComparison, Neighbours, Suggestion, ToolUse, Version } from '../model.ts'
import { describeValue, isObject, type JsonDocument, type Path, parseJson } from './json.ts'
import { reporter } from './shape.ts'

/**
 * Files that skill-creator's agents leave beside results: metrics.json, history.json, comparison.json, analysis.json.
 * They are shown and decide nothing, so whatever is wrong with one is a notice; what cannot be read is left out, never guessed.
 */

/** More is nothing that a person reads, and each item can be wrong in words of its own. */
const MAX_ITEMS = 50

type Fields = Record<string, unknown>

/** metrics.json: how often the agent used a tool, and how often that went wrong. */
export function parseMetrics(text: string, file: string): Read<ToolUse> {
	return readFile(text, file, (root, report) => readToolUse(root, [], report))
}

/** The same from a grading's `execution_metrics`; nothing if it has none. */
export function parseGradingMetrics(text: string, file: string): Read<ToolUse> {
	return readFile(text, file, ({ execution_metrics: metrics }, report) => {
		if (metrics === undefined || metrics === null) return undefined
		if (isObject(metrics)) return readToolUse(metrics, ['execution_metrics'], report)
		return report('neighbour-shape', ['execution_metrics'], `"execution_metrics" is ${describeValue(metrics)}`)
	})
}

/** Real files also count in other words, or only characters: those counts are unknown, which is not 0. */
function readToolUse(root: Fields, path: Path, report: Notice): ToolUse | undefined {
	const count = (key: string): number | undefined => {
		const value = root[key]
		if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
		if (value !== undefined) report('neighbour-value', [...path, key], `"${key}" is ${describeValue(value)}: taken as unknown`)
		return undefined
	}
	const use = { calls: count('total_tool_calls'), errors: count('errors_encountered') }
	return use.calls === undefined && use.errors === undefined ? undefined : use
}

/** history.json: the versions of a skill, as its improvement went on. */
export function parseHistory(text: string, file: string): Read<NonNullable<Neighbours['history']>> {
	return readFile(text, file, (root, report) => {
		const versions = readList(root, 'iterations', report, (item, path): Version | undefined => {
			const rate = item.expectation_pass_rate
			const isRate = typeof rate === 'number' && rate >= 0 && rate <= 1
			if (rate !== undefined && rate !== null && !isRate) {
				const found = `"expectation_pass_rate" is ${describeValue(rate)}`
				report('neighbour-value', [...path, 'expectation_pass_rate'], `${found}, not a number from 0 to 1: left out`)
			}
			const version = textOf(item.version)
			return version === undefined
				? report('neighbour-shape', path, `a version has no name: "version" is ${describeValue(item.version)}`)
				: { version, passRate: isRate ? rate : undefined, result: textOf(item.grading_result) }
		})
		return versions && { currentBest: textOf(root.current_best), versions }
	})
}

/** comparison.json: which of two outputs a judge preferred, without knowing whose they were. */
export function parseComparison(text: string, file: string): Read<BlindComparison> {
	return readFile(text, file, (root, report) => {
		const winner = textOf(root.winner)?.trim().toUpperCase()
		if (winner === undefined || !['A', 'B', 'TIE'].includes(winner)) {
			return report('neighbour-shape', ['winner'], `"winner" must be A, B or TIE; it is ${describeValue(root.winner)}`)
		}
		const score = (side: string): number | undefined => {
			const rubric = isObject(root.rubric) ? root.rubric[side] : undefined
			const value = isObject(rubric) ? rubric.overall_score : undefined
			if (typeof value === 'number' && Number.isFinite(value)) return value
			if (value !== undefined)
				report('neighbour-value', ['rubric', side, 'overall_score'], `the score of ${side} is ${describeValue(value)}: left out`)
			return undefined
		}
		return { file, winner, a: score('A'), b: score('B') }
	})
}

/** analysis.json: what an analyser suggests to change in the skill. */
export function parseAnalysis(text: string, file: string): Read<Suggestion[]> {
	return readFile(text, file, (root, report) =>
		readList(root, 'improvement_suggestions', report, ({ priority, category, suggestion }, path): Suggestion | undefined => {
			const own = textOf(suggestion)
			return own === undefined
				? report('neighbour-shape', path, `a suggestion has no text: "suggestion" is ${describeValue(suggestion)}`)
				: { priority: textOf(priority), category: textOf(category), text: own }
		}),
	)
}

function readFile<T>(text: string, file: string, read: (root: Fields, report: Notice) => T | undefined): Read<T> {
	const { value: document, problems } = parseJson(text, file)
	if (!document) return { problems: problems.map((problem) => ({ ...problem, severity: 'notice' as const })) }
	const report = noticer(document, file, problems)
	const root = document.value
	if (!isObject(root)) {
		report('neighbour-shape', [], `this must be an object; it is ${describeValue(root)}`)
		return { problems }
	}
	return { value: read(root, report), problems }
}

/** Returns undefined, so that a reader can say what is wrong and give nothing. */
type Notice = (code: string, path: Path, message: string) => undefined

function noticer(document: JsonDocument, file: string, problems: Read<unknown>['problems']): Notice {
	const report = reporter(document, file, problems)
	return (code, path, message) => {
		report(code, path, message, undefined, 'notice')
		return undefined
	}
}

function readList<T>(
	root: Fields,
	key: string,
	report: Notice,
	read: (item: Fields, path: Path) => T | undefined,
): T[] | undefined {
	const list = root[key]
	if (!Array.isArray(list)) return report('neighbour-shape', [key], `"${key}" must be a list; it is ${describeValue(list)}`)
	if (list.length > MAX_ITEMS)
		report('neighbour-cut', [key], `"${key}" has ${list.length} items: only the first ${MAX_ITEMS} are read`)
	return list.slice(0, MAX_ITEMS).flatMap((item: unknown, at) => {
		if (isObject(item)) return read(item, [key, at]) ?? []
		return report('neighbour-shape', [key, at], `an item of "${key}" must be an object; it is ${describeValue(item)}`) ?? []
	})
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
