import { setTimeout as delay } from 'node:timers/promises'
import type { Agent } from '../agents/agent.ts'
import type { PlannedRun } from '../definition.ts'
import type { Inputs } from '../inputs.ts'
import type { Execution, Failure } from '../model.ts'
import { executeRun, type Machine, type Try } from './execute.ts'

/** Before the second and the third try of a run: a rate limit passes within seconds, or not soon. */
const PAUSES_MS = [2_000, 10_000]
/** Of one job. An outage of an hour must not multiply a suite's runs. */
const RETRIES_PER_JOB = 12

/** What all runs of a job share: how often may still be tried again, what was used, and why nothing more is started. */
export type JobState = { retriesLeft: number; tokens: number; costUsd: number; stopped?: Failure | undefined }

export function startJob(): JobState {
	return { retriesLeft: RETRIES_PER_JOB, tokens: 0, costUsd: 0 }
}

/**
 * One run with its retries. A fault of the model's API that may pass is tried again; a wrong key stops the whole job,
 * and so does a budget that is used up: every run that was not started by then fails with that one sentence.
 */
export async function executeInJob(
	planned: PlannedRun,
	agent: Agent,
	inputs: Inputs,
	machine: Machine,
	job: JobState,
): Promise<Execution> {
	for (let attempt = 0; ; attempt++) {
		if (job.stopped) return notStarted(job.stopped)
		const { retry, ...execution } = await executeRun(planned, agent, inputs, machine)
		spend(execution, inputs, job)
		if (retry === 'stop') job.stopped ??= toStop(execution)
		const pause = PAUSES_MS[attempt]
		if (retry !== 'again' || pause === undefined || job.retriesLeft === 0) return countTries(execution, attempt + 1)
		job.retriesLeft--
		await delay(pause)
	}
}

function notStarted(failure: Failure): Execution {
	return { timing: {}, outputs: { files: [] }, failure, problems: [] }
}

/** The others fail for the same reason, without the words of this one run. */
function toStop({ failure }: Pick<Try, 'failure'>): Failure | undefined {
	return failure && { sentence: failure.sentence, quotes: [], hint: failure.hint }
}

/** What a run does not report is not zero: a budget over it could not be kept any more. */
function spend({ timing, costUsd }: Execution, inputs: Inputs, job: JobState): void {
	const budgets = [
		{ name: 'max-tokens', unit: 'tokens', limit: inputs['max-tokens'], used: timing.totalTokens, before: job.tokens },
		{ name: 'max-cost-usd', unit: 'US dollars', limit: inputs['max-cost-usd'], used: costUsd, before: job.costUsd },
	]
	for (const { name, unit, limit, used, before } of budgets) {
		if (limit === undefined) continue
		const total = before + (used ?? Number.NaN)
		if (total < limit) continue
		const sum =
			used === undefined ? `a run did not say how much it used` : `${Math.round(total * 1e4) / 1e4} of ${limit} ${unit} are used`
		job.stopped ??= { sentence: `budget reached: ${sum}`, quotes: [], hint: `raise the input "${name}", or run fewer evals` }
	}
	job.tokens += timing.totalTokens ?? 0
	job.costUsd += costUsd ?? 0
}

function countTries(execution: Execution, tries: number): Execution {
	const { failure } = execution
	if (!failure || tries === 1) return execution
	return { ...execution, failure: { ...failure, sentence: `${failure.sentence}, ${tries} times in a row` } }
}
