import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Call } from './answer.ts'
import slice from './rest-slice.json' with { type: 'json' }

export type Operation = {
	id: string
	pattern: RegExp
	method: string
	parameterNames: { path: string[]; query: string[] }
	validatePath: ValidateFunction
	validateQuery: ValidateFunction
	body?: { required: boolean; properties: string[]; validate: ValidateFunction }
}

type Parameter = { name: string; in: string; required: boolean; schema: object }
type Described = {
	operationId: string
	parameters: Parameter[]
	requestBody?: { required: boolean; content: { 'application/json': { schema: { properties?: object } } } }
}

// Parameters arrive as text and are coerced; a body that needs coercion is wrong.
const parameterAjv = addFormats.default(new Ajv({ strict: false, allErrors: true, coerceTypes: true }))
const bodyAjv = addFormats.default(new Ajv({ strict: false, allErrors: true }))

const operations = Object.entries(slice.paths).flatMap(([path, methods]) =>
	Object.entries(methods as Record<string, Described>).map(([method, described]) => compileOperation(path, method, described)),
)

function compileOperation(path: string, method: string, { operationId, parameters, requestBody }: Described): Operation {
	const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place)
	const schema = requestBody?.content['application/json'].schema
	return {
		id: operationId,
		method: method.toUpperCase(),
		pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
		parameterNames: { path: inPlace('path').map(({ name }) => name), query: inPlace('query').map(({ name }) => name) },
		validatePath: compileParameters(inPlace('path')),
		validateQuery: compileParameters(inPlace('query')),
		...(requestBody && schema
			? {
					body: {
						required: requestBody.required,
						properties: Object.keys(schema.properties ?? {}),
						validate: bodyAjv.compile(schema),
					},
				}
			: {}),
	}
}

function compileParameters(parameters: Parameter[]): ValidateFunction {
	return parameterAjv.compile({
		type: 'object',
		properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
		required: parameters.filter(({ required }) => required).map(({ name }) => name),
	})
}

export function matchOperation(
	method: string,
	path: string,
): { operation: Operation; params: Record<string, string> } | undefined {
	for (const operation of operations) {
		const match = operation.method === method ? operation.pattern.exec(path) : null
		if (!match) continue
		const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
		return { operation, params: Object.fromEntries(params) }
	}
	return undefined
}

/** `invalid` is what GitHub refuses with 422; `unknown` it ignores in silence, which makes a misspelt name worth a violation. */
export function validateCall(
	call: Call,
	operation: Operation,
	params: Record<string, string>,
): { invalid: string[]; unknown: string[] } {
	const query = Object.fromEntries(call.query)
	const invalid = [
		...listErrors(operation.validatePath, { ...params }),
		...listErrors(operation.validateQuery, { ...query }),
		...listBodyErrors(call, operation),
	]
	const fields = isPlainObject(call.body) ? Object.keys(call.body) : []
	const unknown = [
		...Object.keys(query).filter((name) => !operation.parameterNames.query.includes(name)),
		...fields.filter((name) => !operation.body?.properties.includes(name)),
	]
	return { invalid, unknown }
}

function listBodyErrors(call: Call, { body }: Operation): string[] {
	if (!body) return call.rawBody === '' ? [] : ['The operation takes no body.']
	if (call.rawBody === '' && !body.required) return []
	return listErrors(body.validate, call.body ?? {})
}

function listErrors(validate: ValidateFunction, value: unknown): string[] {
	return validate(value) ? [] : (validate.errors ?? []).map(describeError)
}

function describeError({ keyword, params, instancePath, message }: ErrorObject): string {
	if (keyword === 'required') return `"${params.missingProperty}" wasn't supplied.`
	const allowed = keyword === 'enum' ? `: ${params.allowedValues.join(', ')}` : ''
	return `For '${instancePath.slice(1) || 'the request'}': ${message}${allowed}.`
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
}
