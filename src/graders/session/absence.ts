import type { Grade } from '../../model.ts'
import type { Fact } from '../../transcript.ts'
import { listNames } from '../excerpt.ts'
import { findOwnTools } from './tool-names.ts'
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

/**
 * The grade where a call of these tools was not found. One tool has other names in other programs: that Codex never used "Bash" says nothing of
 * whether it ran commands.
 */
export function concludeToolAbsence(view: View, tools: string[], includesNested: boolean, grade: Grade): Grade {
	const reason = tools.map((tool) => explainForeignTool(view, tool)).find((each) => each !== undefined)
	if (reason !== undefined) return { outcome: 'error', evidence: `${reason}, so that its absence proves nothing` }
	return concludeAbsence(view, ['tool-calls'], includesNested, grade)
}

/** That this program has no such tool, if the name is another program's and was never seen here. */
export function explainForeignTool({ agent, format, toolCalls }: View, tool: string): string | undefined {
	const own = toolCalls.some(({ name }) => name === tool) ? undefined : findOwnTools(format, tool)
	return own && `${agent} has no tool ${JSON.stringify(tool)} (its tools are ${listNames(own)})`
}
