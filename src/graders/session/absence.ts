import type { Grade } from '../../model.ts'
import type { Fact } from '../../transcript.ts'
import type { View } from './view.ts'

const NAMES: Record<Fact, string> = {
	'tool-calls': 'tool calls',
	'skill-invocations': 'invocations of skills',
	'file-reads': 'reads of files',
	'file-writes': 'writes of files',
	prompts: 'prompts',
	turns: 'turns',
	texts: 'what the agent said',
	tokens: 'tokens',
	cost: 'cost',
	'sub-agents': 'sub-agents',
}

/**
 * The grade where something was not found: it only counts if this kind of record would hold it.
 * `needs` are the facts that the conclusion rests on; `includesNested`: what sub-agents did counts too.
 */
export function concludeAbsence(view: View, needs: Fact[], includesNested: boolean, grade: Grade): Grade {
	const missing = needs.find((fact) => view.unrecorded.includes(fact))
	if (missing)
		return { outcome: 'error', evidence: `${view.agent} does not record ${NAMES[missing]}, so that their absence proves nothing` }
	if (includesNested && view.hasLostAgents) {
		return {
			outcome: 'error',
			evidence: 'a sub-agent was started and what it did was not recorded, so that nothing follows from what is missing',
		}
	}
	return grade
}
