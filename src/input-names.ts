import { guessName } from './graders/spelling.ts'
import { INPUT_NAMES } from './inputs.ts'

/** What other report actions call it. */
const ALIASES = new Map([
	['token', 'github-token'],
	['repo-token', 'github-token'],
	['model', 'agent-model'],
	['fail-on', 'block-on'],
	['comment-mode', 'comment'],
])

/**
 * The faults of inputs that do not exist. In: the environment, in which the runner sets `INPUT_<NAME>` for each key below `with:`, known or
 * not. A name with a hyphen comes from nowhere else; one without may be a variable of the workflow's own, and is a fault only if it is
 * nearly one of ours: a misspelt input that is ignored would leave the gate on its default.
 */
export function findUnknownInputs(environment: Record<string, string | undefined>): string[] {
	const given = Object.entries(environment).flatMap(([variable, value]) =>
		/^INPUT_./i.test(variable) && value !== undefined && value.trim() !== '' ? [variable.slice(6).toLowerCase()] : [],
	)
	return given.flatMap((name) => {
		if (INPUT_NAMES.some((known) => known === name)) return []
		const meant = ALIASES.get(name.replaceAll('_', '-')) ?? guessName(name, INPUT_NAMES)
		if (meant === undefined && !name.includes('-')) return []
		const advice =
			meant === undefined
				? 'remove it; README.md lists all inputs'
				: `write "${meant}", or rename the variable INPUT_${name.toUpperCase()} if it is your own`
		return [`there is no input ${JSON.stringify(name)}: ${advice}`]
	})
}
