import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

type ActionFile = { inputs?: Record<string, { default?: string } | null> }

/** What the runner sets for `with:`: a variable for every declared input, with its default where the workflow gives none. */
export function makeInputVariables(actionFile: string, given: Record<string, string>, token: string): Record<string, string> {
	// The failsafe schema: to the runner, a default is text and never a boolean.
	const { inputs = {} } = parse(readFileSync(actionFile, 'utf8'), { schema: 'failsafe' }) as ActionFile
	const defaults = Object.entries(inputs).map(
		([name, input]) => [name, evaluateDefault(name, input?.default ?? '', token)] as const,
	)
	const values = { ...Object.fromEntries(defaults), ...given }
	return Object.fromEntries(
		Object.entries(values).map(([name, value]) => [`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`, value]),
	)
}

function evaluateDefault(name: string, text: string, token: string): string {
	return text.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_all, expression: string) => {
		if (expression === 'github.token') return token
		throw new Error(`The harness cannot evaluate the default of "${name}": ${expression}`)
	})
}
