import { AGENTS } from './agents/registry.ts'
import { aggregateSuite } from './core/aggregate.ts'
import { compareSuite } from './core/compare.ts'
import { compareArms } from './core/compare-arms.ts'
import { decide } from './core/gate.ts'
import { countExpected, planRuns } from './core/plan.ts'
import { refuseExecution } from './core/trust.ts'
import type { Provenance, Result } from './decision.ts'
import type { Arm, PlannedRun, Problem, Suite } from './definition.ts'
import type { Inputs } from './inputs.ts'
import { describeJob, type Event } from './io/event.ts'
import type { Machine } from './io/execute.ts'
import { takeFingerprint } from './io/fingerprint.ts'
import type { Log } from './io/log.ts'
import { measureRuns } from './io/measure.ts'
import { findOldSkills } from './io/old-skill.ts'
import { openBaseline } from './io/open-baseline.ts'
import { namesPluginResults, type PluginReport, readPluginResults } from './io/plugin-results.ts'
import { writeReports } from './io/reports.ts'
import { commonDirectory, findSuites, type Places, prepareSuites, readDefinitions } from './io/suites.ts'
import { writeUnfinished } from './io/unfinished.ts'
import { findWeakened } from './io/weakening.ts'
import { readWording } from './io/wording.ts'
import { compareClaim, findExtraEvals, type Measured, readWorkspace } from './io/workspace.ts'
import { JUDGE_PROMPT_VERSION } from './judge/request.ts'
import type { Judging } from './judging.ts'
import type { SuiteResult } from './model.ts'
import type { Paths } from './outputs.ts'
import { VERSION } from './version.ts'

/** The outside: the machine, the event that started this, the log, and where a result is published. */
export type Host = Machine & { event: Event; log: Log; publish: (result: Result, paths: Paths) => Promise<void> }

/**
 * The whole story. In: the inputs (1). Out: the result, which is published and written by then; its verdict is the exit status (13).
 * Throws only for what is a bug or a broken machine.
 */
export async function run(inputs: Inputs, host: Host): Promise<Result> {
	const ready = namesPluginResults(inputs) ? await readPluginResults(inputs, host.places) : await measureSuites(inputs, host) // 2 to 6
	const isInvalid = ready.problems.some(({ severity }) => severity === 'error')
	const suites = isInvalid ? [] : await summariseSuites(ready.suites, ready.measured, inputs, host.places) // 8, 9 aggregate, compare
	const expected = countExpected(isInvalid ? [] : ready.suites)
	const weakened = ready.weakened?.blocks ? ready.weakened.found : []
	const decision = decide({ problems: ready.problems, suites, expected, weakened, allowEmpty: inputs['allow-empty'] }) // 10 decide
	const result = {
		decision,
		suites,
		problems: ready.problems,
		weakened: ready.weakened,
		provenance: describeProvenance(inputs, host),
	}
	const paths = await writeReports(result, ready.directory, inputs) //                        11 render
	await host.publish(result, paths) //                                                       12 publish
	return result
}

async function measureSuites(inputs: Inputs, host: Host): Promise<PluginReport> {
	const found = await findSuites(inputs, host.places) //                                     2 find the suites
	const read = await readDefinitions(found.files, inputs, host.places) //                    3 read their definitions
	const wording = await readWording(inputs, host)
	const old = await findOldSkills(read.suites, inputs, host)
	const problems = [...found.problems, ...read.problems, ...wording.problems, ...old.problems, ...refuse(inputs, host.event)]
	const suites = old.suites.map((suite) => ({ ...suite, wording: wording.value }))
	const ready = await prepareSuites(suites, inputs, host.places.cwd, problems)
	const runs = planRuns(ready.suites, inputs.arms) //                                        4 plan the runs
	const isInvalid = ready.problems.some(({ severity }) => severity === 'error')
	const base = isInvalid ? { problems: [] } : await findWeakened(ready.suites, inputs, host) // 3 compare them with base
	const measured = isInvalid ? new Map() : await collectEvals(ready.suites, runs, inputs, host) // 5, 6 execute and grade each run
	const directory = commonDirectory(inputs, host.places)
	return { suites: ready.suites, problems: [...ready.problems, ...base.problems], weakened: base.weakened, measured, directory }
}

