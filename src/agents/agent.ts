import type { Failure } from '../model.ts'
import type { Transcript } from '../transcript.ts'

/** What an agent is asked to do in one run. Paths are relative to the run's directory, which is the process's working directory. */
export type Task = {
	skill: string
	/** Where the skill under test was placed, if there is one. */
	skillPath?: string | undefined
	prompt: string
	/** The eval's files, as placed. */
	files: string[]
	/** The repository's own wording, already checked. */
	template?: string | undefined
}

/** What the user adds to how an agent is called. */
export type AgentOptions = {
	/** The program and its arguments, for agent `command` only. */
	command: string[]
	model?: string | undefined
	/** Further arguments; they come last, so that they win. */
	args: string[]
	/** Names of the variables that the agent may see. */
	variables: string[]
}

/** How to start it. No shell is involved. */
export type AgentCall = {
	argv: string[]
	stdin: string
	environment: Record<string, string>
	/** Settings that have to be in its home directory, relative to it. */
	homeFiles?: { path: string; text: string }[] | undefined
}

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
	/** An estimate by the agent at list prices. */
	costUsd?: number | undefined
	model?: string | undefined
	transcript?: Transcript | undefined
	turns?: number | undefined
	/** How often it called a tool, and how often it was denied one. */
	toolCalls?: number | undefined
	denied?: number | undefined
	failure?: Failure | undefined
	/** With a failure. `again`: the model's API may answer next time. `stop`: no run of this job can succeed. */
	retry?: 'again' | 'stop' | undefined
}

export type Agent = {
	name: string
	/** Where it looks for skills, relative to the run's directory; the skill is placed nowhere else. */
	skillPlaces: string[]
	/** It is a known program with a record of its own: it gets an empty home directory, and has to write files where an eval looks for files. */
	isKnown: boolean
	/** What its record never tells; a budget over it could not be kept. */
	unreported: ('tokens' | 'cost')[]
	call: (task: Task, options: AgentOptions) => AgentCall
	read: (end: AgentEnd) => AgentReport
}
