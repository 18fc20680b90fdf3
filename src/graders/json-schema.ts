import * as z from 'zod'
import type { Grade, OutputFile } from '../model.ts'
import { listNames, nameKind, shorten } from './excerpt.ts'
import type { FilesGrader, Subject } from './grader.ts'
import { type CompiledSchema, compileSchema } from './schema.ts'
import { describePartial, isWhole } from './search.ts'
import { describeNothing, describeSubject, nameFile } from './target.ts'

const VIOLATIONS_SHOWN = 5

const options = z
	.strictObject({ schema: z.custom<Record<string, unknown>>(isObject, 'must be a JSON Schema, as an object') })
	.superRefine(({ schema }, context) => {
		const compiled = compileSchema(schema)
		if (compiled.ok) return
		context.addIssue({ code: 'custom', path: ['schema'], message: compiled.message, params: { hint: compiled.hint } })
	})

/** Passes if the target is JSON that satisfies the schema; over `outputs/` every `*.json` file must, and there must be one. */
export const jsonSchema: FilesGrader<z.infer<typeof options>> = {
	name: 'json-schema',
	description: 'The target, or every `*.json` file in `outputs/`, satisfies a JSON Schema (draft 2020-12 or draft-07).',
	kind: 'files',
	options,
	reads: 'whole',
	grade: ({ schema }, subject) => gradeSchema(schema, subject),
}

/** The same for what the agent said last, which the artifact-evals vocabulary calls its output. */
export const jsonOutput: FilesGrader<z.infer<typeof options>> = {
	name: 'json-output',
	description: 'The last message is JSON that satisfies a JSON Schema (draft 2020-12 or draft-07).',
	kind: 'files',
	options,
	reads: 'message',
	grade: ({ schema }, subject) => gradeSchema(schema, subject),
}

function gradeSchema(schema: Record<string, unknown>, subject: Subject): Grade {
	const compiled = compileSchema(schema)
	return compiled.ok ? gradeDocuments(compiled.validate, subject) : { outcome: 'error', evidence: compiled.message }
}

type Validate = Extract<CompiledSchema, { ok: true }>['validate']

function gradeDocuments(validate: Validate, subject: Subject): Grade {
	if (subject.files.length === 0) return { outcome: 'fail', evidence: describeNothing(subject) }
	const files = subject.source === 'outputs' ? subject.files.filter((file) => /\.json$/i.test(file.path)) : subject.files
	if (files.length === 0) return { outcome: 'fail', evidence: `there is no *.json file in ${describeSubject(subject)}` }
	const grades = files.map((file) => gradeDocument(validate, file, subject))
	for (const outcome of ['fail', 'error'] as const) {
		const evidence = grades.filter((grade) => grade.outcome === outcome).flatMap((grade) => grade.sentences)
		if (evidence.length > 0) return { outcome, evidence: joinSentences(evidence) }
	}
	const names = files.map((file) => nameFile(subject, file))
	return { outcome: 'pass', evidence: `valid against the schema: ${listNames(names)}` }
}

function gradeDocument(
	validate: Validate,
	file: OutputFile,
	subject: Subject,
): { outcome: Grade['outcome']; sentences: string[] } {
	const name = nameFile(subject, file)
	if (file.kind === 'binary') return { outcome: 'fail', sentences: [`${name} is a binary file, not JSON text`] }
	if (file.kind !== 'text') return { outcome: 'error', sentences: [`${name} is a ${nameKind(file)}, which is not read`] }
	if (file.text === undefined || !isWhole(file)) return { outcome: 'error', sentences: [describePartial(subject, [file])] }
	const parsed = parseJson(file.text)
	if ('fault' in parsed) return { outcome: 'fail', sentences: [`${name} is not JSON: ${parsed.fault}`] }
	const violations = validate(parsed.data)
	const sentences = violations.map(
		({ pointer, message }) => `${name} ${pointer === '' ? '' : `${shorten(pointer, 120)} `}${message}`,
	)
	return { outcome: violations.length === 0 ? 'pass' : 'fail', sentences }
}

function parseJson(text: string): { data: unknown } | { fault: string } {
	if (text.trim() === '') return { fault: 'it is empty' }
	try {
		return { data: JSON.parse(text) }
	} catch (error) {
		return { fault: error instanceof Error ? shorten(error.message) : 'it cannot be parsed' }
	}
}

function joinSentences(sentences: readonly string[]): string {
	const rest = sentences.length - VIOLATIONS_SHOWN
	return `${sentences.slice(0, VIOLATIONS_SHOWN).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`
}

function isObject(value: unknown): boolean {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
}
