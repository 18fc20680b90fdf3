import type * as z from 'zod'
import type { Problem } from '../definition.ts'
import { describeValue, type JsonDocument, type Path } from './json.ts'

/** Makes a problem at a place of a document: file, line, column and pointer come from the path. */
export type Report = (code: string, path: Path, message: string, hint?: string, severity?: Problem['severity']) => void

/** A `Report` that adds to `problems`. What is only a notice is said once a file, however many places it is about. */
export function reporter(document: JsonDocument, file: string, problems: Problem[]): Report {
	return (code, path, message, hint, severity = 'error') => {
		if (severity === 'notice' && problems.some((problem) => problem.code === code && problem.message === message)) return
		problems.push({ code, severity, file, ...document.locate(path), message, hint })
	}
}

/** Each issue that zod found in the value at `path`, said in a reader's words. */
export function reportIssues(issues: z.core.$ZodIssue[], value: unknown, path: Path, code: string, report: Report): void {
	for (const issue of issues) {
		const at = [...path, ...(issue.path as Path)]
		if (issue.code === 'unrecognized_keys') {
			for (const key of issue.keys)
				report(code, [...at, key], `${JSON.stringify(key)} is not a known field`, 'remove it, or correct its spelling')
		} else {
			report(code, at, describeIssue(issue, valueAt(value, issue.path as Path)))
		}
	}
}

function describeIssue(issue: z.core.$ZodIssue, found: unknown): string {
	const field = issue.path.length > 0 ? `"${issue.path.join('.')}" ` : ''
	if (issue.code === 'invalid_value') {
		return `${field}must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}; it is ${describeValue(found)}`
	}
	if (issue.code === 'invalid_type') return `${field}must be ${withArticle(issue.expected)}; it is ${describeValue(found)}`
	return `${field}is not usable: ${issue.message}`
}

const WORDS: Record<string, string> = {
	string: 'a text',
	number: 'a number',
	int: 'a whole number',
	boolean: 'true or false',
	object: 'an object',
	record: 'an object',
	array: 'a list',
}

function withArticle(expected: string): string {
	return WORDS[expected] ?? expected
}

function valueAt(value: unknown, path: Path): unknown {
	return path.reduce<unknown>(
		(inner, part) => (typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[part] : undefined),
		value,
	)
}
