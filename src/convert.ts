import { dirname, resolve } from 'node:path'
import { convertDefinition, TARGETS, type Target } from './formats/convert.ts'
import { parseEvals } from './formats/evals.ts'
import { InputError } from './inputs.ts'
import { readText, showPath } from './io/files.ts'
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
