import type { AssertionDefinition } from '../definition.ts'

/** As the artifact-evals vocabulary has it. */
const MAX_RUNS = 50

export type Group = { assertions: AssertionDefinition[]; runs: number; seesTranscript: boolean }
type Configured = { name: string; model?: string | undefined; runs: number }

/**
 * Assertions that are asked in one call: those with the same number of runs that see the same.
 * One that names another provider or model than the configured judge is refused: an answer of somebody else is not what its author wanted.
 */
export function groupByWishes(
	assertions: AssertionDefinition[],
	judge: Configured,
	hasTranscript: boolean,
): { groups: Group[]; refused: { assertion: AssertionDefinition; why: string }[] } {
	const groups = new Map<string, Group>()
	const refused: { assertion: AssertionDefinition; why: string }[] = []
	for (const assertion of assertions) {
		const why = refuse(assertion, judge, hasTranscript)
		if (why !== undefined) {
			refused.push({ assertion, why })
			continue
		}
		const runs = assertion.judge?.runs ?? judge.runs
		const seesTranscript = wantsTranscript(assertion)
		const key = `${runs} ${seesTranscript}`
		const group = groups.get(key) ?? { assertions: [], runs, seesTranscript }
		group.assertions.push(assertion)
		groups.set(key, group)
	}
	return { groups: [...groups.values()], refused }
}

function refuse(assertion: AssertionDefinition, judge: Configured, hasTranscript: boolean): string | undefined {
	const { provider, model, runs } = assertion.judge ?? {}
	if (provider !== undefined && provider !== judge.name)
		return `this assertion names the judge ${JSON.stringify(provider)}; the input "judge" is "${judge.name}"`
	if (model !== undefined && model !== judge.model) {
		const configured = judge.model === undefined ? 'is not set' : `is "${judge.model}"`
		return `this assertion names the model ${JSON.stringify(model)}; the input "judge-model" ${configured}`
	}
	if (runs !== undefined && !(Number.isInteger(runs) && runs >= 1 && runs <= MAX_RUNS))
		return `this assertion asks for ${runs} runs of the judge; 1 to ${MAX_RUNS} are possible`
	if (wantsTranscript(assertion) && !hasTranscript)
		return 'this assertion is about the transcript, and there is none that can be shown'
	return undefined
}

function wantsTranscript({ target }: AssertionDefinition): boolean {
	return target.source === 'transcript' || target.source === 'artifact'
}
