import type { WithoutSkill } from '../model.ts'
import { describeDifference } from './aggregate-lines.ts'
import { evalName } from './markdown.ts'

/** Of a long list only the beginning helps anybody. */
const MAX_NAMES = 20

/** What the skill is good for: the same evals without it, and which evals do not show it. Undefined where nobody asked. */
export function renderWithoutSkill(arm: WithoutSkill | undefined): string | undefined {
	if (!arm) return undefined
	const { noSignal, worse, notMeasured, shared } = arm
	const { means, change } = describeDifference(arm.aggregate, arm.delta)
	const difference = change === '' ? '' : ` · **with the skill** ${change}`
	const lines = [
		noSignal.length > 0
			? `${nameEvals(noSignal)} ${noSignal.length === 1 ? 'passes' : 'pass'} without the skill too: no signal`
			: '',
		shared.passed > 0 ? `assertions that pass with and without the skill: ${shared.passed} of ${shared.measured}` : '',
		worse.length > 0 ? `better without the skill: ${nameEvals(worse)}` : '',
		notMeasured.length > 0 ? `not measured without the skill, and not compared: ${nameEvals(notMeasured)}` : '',
	]
	const list = lines.filter((line) => line !== '').map((line) => `\n- ${line}`)
	return `**Without the skill:** ${means}${difference}${list.length > 0 ? '\n' : ''}${list.join('')}`
}

function nameEvals(ids: string[]): string {
	const rest = ids.length > MAX_NAMES ? [`${ids.length - MAX_NAMES} more`] : []
	return [...ids.slice(0, MAX_NAMES).map(evalName), ...rest].join(', ')
}