/** Nothing that a stranger controls is started in a job that holds secrets. */
function refuse(inputs: Inputs, event: Event): Problem[] {
	const sentence = inputs.mode === 'run' ? refuseExecution(event.name, event.payload) : undefined
	if (sentence === undefined) return []
	return [
		{
			code: 'refused',
			severity: 'error',
			message: sentence,
			hint: 'run the evals on pull_request, which has neither secrets nor a write token',
		},
	]
}

/** By the suite's workspace: the results of its evals, read where they exist already, else measured now. */
async function collectEvals(suites: Suite[], runs: PlannedRun[], inputs: Inputs, host: Host): Promise<Map<string, Measured>> {
	const { cwd } = host.places
	const bySuite = new Map<string, Measured>()
	if (inputs.mode === 'report') {
		for (const suite of suites) bySuite.set(suite.workspace, await readWorkspace(suite, cwd))
		return bySuite
	}
	await writeUnfinished(suites, commonDirectory(inputs, host.places), inputs, describeProvenance(inputs, host))
	const results = await measureRuns(runs, AGENTS[inputs.agent === 'none' ? 'command' : inputs.agent], inputs, host, host.log)
	for (const suite of suites) {
		const ofArm = (arm: Arm) =>
			runs.flatMap((planned, at) => (planned.suite === suite && planned.arm === arm ? (results[at] ?? []) : []))
		const arm = inputs.arms.find((each) => each !== 'with_skill' && (each !== 'old_skill' || suite.oldSkill))
		const other = arm === undefined || arm === 'with_skill' ? undefined : { arm, evals: ofArm(arm) }
		bySuite.set(suite.workspace, { evals: ofArm('with_skill'), other, problems: await findExtraEvals(suite, cwd) })
	}
	return bySuite
}

async function summariseSuites(
	suites: Suite[],
	measured: Map<string, Measured>,
	inputs: Inputs,
	places: Places,
): Promise<SuiteResult[]> {
	const { cwd } = places
	const results: SuiteResult[] = []
	for (const suite of suites) {
		const { baseline, problems } = await openBaseline(suite, places)
		const own = measured.get(suite.workspace) ?? { evals: [], problems: [] }
		const fingerprint = await takeFingerprint(suite, own.evals, inputs, places, own.root)
		const uncompared = { evals: own.evals, comparison: undefined, problems: [] }
		const compared = baseline ? compareSuite(own.evals, baseline, fingerprint) : uncompared
		const found = [...problems, ...compared.problems, ...own.problems]
		const result = aggregateSuite(suite, compared.evals, compared.comparison, found)
		const claims = own.root === undefined ? [] : await compareClaim(result, own.root, cwd)
		results.push({
			...result,
			fingerprint,
			neighbours: own.neighbours,
			otherSkill: own.other && compareArms(result.evals, own.other),
			problems: [...result.problems, ...claims],
		})
	}
	return results
}

function describeProvenance(inputs: Inputs, host: Host): Provenance {
	return {
		version: VERSION,
		agent: inputs.mode === 'report' ? 'none' : inputs.agent,
		judge: inputs.mode === 'report' ? 'none' : inputs.judge,
		judging: describeJudging(inputs),
		skillVersion: inputs['skill-version'],
		...describeJob(host.environment, host.event),
	}
}

function describeJudging(inputs: Inputs): Judging | undefined {
	if (inputs.mode === 'report' || inputs.judge === 'none') return undefined
	return { model: inputs['judge-model'], promptVersion: JUDGE_PROMPT_VERSION, runs: inputs['judge-runs'] }
}
