import { join } from 'node:path'
import { PROMPT_VERSION } from '../agents/prompt.ts'
import type { Result } from '../decision.ts'
import type { Inputs } from '../inputs.ts'
import type { Paths } from '../outputs.ts'
import { formatResult } from '../report/result-json.ts'
import { renderSummary } from '../report/summary.ts'
import { writeText } from './files.ts'
import { writeBenchmark } from './workspace.ts'

/** Writes each suite's benchmark.json, feedback.json and summary.md, and result.json beside the workspaces. Throws if one cannot be written. */
export async function writeReports(result: Result, directory: string, inputs: Inputs): Promise<Paths> {
	const { provenance } = result
	const isPrompted = inputs.mode === 'run' && inputs.agent !== 'none'
	const paths: Paths = { summaries: [], benchmarks: [], resultJson: join(directory, 'result.json') }
	for (const [at, suite] of result.suites.entries()) {
		const { workspace, wording } = suite.suite
		const promptVersion = isPrompted ? (wording?.version ?? PROMPT_VERSION) : 'unknown'
		const { agent, judge, judging, version } = provenance
		await writeBenchmark(suite, { agent, judge, judging, promptVersion, version })
		await writeText(join(workspace, 'summary.md'), renderSummary(suite, provenance, result.decision.suites[at] ?? 'incomplete'))
		paths.summaries.push(join(workspace, 'summary.md'))
		paths.benchmarks.push(join(workspace, 'benchmark.json'))
	}
	await writeText(paths.resultJson, formatResult(result))
	return paths
}
