import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { shorten } from './excerpt.ts'
import { schemaRegExp } from './pattern.ts'

/** A schema that can be used, or why it cannot. `validate` gives one `{ pointer, message }` a violation; none if the data is valid. */
export type CompiledSchema = { ok: true; validate: (data: unknown) => Violation[] } | { ok: false; message: string; hint: string }
/** `pointer` is a JSON Pointer into the data. */
export type Violation = { pointer: string; message: string }

const DRAFTS = new Map([
	['https://json-schema.org/draft/2020-12/schema', Ajv2020],
	['http://json-schema.org/draft-07/schema', Ajv],
	['https://json-schema.org/draft-07/schema', Ajv],
])
const MAX_DEPTH = 64
const MAX_NODES = 20_000
// The pattern of `url` is native and takes quadratic time; those of the other formats were measured and do not.
const MAX_URL = 5_000

// Compiling takes some 40 ms, and each schema is compiled when it is checked and again for each run.
const compiled = new WeakMap<Record<string, unknown>, CompiledSchema>()

/** Compiles a JSON Schema, draft 2020-12 or, where `$schema` says so, draft-07; nothing is fetched. The schema must not change later. */
export function compileSchema(schema: Record<string, unknown>): CompiledSchema {
	const result = compiled.get(schema) ?? compileAnew(schema)
	compiled.set(schema, result)
	return result
}

function compileAnew(schema: Record<string, unknown>): CompiledSchema {
	const fault = explainShape(schema)
	if (fault !== undefined) return { ok: false, message: fault, hint: 'see https://json-schema.org' }
	const { $schema, ...rest } = schema
	const Draft = $schema === undefined ? Ajv2020 : typeof $schema === 'string' ? DRAFTS.get($schema.replace(/#$/, '')) : undefined
	if (!Draft) {
		const hint = `use one of ${[...DRAFTS.keys()].slice(0, 2).join(', ')}, or leave "$schema" out`
		return { ok: false, message: `"$schema" is ${shorten(JSON.stringify($schema))}, which is not supported`, hint }
	}
	try {
		const validator = replaceUniqueItems(new Draft(settings())).compile(rest)
		return { ok: true, validate: (data) => runValidator(validator, data) }
	} catch (error) {
		return { ok: false, ...explainRefusal(error instanceof Error ? error.message : String(error)) }
	}
}

function settings(): Options {
	return {
		strict: true,
		strictRequired: false,
		strictTuples: false,
		allowUnionTypes: true,
		allErrors: true,
		// Without it "toString" is there in every object.
		ownProperties: true,
		logger: false,
		formats: { ...fullFormats, url: isUrl },
		code: { regExp: schemaRegExp },
	}
}

function isUrl(text: string): boolean {
	return text.length <= MAX_URL && fullFormats.url instanceof RegExp && fullFormats.url.test(text)
}

/** ajv compares each item with each other one; the agent chooses how many there are. */
function replaceUniqueItems(ajv: Ajv | Ajv2020): Ajv | Ajv2020 {
	ajv.removeKeyword('uniqueItems')
	return ajv.addKeyword({
		keyword: 'uniqueItems',
		type: 'array',
		schemaType: 'boolean',
		error: { message: 'must NOT have duplicate items' },
		validate: (wanted: boolean, items: unknown[]) => !wanted || new Set(items.map(writeCanonical)).size === items.length,
	})
}

function writeCanonical(value: unknown): string {
	return JSON.stringify(value, (_key, part: unknown) => {
		if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
		// Pairs, because a "__proto__" key would get lost in an object.
		return { pairs: Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)) }
	})
}

function runValidator(validator: ValidateFunction, data: unknown): Violation[] {
	const valid: unknown = validator(data)
	if (valid === true) return []
	const violations = (validator.errors ?? []).map((error) => ({ pointer: error.instancePath, message: describeError(error) }))
	return violations.length > 0 ? violations : [{ pointer: '', message: 'is not valid' }]
}

function describeError(error: ErrorObject): string {
	const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = error.params
	const detail = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue
	return `${error.message ?? error.keyword}${detail === undefined ? '' : ` (${shorten(JSON.stringify(detail), 80)})`}`
}

/** Why a value is not usable as a schema before ajv sees it: ajv recurses, and passes over what it does not expect. */
function explainShape(schema: Record<string, unknown>): string | undefined {
	if (Object.hasOwn(schema, '$async')) return 'the schema has "$async", which is not supported'
	let nodes = 0
	const visit = (value: unknown, depth: number): string | undefined => {
		if (++nodes > MAX_NODES) return `the schema has more than ${MAX_NODES} parts`
		if (typeof value !== 'object' || value === null)
			return isScalar(value) ? undefined : 'the schema holds something that is not JSON'
		if (depth > MAX_DEPTH) return `the schema is nested more than ${MAX_DEPTH} levels deep`
		if (!Array.isArray(value) && !isPlain(value)) return 'the schema holds something that is not JSON'
		if (Object.hasOwn(value, '__proto__')) return 'the schema has the key "__proto__", which cannot be checked'
		for (const part of Object.values(value)) {
			const fault = visit(part, depth + 1)
			if (fault !== undefined) return fault
		}
		return undefined
	}
	return visit(schema, 1)
}

function isScalar(value: unknown): boolean {
	return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value)
	return prototype === Object.prototype || prototype === null
}

function explainRefusal(reason: string): { message: string; hint: string } {
	const message = `the schema cannot be used: ${shorten(reason.replace(/^strict mode: /, ''), 300)}`
	if (/missing type/.test(reason)) return { message, hint: 'say the "type" beside the keyword, or every other type passes' }
	if (/can't resolve reference/.test(reason)) return { message, hint: 'references are followed inside the schema only' }
	return { message, hint: 'keywords, formats and patterns that are not known would check nothing, so they are refused' }
}
