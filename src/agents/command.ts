import * as z from 'zod'
import { parseJson } from '../formats/json.ts'
import type { Agent, AgentEnd, AgentReport } from './agent.ts'
import { renderPrompt } from './prompt.ts'

/** The environment variable with the path of a JSON file that the program may write. */
export const REPORT_VARIABLE = 'SKILL_EVAL_REPORT'

/** Stderr is shown to people: its end says why. */
const STDERR_TAIL_CHARACTERS = 500

const report = z.object({
	message: z.string().optional(),
	total_tokens: z.number().int().positive().optional(),
	model: z.string().optional(),
})

/**
 * Any program. It gets the prompt on standard input, and in each argument in place of `{prompt}`;
 * what it prints is its final message, unless its report file says another one or it printed more than is kept.
 */
export const commandAgent: Agent = {
	name: 'command',
	call: (task, argv) => {
		const prompt = renderPrompt(task)
		return {
			// A function, because a replacement text would read `$&` in the prompt as an instruction.
			argv: argv.map((argument) => argument.replaceAll('{prompt}', () => prompt)),
			stdin: prompt,
			environment: { SKILL_EVAL_SKILL: task.skill, ...(task.skillPath ? { SKILL_EVAL_SKILL_PATH: task.skillPath } : {}) },
		}
	},
	read: readCommandEnd,
}

function readCommandEnd(end: AgentEnd): AgentReport {
	const said = readReport(end.report)
	// Of a message with a gap, "it does not say so" could not be told.
	const printed = end.stdoutCut ? undefined : end.stdout
	const lastMessage = [said?.message, printed].find((text) => text !== undefined && text.trim() !== '')?.trim()
	const why = describeEnd(end)
	if (why !== undefined) {
		const tail = end.stderr.trim().slice(-STDERR_TAIL_CHARACTERS)
		return { lastMessage, failure: { sentence: why, quotes: tail === '' ? [] : [tail] } }
	}
	if (end.report !== undefined && said === undefined) {
		const hint = 'write {"message": "…", "total_tokens": 1234}, both optional, or no file at all'
		return { lastMessage, failure: { sentence: `the agent's report file (${REPORT_VARIABLE}) is not usable`, quotes: [], hint } }
	}
	return { lastMessage, totalTokens: said?.total_tokens, model: said?.model }
}

/** Undefined only for exit status 0 by the program's own will. */
function describeEnd({ failure, signal, exitCode }: AgentEnd): string | undefined {
	if (failure !== undefined) return `the agent ${failure}`
	if (signal !== undefined) return `the agent was ended by ${signal}`
	return exitCode === 0 ? undefined : `the agent ended with exit status ${exitCode ?? 'unknown'}`
}

function readReport(text: string | undefined): z.infer<typeof report> | undefined {
	const document = text === undefined ? undefined : parseJson(text, 'report').value
	return document && report.safeParse(document.value).data
}
