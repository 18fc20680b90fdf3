import type { Failure } from '../model.ts'

/** What an agent is asked to do in one run. Paths are relative to the run's directory, which is the process's working directory. */
export type Task = {
	skill: string
	/** Where the skill under test was placed, if there is one. */
	skillPath?: string | undefined
	prompt: string
	/** The eval's files, as placed. */
	files: string[]
}

/** How to start it. No shell is involved. */
export type AgentCall = { argv: string[]; stdin: string; environment: Record<string, string> }

/** How its process ended, and what it left. */
export type AgentEnd = {
	exitCode?: number | undefined
	signal?: string | undefined
	/** One sentence of ours: not started, timed out, cancelled. */
	failure?: string | undefined
	stdout: string
	/** It printed more than is kept: the middle of stdout is missing. */
	stdoutCut: boolean
	stderr: string
	/** The text of the report file that it was offered, if it wrote one. */
	report?: string | undefined
}

/** What can be told from that end. A failure means that the run measured nothing. */
export type AgentReport = {
	lastMessage?: string | undefined
	totalTokens?: number | undefined
	model?: string | undefined
	failure?: Failure | undefined
}

export type Agent = {
	name: string
	call: (task: Task, argv: string[]) => AgentCall
	read: (end: AgentEnd) => AgentReport
}
