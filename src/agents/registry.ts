import type { Agent } from './agent.ts'
import { claudeAgent } from './claude.ts'
import { codexAgent } from './codex.ts'
import { commandAgent } from './command.ts'
import { copilotAgent } from './copilot.ts'
import { geminiAgent } from './gemini.ts'
import { opencodeAgent } from './opencode.ts'
import { piAgent } from './pi.ts'

/** Every agent that can be run, by the name of the input `agent`. A new one is a file, a fixture and a line here. */
export const AGENTS = {
	command: commandAgent,
	claude: claudeAgent,
	codex: codexAgent,
	gemini: geminiAgent,
	copilot: copilotAgent,
	opencode: opencodeAgent,
	pi: piAgent,
} satisfies Record<string, Agent>

export type AgentName = keyof typeof AGENTS
export const AGENT_NAMES = Object.keys(AGENTS) as [AgentName, ...AgentName[]]
