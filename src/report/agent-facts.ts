import type { AgentReport } from '../agents/agent.ts'
import { toText } from './results.ts'

/** agent.json of one run: what the agent said about itself. What it did not say is left out. */
export function formatAgentFacts(
	agent: string,
	promptVersion: string,
	{ model, totalTokens, costUsd, turns, toolCalls, denied }: AgentReport,
): string {
	return toText({
		agent,
		model,
		prompt_version: promptVersion,
		total_tokens: totalTokens,
		cost_usd: costUsd,
		turns,
		tool_calls: toolCalls,
		denied_tool_calls: denied,
	})
}
