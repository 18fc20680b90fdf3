import type { Result } from './decision.ts'

/** Where the files of this run are. Several suites give one path a line. */
export type Paths = { summaries: string[]; benchmarks: string[]; resultJson: string }

/** The step outputs, one table. Only words of ours, integers, numbers and paths: nothing a consumer splices into a script can hurt. */
export function toOutputs({ decision }: Result, paths: Paths): Record<string, string> {
	const { all } = decision.counts
	return {
		verdict: decision.verdict,
		title: decision.title,
		passed: String(all.passed),
		failed: String(all.failed),
		errors: String(all.errors),
		total: String(all.expected),
		'pass-rate': decision.passRate === undefined ? '' : String(Math.floor(decision.passRate * 10_000) / 10_000),
		'summary-path': paths.summaries.join('\n'),
		'benchmark-path': paths.benchmarks.join('\n'),
		'result-json': paths.resultJson,
	}
}
