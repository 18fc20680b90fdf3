/**
 * The Action's entry, and the only place that catches everything. No logic here.
 * The bundle's first statement is `process.exitCode = 1` (scripts/build.mjs, because imports run before any statement of this file);
 * it is cleared by a computed pass and by nothing else.
 */
import * as core from '@actions/core'
import { findUnknownInputs } from './input-names.ts'
import { InputError, judgeKeyVariable, parseInputs } from './inputs.ts'
import { readEvent } from './io/event.ts'
import { openStatus, publishOnGitHub } from './io/github/publish.ts'
import { createLog, neutralise } from './io/log.ts'
import { cancelProcesses } from './io/process.ts'
import { renderLog } from './report/log-lines.ts'
import { run } from './run.ts'

/** Ends a commit status that is pending; nothing to do before there is one. After the verdict too: a job that breaks then is red. */
let abandon = async (): Promise<void> => {}

async function main(): Promise<void> {
	const { env: environment } = process
	const log = createLog(process.stdout)
	const inputs = parseInputs((name) => core.getInput(name), findUnknownInputs(environment))
	const key = environment[judgeKeyVariable(inputs) ?? '']
	if (key) core.setSecret(key)
	const event = await readEvent(environment)
	const places = { cwd: environment.GITHUB_WORKSPACE || process.cwd(), temp: environment.RUNNER_TEMP || '/tmp' }
	abandon = await openStatus(inputs, event, environment, log)
	const result = await run(inputs, {
		places,
		environment,
		event,
		log,
		publish: async (published, paths) => {
			for (const line of renderLog(published)) log.info(line)
			await publishOnGitHub(published, { inputs, event, environment, log, paths })
		},
	})
	if (result.decision.verdict === 'pass') process.exitCode = 0
}

function fail(error: unknown): void {
	process.exitCode = 1
	core.setFailed(neutralise(error instanceof Error ? error.message : String(error)))
	if (error instanceof InputError) core.setOutput('verdict', 'invalid')
	else if (error instanceof Error) core.info(neutralise(error.stack ?? ''))
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => {
		core.error('cancelled: there is no verdict')
		// An exit without a status of its own would be green.
		void Promise.allSettled([cancelProcesses(), abandon()]).finally(() => process.exit(130))
	})
}
process.on('uncaughtException', (error) => {
	fail(error)
	void abandon().finally(() => process.exit(1))
})
process.on('unhandledRejection', (error) => {
	fail(error)
	void abandon().finally(() => process.exit(1))
})

main().catch((error: unknown) => {
	fail(error)
	return abandon()
})
