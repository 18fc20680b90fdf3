import { isObject, parseJson } from './json.ts'

/** The mean pass rate (0 to 1) that somebody's benchmark.json in run-evals' flat form claims; undefined if it says nothing usable. For comparison only. */
export function parseClaimedPassRate(text: string, file: string): number | undefined {
	const root = parseJson(text, file).value?.value
	const summary = isObject(root) ? root.run_summary : undefined
	const rate = isObject(summary) ? summary.pass_rate : undefined
	const mean = isObject(rate) ? rate.mean : undefined
	return typeof mean === 'number' && mean >= 0 && mean <= 1 ? mean : undefined
}
