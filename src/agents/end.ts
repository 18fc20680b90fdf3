import type { AgentEnd } from './agent.ts'

/** Stderr is shown to people: its end says why. */
const STDERR_TAIL_CHARACTERS = 500

/** How the process ended, as a sentence goes on after the agent's name; undefined only for exit status 0 by the program's own will. */
export function describeEnd({ failure, signal, exitCode }: AgentEnd): string | undefined {
	if (failure !== undefined) return failure
	if (signal !== undefined) return `was ended by ${signal}`
	return exitCode === 0 ? undefined : `ended with exit status ${exitCode ?? 'unknown'}`
}

/** The last lines of stderr as a quote, or none. */
export function quoteStderr({ stderr }: AgentEnd): string[] {
	const tail = stderr.trim().slice(-STDERR_TAIL_CHARACTERS)
	return tail === '' ? [] : [tail]
}
