import { basename, dirname, resolve } from 'node:path'
import { convertDefinition, TARGETS, type Target } from './formats/convert.ts'
import { parseEvals } from './formats/evals.ts'
import { toEvalsFile } from './formats/plugin-eval/to-evals.ts'
import { InputError } from './inputs.ts'
import { isDirectory, readText, showPath } from './io/files.ts'
import { findPluginCases } from './io/plugin-cases.ts'
import { nameByDirectory } from './io/suites.ts'
import { formatProblem } from './report/notes.ts'

/**
 * Reads one definition and gives it in another format, with what that format cannot hold.
 * Throws an InputError for a target that does not exist and for a definition that cannot be used.
 */
export async function convert(path: string, to: string, cwd: string): Promise<{ text: string; leftOut: string[] }> {
	const target = TARGETS.find((each): each is Target => each === to)
	if (!target) throw new InputError(`--to must be ${TARGETS.join(' or ')}; it is ${JSON.stringify(to)}`)
	const absolute = resolve(cwd, path)
	const file = showPath(absolute, cwd)
	if (await isDirectory(absolute)) return convertPlugin(absolute, target, cwd)
	const read = await readText(absolute, dirname(absolute))
	if (read.status !== 'read')
		throw new InputError(`${file} ${read.status === 'missing' ? 'does not exist' : `cannot be read: ${read.reason}`}`)
	const skill = nameByDirectory(absolute)
	const errors = parseEvals(read.text, file, skill).problems.filter(({ severity }) => severity === 'error')
	if (errors.length > 0) throw new InputError(errors.map(formatProblem).join('\n'))
	const converted = convertDefinition(read.text, file, target, skill)
	if ('problems' in converted) throw new InputError(converted.problems.map(formatProblem).join('\n'))
	return converted
}

/** A directory is a plugin with cases of `claude plugin eval`. */
async function convertPlugin(directory: string, target: Target, cwd: string): Promise<{ text: string; leftOut: string[] }> {
	const { cases, dirs, problems } = await findPluginCases(directory, cwd)
	const errors = problems.filter(({ severity }) => severity === 'error')
	if (errors.length > 0) throw new InputError(errors.map(formatProblem).join('\n'))
	if (dirs.length === 0)
		throw new InputError(`${showPath(directory, cwd)} has no case of claude plugin eval (case.yaml or prompt.md)`)
	const skill =
		basename(directory)
			.replaceAll(/[^A-Za-z0-9._-]+/g, '-')
			.replace(/^[^A-Za-z0-9]+/, '') || 'plugin'
	const evals = toEvalsFile(skill, [...cases.values()])
	const warnings = problems.filter(({ severity }) => severity === 'warning').map(formatProblem)
	const converted = convertDefinition(evals.text, showPath(directory, cwd), target, skill)
	if ('problems' in converted) throw new InputError(converted.problems.map(formatProblem).join('\n'))
	return { text: converted.text, leftOut: [...warnings, ...evals.leftOut, ...converted.leftOut] }
}
