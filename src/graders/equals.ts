import * as z from 'zod'
import type { Grade, OutputFile } from '../model.ts'
import { excerptAt, normalizeLines } from './excerpt.ts'
import type { FilesGrader, Subject } from './grader.ts'
import { describePartial, isWhole } from './search.ts'
import { describeNothing, describeSubject, nameFile } from './target.ts'

const options = z.strictObject({ value: z.string() })

/** Passes if a file's whole text is the value; line ends are normalised and one line end at the end does not count. */
export const equals: FilesGrader<z.infer<typeof options>> = {
	name: 'equals',
	description:
		'The whole text of the target, or of one file in `outputs/`, is the value; one line end at the end does not count.',
	kind: 'files',
	reads: 'whole',
	options,
	fault: ({ value }, target) => {
		if (target.source === 'file' || comparable(value) !== '') return undefined
		const hint = 'name a file as target, or use another grader'
		return { pointer: '/options/value', message: 'an empty value can only be compared with a named file', hint }
	},
	grade: ({ value }, subject) => gradeEquality(comparable(value), subject),
}

function gradeEquality(value: string, subject: Subject): Grade {
	if (subject.files.length === 0) return { outcome: 'fail', evidence: describeNothing(subject) }
	const texts = subject.files.filter((file) => file.kind === 'text')
	if (texts.length === 0) return { outcome: 'fail', evidence: `there is no text to compare in ${describeSubject(subject)}` }
	const equal = texts.find((file) => isWhole(file) && comparable(file.text ?? '') === value)
	if (equal) return { outcome: 'pass', evidence: `${nameFile(subject, equal)} is the expected text` }
	const partial = texts.filter((file) => !isWhole(file))
	if (partial.length > 0) return { outcome: 'error', evidence: describePartial(subject, partial) }
	return { outcome: 'fail', evidence: describeDifference(value, texts, subject) }
}

/** Shows the file that agrees for the most lines. */
function describeDifference(value: string, texts: readonly OutputFile[], subject: Subject): string {
	const compared = texts.map((file) => ({ file, difference: findDifference(value, comparable(file.text ?? '')) }))
	const nearest = compared.reduce((best, next) => (next.difference.line > best.difference.line ? next : best))
	const { line, expected, found } = nearest.difference
	const place = `${nameFile(subject, nearest.file)}:${line}`
	const sentence = `${place}: expected ${showLine(expected, found)}, found ${showLine(found, expected)}`
	return texts.length === 1 ? sentence : `no file in ${describeSubject(subject)} is the expected text; the nearest is ${sentence}`
}

/** The first line, from 1, that differs; a side that has ended has no line there. */
function findDifference(
	value: string,
	text: string,
): { line: number; expected?: string | undefined; found?: string | undefined } {
	const [expected, found] = [value.split('\n'), text.split('\n')]
	const differs = expected.findIndex((line, at) => line !== found[at])
	const at = differs === -1 ? expected.length : differs
	return { line: at + 1, expected: expected[at], found: found[at] }
}

function showLine(line: string | undefined, other = ''): string {
	if (line === undefined) return 'the end of the text'
	let column = 0
	while (column < line.length && line[column] === other[column]) column++
	return JSON.stringify(excerptAt(line, { start: column, end: column }))
}

function comparable(text: string): string {
	return normalizeLines(text).replace(/\n$/, '')
}
