/**
 * What an agent did, as the record that it printed or kept tells it, whichever agent it was. Types only; the readers are in `transcripts/`.
 * Everything in it is untrusted text. `at` is an ordinal: it orders everything that one transcript holds, and a window is a range of ordinals.
 */

export type TranscriptFormat = 'claude-session' | 'claude-stream' | 'codex' | 'gemini' | 'copilot' | 'opencode' | 'pi'

/**
 * What a kind of record may be unable to tell. `file-reads` are reads with a tool of their own: what a shell command reads nobody records.
 * `prompts` are the user's words, `turns` their count.
 */
export type Fact =
	| 'tool-calls'
	| 'skill-invocations'
	| 'file-reads'
	| 'file-writes'
	| 'prompts'
	| 'turns'
	| 'texts'
	| 'tokens'
	| 'cost'
	| 'sub-agents'

/** Where in the transcript: the ordinal, and the sub-agent's branch (absent = the main chain). */
export type Located = { at: number; branch?: string | undefined }

export type ToolCall = Located & {
	/** As the agent names it; one tool has other names in other agents. */
	name: string
	input: unknown
	/** What came of it, where the record says so. */
	result?: 'ok' | 'failed' | 'denied' | undefined
}
/** `tool`: a call of the skill tool; `command`: the user's slash form; `read`: only its SKILL.md was read. */
export type SkillInvocation = Located & { skill: string; by: 'tool' | 'command' | 'read'; result?: ToolCall['result'] }
/** The path as the agent gave it, with `/`. */
export type FileAccess = Located & { path: string; op: 'read' | 'write' | 'edit'; result?: ToolCall['result'] }
export type SpokenText = Located & { text: string }
/** A sub-agent: started by the call at `at` on the chain `parent` (absent = the main chain). */
export type Branch = { id: string; at: number; agentType?: string | undefined; parent?: string | undefined }
/** A call that should start a sub-agent; `branch` is absent where nothing of what it did was recorded. */
export type AgentSpawn = Located & { agentType?: string | undefined; child?: string | undefined }

/** `input` holds all input tokens, cached or not; `output` all output tokens, reasoning included. A message that the record repeats counts once. */
export type Usage = { input: number; output: number }

export type Transcript = {
	format: TranscriptFormat
	/** As a sentence names it: `Claude Code`, `Codex`. */
	agent: string
	/** What this record can never tell. A grader that would have to conclude something from its absence answers `error`. */
	unrecorded: Fact[]
	/** One more than the last ordinal. */
	end: number
	model?: string | undefined
	toolCalls: ToolCall[]
	skillInvocations: SkillInvocation[]
	fileAccesses: FileAccess[]
	prompts: SpokenText[]
	texts: SpokenText[]
	spawns: AgentSpawn[]
	branches: Branch[]
	/** Of the whole session, where the record counts them itself. */
	turns?: number | undefined
	usage?: Usage | undefined
	costUsd?: number | undefined
	/** `finished`: the agent says that it ended as it should; `failed`: it says that it did not; `open`: it says neither, as after a kill. */
	ending: 'finished' | 'failed' | 'open'
	/** What went wrong, where the record says so: the agent's own words, and the HTTP status of the model's API. */
	fault?: { message: string; status?: number | undefined } | undefined
	/** What was noticed while reading, one sentence each, in our own words. */
	notices: string[]
}
