import pMap from 'p-map'
import type { Agent } from '../agents/agent.ts'
import { collectFailure } from '../core/collect.ts'
import type { PlannedRun } from '../definition.ts'
import type { Inputs } from '../inputs.ts'
import type { EvalResult } from '../model.ts'
import { renderProgress } from '../report/log-lines.ts'
import { executeInJob, type JobState, startJob } from './attempts.ts'
import { type Machine, readExecution } from './execute.ts'
import { describeError } from './files.ts'
import { gradeRun } from './grade.ts'
import { type Judge, openJudge } from './judge/open.ts'
import type { Log } from './log.ts'
import { writeEvalResult } from './workspace.ts'

/** Executes and grades every run, as many at once as `concurrency` says; a line is printed when one is done. In the order of the plan, one arm after the other. */
export async function measureRuns(
	runs: PlannedRun[],
	agent: Agent,
	inputs: Inputs,
	machine: Machine,
	log: Log,
): Promise<EvalResult[]> {
	const judge = openJudge(inputs, machine)
	const job = startJob()
	let done = 0
	const measure = async (planned: PlannedRun): Promise<EvalResult> => {
		const result = await measureRun(planned, agent, judge, inputs, machine, job)
		log.info(renderProgress(++done, runs.length, { skill: planned.suite.skill, arm: planned.arm }, result))
		return result
	}
	const results: EvalResult[] = []
	// A comparison must not use up the time or the budget of what it is compared with.
	for (const arm of inputs.arms) {
		const ofArm = runs.filter((planned) => planned.arm === arm)
		results.push(...(await pMap(ofArm, measure, { concurrency: inputs.concurrency })))
	}
	return results
}

/** One run that breaks (a full disk, a vanished directory) is not measured, by name; the others go on. */
async function measureRun(
	planned: PlannedRun,
	agent: Agent,
	judge: Judge | undefined,
	inputs: Inputs,
	machine: Machine,
	job: JobState,
): Promise<EvalResult> {
	const { evaluation } = planned
	try {
		const executed = inputs.agent !== 'none'
		const execution = executed
			? await executeInJob(planned, agent, inputs, machine, job)
			: await readExecution(planned, machine.places.cwd)
		const graded = await gradeRun(planned, execution, judge, machine)
		const result = { ...graded, model: execution.model ?? execution.transcript?.model }
		await writeEvalResult(planned, result, executed)
		return result
	} catch (error) {
		return collectFailure(evaluation, { sentence: 'this run could not be carried out', quotes: [describeError(error)] }, {}, [])
	}
}
