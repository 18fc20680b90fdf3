import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const VARIABLES = ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY', 'GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_STATE'] as const

type Variable = (typeof VARIABLES)[number]

/** The files a step talks to the runner with: made empty, read afterwards. */
export type RunnerFiles = { env: Record<Variable, string>; read: (variable: Variable) => string }

export function makeRunnerFiles(dir: string): RunnerFiles {
	const env = Object.fromEntries(VARIABLES.map((name) => [name, join(dir, name.toLowerCase())])) as Record<Variable, string>
	for (const path of Object.values(env)) writeFileSync(path, '')
	return { env, read: (variable) => readFileSync(env[variable], 'utf8') }
}

/** `name=value` lines and heredocs as the runner reads them from GITHUB_OUTPUT. What makes the runner fail the step throws here. */
export function parseRunnerFile(text: string): Record<string, string> {
	const values: [string, string][] = []
	const lines = text.split('\n')
	if (lines.at(-1) === '') lines.pop()
	for (let index = 0; index < lines.length; index += 1) {
		const line = lines[index] ?? ''
		if (line === '') continue
		const [, name = '', operator, rest = ''] = /^(.*?)(=|<<)(.*)$/s.exec(line) ?? []
		if (operator === '=') {
			values.push([name, rest])
			continue
		}
		if (operator === undefined || name === '' || rest === '') throw new Error(`The runner refuses this line: ${line}`)
		const end = lines.indexOf(rest, index + 1)
		if (end < 0) throw new Error(`The runner finds no end "${rest}" of the value of "${name}".`)
		values.push([name, lines.slice(index + 1, end).join('\n')])
		index = end
	}
	return Object.fromEntries(values)
}
