import * as z from 'zod'
import { parseJson } from '../formats/json.ts'
import type { Agent, AgentEnd, AgentReport } from './agent.ts'
import { describeEnd, quoteStderr } from './end.ts'
import { renderPrompt } from './prompt.ts'

/** The environment variable with the path of a JSON file that the program may write. */
export const REPORT_VARIABLE = 'SKILL_EVAL_REPORT'

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
	// Any agent may be behind the program: `.agents/skills` is where five of the six known ones look, `.claude/skills` where the sixth does.
	skillPlaces: ['.agents/skills', '.claude/skills'],
	isKnown: false,
	unreported: ['cost'],
	call: (task, { command }) => {
		const prompt = renderPrompt(task)
		return {
			// A function, because a replacement text would read `$&` in the prompt as an instruction.
			argv: command.map((argument) => argument.replaceAll('{prompt}', () => prompt)),
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
	if (why !== undefined) return { lastMessage, failure: { sentence: `the agent ${why}`, quotes: quoteStderr(end) } }
	if (end.report !== undefined && said === undefined) {
		const hint = 'write {"message": "…", "total_tokens": 1234}, both optional, or no file at all'
		return { lastMessage, failure: { sentence: `the agent's report file (${REPORT_VARIABLE}) is not usable`, quotes: [], hint } }
	}
	return { lastMessage, totalTokens: said?.total_tokens, model: said?.model }
}

function readReport(text: string | undefined): z.infer<typeof report> | undefined {
	const document = text === undefined ? undefined : parseJson(text, 'report').value
	return document && report.safeParse(document.value).data
}
