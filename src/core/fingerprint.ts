import type { AssertionDefinition, EvalDefinition } from '../definition.ts'
import type { Baseline, Fingerprint, FingerprintPart } from '../model.ts'

/** What was another then, in words; of a value that is short and no hash both sides are quoted. */
export type Difference = { what: string; before?: string | undefined; now?: string | undefined }

type Known = { of: 'agent' | 'judge'; what: string; isHash?: true }

/** Every part of a fingerprint that is the same for all evals. How often a judge is asked is none: a majority of more answers estimates the same verdict. */
export const PARTS: Record<FingerprintPart, Known> = {
	agent: { of: 'agent', what: 'the agent' },
	agent_settings: { of: 'agent', what: 'the command or the arguments of the agent', isHash: true },
	task_prompt: { of: 'agent', what: 'the version of the prompt around the task' },
	judge: { of: 'judge', what: 'the judge' },
	judge_model: { of: 'judge', what: 'the judge’s model' },
	judge_prompt: { of: 'judge', what: 'the version of the judge’s prompt' },
	judge_settings: { of: 'judge', what: 'the command or the settings of the judge', isHash: true },
}

/** What the agent is asked, as one text; equal tasks give equal texts. The bytes of its files are hashed apart. */
export function describeTask({ prompt, expectedOutput, files }: EvalDefinition): string {
	return toCanonical({ prompt, expectedOutput, files })
}

/** What decides an assertion, as one text. Its severity and its weight are none of it: they do not change what was measured. */
export function describeAssertion({ text, hint, grader, options, target, judge, scope }: AssertionDefinition): string {
	return toCanonical({ text, hint, grader, options, target, judge, scope })
}

/**
 * Why an eval's results cannot be compared with the baseline's; empty if they can. A part that one side did not record is no difference: other
 * tools record none. The skill is no part, because its change is what is tested; a judge is one only for what it judges.
 */
export function findDifferences(evaluation: EvalDefinition, now: Fingerprint, before: Baseline['fingerprint']): Difference[] {
	if (before === undefined) return []
	if (before === 'unreadable') return [{ what: 'what the baseline records of its conditions cannot be read' }]
	const isJudged = evaluation.assertions.some(({ skip, grader }) => !skip && grader === 'judge')
	const names = Object.keys(PARTS) as FingerprintPart[]
	const shared = names
		.filter((name) => isJudged || PARTS[name].of !== 'judge')
		.flatMap((name) => compareValues(PARTS[name], now.parts[name], before.parts[name]))
	const [own, old] = [now.evals.get(evaluation.id), before.evals.get(evaluation.id)]
	return [
		...shared,
		...compareValues({ what: 'the agent’s model' }, own?.model, old?.model),
		...compareValues({ what: 'the prompt, the expected output or the list of files', isHash: true }, own?.task, old?.task),
		...compareValues({ what: 'the content of its files', isHash: true }, own?.files, old?.files),
	]
}

/** Whether the assertion at this position was decided in the same way then; true where nobody recorded it. */
export function isSameAssertion(evalId: string, at: number, now: Fingerprint, before: Baseline['fingerprint']): boolean {
	if (before === undefined || before === 'unreadable') return true
	const own = now.evals.get(evalId)?.assertions[at]
	const old = before.evals.get(evalId)?.assertions
	return own === undefined || old === undefined || old.includes(own)
}

function compareValues({ what, isHash }: Pick<Known, 'what' | 'isHash'>, now?: string, before?: string): Difference[] {
	if (now === undefined || before === undefined || now === before) return []
	return [isHash ? { what } : { what, before, now }]
}

/** JSON with sorted keys; what is undefined is left out. */
function toCanonical(value: unknown): string {
	return JSON.stringify(value, (_key, each) => {
		if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
		return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
	})
}
