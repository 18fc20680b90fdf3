import type { AgentReport } from '../agents/agent.ts'
import { PROMPT_VERSION } from '../agents/prompt.ts'
import { toText } from './results.ts'

/** agent.json of one run: what the agent said about itself. What it did not say is left out. */
export function formatAgentFacts(agent: string, { model, totalTokens, costUsd, turns, toolCalls, denied }: AgentReport): string {
	return toText({
		agent,
		model,
		prompt_version: PROMPT_VERSION,
		total_tokens: totalTokens,
		cost_usd: costUsd,
		turns,
		tool_calls: toolCalls,
		denied_tool_calls: denied,
	})
}
