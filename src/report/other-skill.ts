import type { OtherArm } from '../definition.ts'
import type { OtherSkill } from '../model.ts'
import { describeDifference } from './aggregate-lines.ts'
import { evalName } from './markdown.ts'
import { HOW } from './words.ts'

/** Of a long list only the beginning helps anybody. */
const MAX_NAMES = 20

const NO_SIGNAL: Record<OtherArm, string> = { without_skill: 'no signal', old_skill: 'no difference' }

/** What the skill, or its change, is good for: the same evals in the other arm, and which evals do not show it. Undefined where nobody asked. */
export function renderOtherSkill(other: OtherSkill | undefined): string | undefined {
	if (!other) return undefined
	const { arm, noSignal, worse, notMeasured, shared } = other
	const how = HOW[arm]
	const { means, change } = describeDifference(other.aggregate, other.delta)
	const own = arm === 'old_skill' ? 'with the new one' : 'with the skill'
	const lines = [
		noSignal.length > 0
			? `${nameEvals(noSignal)} ${noSignal.length === 1 ? 'passes' : 'pass'} ${how} too: ${NO_SIGNAL[arm]}`
			: '',
		shared.passed > 0 ? `assertions that pass ${own} and ${how}: ${shared.passed} of ${shared.measured}` : '',
		worse.length > 0 ? `better ${how}: ${nameEvals(worse)}` : '',
		notMeasured.length > 0 ? `not measured ${how}, and not compared: ${nameEvals(notMeasured)}` : '',
	]
	const list = lines.filter((line) => line !== '').map((line) => `\n- ${line}`)
	const difference = change === '' ? '' : ` · **${own}** ${change}`
	return `**${how.replace('w', 'W')}:** ${means}${difference}${list.length > 0 ? '\n' : ''}${list.join('')}`
}

function nameEvals(ids: string[]): string {
	const rest = ids.length > MAX_NAMES ? [`${ids.length - MAX_NAMES} more`] : []
	return [...ids.slice(0, MAX_NAMES).map(evalName), ...rest].join(', ')
}
