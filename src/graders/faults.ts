import type * as z from 'zod'
import type { Fault } from './grader.ts'
import { guessName } from './spelling.ts'

/** What is wrong with an assertion's options, one entry a fault; `known` are the options that the grader has. */
export function listFaults(issues: readonly z.core.$ZodIssue[], options: unknown, known: readonly string[]): Fault[] {
	return issues.flatMap((issue) => {
		if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
			return issue.keys.map((key) => nameUnknownOption(key, known))
		if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => nameUnknownPart(key, issue))
		const pointer = writePointer(['options', ...issue.path])
		return [{ pointer, message: writeMessage(issue, options), hint: readHint(issue) }]
	})
}

/** The fault for an option that a grader does not have. */
export function nameUnknownOption(key: string, known: readonly string[]): Fault {
	const guess = guessName(key, known)
	const list = known.length > 0 ? `the options are ${known.join(', ')}` : 'it has no options'
	const hint = guess === undefined ? undefined : `write ${JSON.stringify(guess)}`
	return { pointer: writePointer(['options', key]), message: `the option ${JSON.stringify(key)} is not known; ${list}`, hint }
}

/** A key inside an option; the option's own error message lists what it knows. */
function nameUnknownPart(key: string, issue: z.core.$ZodIssue): Fault {
	const message = `${JSON.stringify(key)} is not known in ${JSON.stringify(issue.path.map(String).join('.'))}; ${issue.message}`
	return { pointer: writePointer(['options', ...issue.path, key]), message }
}

function writePointer(path: readonly PropertyKey[]): string {
	return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function writeMessage(issue: z.core.$ZodIssue, options: unknown): string {
	const name = issue.path.length > 0 ? JSON.stringify(issue.path.map(String).join('.')) : 'options'
	// Ours are whole sentences, except those that begin with what a value must be.
	if (issue.code !== 'invalid_type') return issue.message.startsWith('must ') ? `${name} ${issue.message}` : issue.message
	const value = issue.path.reduce<unknown>(
		(part, key) => (isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined),
		options,
	)
	if (value === undefined) return `${name} is missing`
	return `${name} must be ${nameType(issue.expected)}, not ${nameValue(value)}`
}

function nameType(expected: string): string {
	const names: Record<string, string> = {
		int: 'a whole number',
		number: 'a whole number',
		array: 'a list',
		object: 'an object',
		boolean: 'true or false',
	}
	return names[expected] ?? `a ${expected}`
}

function nameValue(value: unknown): string {
	if (value === null) return 'null'
	if (Array.isArray(value)) return 'a list'
	return typeof value === 'object' ? 'an object' : `the ${typeof value} ${JSON.stringify(value)?.slice(0, 80)}`
}

function readHint(issue: z.core.$ZodIssue): string | undefined {
	const hint: unknown = issue.code === 'custom' ? issue.params?.hint : undefined
	return typeof hint === 'string' ? hint : undefined
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
	return typeof value === 'object' && value !== null
}
