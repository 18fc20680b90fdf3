import { resolve } from 'node:path'
import { CLAUDE_QUIET } from '../../agents/claude.ts'
import { type Inputs, judgeKeyVariable } from '../../inputs.ts'
import { allowEnvironment } from '../environment.ts'
import type { Machine } from '../execute.ts'
import type { Ask, Reply } from './ask.ts'
import { type Cache, openCache } from './cache.ts'
import { modelJudge } from './model-api.ts'
import { cliJudge, commandJudge } from './process.ts'

/** The judge of one job, with what it has learnt: that its key is wrong, and how much of its time is used up. */
export type Judge = {
	/** As the input `judge` has it. */
	name: string
	model?: string | undefined
	runs: number
	strictEvidence: boolean
	seesExpected: boolean
	cache?: Cache | undefined
	/** Within the time that a call, its second try included, and the job have left. Once nothing more can come of asking, nobody is asked. */
	ask: Ask
	/** How long one question may take, its repair included. */
	callMs: number
}

/** The judge that the inputs name; undefined for `none`. Nothing is asked or loaded yet. */
export function openJudge(inputs: Inputs, machine: Machine): Judge | undefined {
	const ask = chooseJudge(inputs, machine)
	if (!ask) return undefined
	const keyVariable = judgeKeyVariable(inputs)
	const key = keyVariable === undefined ? undefined : machine.environment[keyVariable]
	const directory = inputs['judge-cache']
	return {
		name: inputs.judge,
		model: inputs['judge-model'],
		runs: inputs['judge-runs'],
		strictEvidence: inputs['judge-strict-evidence'],
		seesExpected: inputs['judge-sees-expected'],
		cache: directory && key ? openCache(resolve(machine.places.cwd, directory), key) : undefined,
		ask: limit(ask, inputs['judge-budget']),
		callMs: inputs['judge-timeout'] * 1000,
	}
}

function chooseJudge(inputs: Inputs, { places, environment }: Machine): Ask | undefined {
	const { judge } = inputs
	const [model, baseUrl] = [inputs['judge-model'], inputs['judge-base-url']]
	const allowed = allowEnvironment(environment, inputs['judge-env'])
	const keyVariable = judgeKeyVariable(inputs) ?? ''
	const key = environment[keyVariable]
	if (judge === 'none') return undefined
	if (judge === 'command') return commandJudge(inputs['judge-command'] ?? [], places.cwd, allowed)
	if (judge === 'claude') {
		const more = { ...(key ? { ANTHROPIC_API_KEY: key } : {}), ...(baseUrl ? { ANTHROPIC_BASE_URL: baseUrl } : {}) }
		return cliJudge({ name: judge, model, environment: { ...CLAUDE_QUIET, ...allowed, ...more }, temp: places.temp })
	}
	if (judge === 'codex') {
		const more = key ? { CODEX_API_KEY: key } : {}
		return cliJudge({ name: judge, model, baseUrl, environment: { ...allowed, ...more }, temp: places.temp })
	}
	return modelJudge({ provider: judge, model: model ?? '', baseUrl, apiKey: key, keyVariable })
}

/** The time of all calls of the job together is limited, and what no call can mend ends them all. */
function limit(ask: Ask, budgetSeconds: number): Ask {
	let spentMs = 0
	let stopped: Reply | undefined
	return async (request, timeoutMs) => {
		if (stopped) return stopped
		const leftMs = budgetSeconds * 1000 - spentMs
		if (!(leftMs > 0)) return { failure: `the judge's time for the whole job is used up (judge-budget, ${budgetSeconds} s)` }
		const started = performance.now()
		const reply = await ask(request, Math.min(timeoutMs, leftMs))
		spentMs += performance.now() - started
		if ('failure' in reply && reply.stop) stopped = reply
		return reply
	}
}
