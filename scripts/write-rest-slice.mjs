// @ts-check
/**
 * Cuts GitHub's own REST description down to the operations this action calls, for the loopback server of the tests.
 * Usage: node scripts/write-rest-slice.mjs <folder of the npm package @octokit/openapi>/generated/api.github.com.json
 * The package is 385 MB, so it is no dependency: install it elsewhere, run this once, delete it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const REPO = '/repos/{owner}/{repo}'

/** @type {Record<string, string[]>} */
const OPERATIONS = {
	[`${REPO}/issues/{issue_number}/comments`]: ['get', 'post'],
	[`${REPO}/issues/comments/{comment_id}`]: ['get', 'patch', 'delete'],
	[`${REPO}/pulls`]: ['get'],
	[`${REPO}/pulls/{pull_number}`]: ['get'],
	[`${REPO}/pulls/{pull_number}/files`]: ['get'],
	[`${REPO}/pulls/{pull_number}/reviews`]: ['get', 'post'],
	[`${REPO}/collaborators/{username}/permission`]: ['get'],
	[`${REPO}/check-runs`]: ['post'],
	[`${REPO}/check-runs/{check_run_id}`]: ['patch'],
	[`${REPO}/statuses/{sha}`]: ['post'],
	[`${REPO}/commits/{commit_sha}/pulls`]: ['get'],
	'/user': ['get'],
	'/rate_limit': ['get'],
}

/** Everything else in a schema (description, example, title, x-…) says nothing about what is valid. */
const PLAIN_KEYWORDS = [
	...['type', 'format', 'enum', 'default', 'nullable', 'required', 'pattern', 'uniqueItems', 'minimum', 'maximum'],
	...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
]
const SCHEMA_KEYWORDS = ['items', 'additionalProperties', 'not']
const SCHEMA_LIST_KEYWORDS = ['anyOf', 'oneOf', 'allOf']

/** @param {any} description @param {any} node @param {string[]} [seen] @returns {any} */
function resolveReference(description, node, seen = []) {
	if (typeof node?.$ref !== 'string') return node
	if (seen.includes(node.$ref)) throw new Error(`The reference ${node.$ref} leads back to itself; it cannot be inlined.`)
	/** @type {string[]} */
	const keys = node.$ref.replace('#/', '').split('/')
	const target = keys.reduce((value, key) => value?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], description)
	if (target === undefined) throw new Error(`The reference ${node.$ref} leads nowhere.`)
	return resolveReference(description, target, [...seen, node.$ref])
}

/** @param {any} description @param {any} source @param {number} [depth] @returns {any} */
function cutSchema(description, source, depth = 0) {
	if (depth > 20) throw new Error('A schema contains itself; it cannot be inlined.')
	if (typeof source !== 'object' || source === null) return source
	const schema = resolveReference(description, source)
	const cut = (/** @type {any} */ part) => cutSchema(description, part, depth + 1)
	/** @type {Record<string, any>} */
	const result = {}
	for (const keyword of PLAIN_KEYWORDS) if (keyword in schema) result[keyword] = schema[keyword]
	for (const keyword of SCHEMA_KEYWORDS) if (keyword in schema) result[keyword] = cut(schema[keyword])
	for (const keyword of SCHEMA_LIST_KEYWORDS) if (keyword in schema) result[keyword] = schema[keyword].map(cut)
	if (schema.properties) {
		result.properties = Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, cut(part)]))
	}
	return result
}

/** @param {any} description @param {any} operation */
function cutOperation(description, operation) {
	const parameters = (operation.parameters ?? []).map((/** @type {any} */ reference) => {
		const { name, in: place, required = false, schema } = resolveReference(description, reference)
		return { name, in: place, required, schema: cutSchema(description, schema) }
	})
	const body = resolveReference(description, operation.requestBody)
	if (!body) return { operationId: operation.operationId, parameters }
	const schema = cutSchema(description, body.content['application/json'].schema)
	const requestBody = { required: body.required ?? false, content: { 'application/json': { schema } } }
	return { operationId: operation.operationId, parameters, requestBody }
}

/** @param {any} description @param {string} licence the package's own text, which its terms want kept with every copy */
function cutDescription(description, licence) {
	/** @type {Record<string, Record<string, any>>} */
	const paths = {}
	for (const [path, methods] of Object.entries(OPERATIONS)) {
		paths[path] = {}
		for (const method of methods) {
			const operation = description.paths[path]?.[method]
			if (!operation) throw new Error(`The description has no operation ${method.toUpperCase()} ${path}.`)
			paths[path][method] = cutOperation(description, operation)
		}
	}
	const { version, license } = description.info
	const source = `npm package @octokit/openapi ${version}, generated/api.github.com.json, cut by scripts/write-rest-slice.mjs`
	return {
		openapi: description.openapi,
		info: {
			title: 'The part of the GitHub REST API this project calls',
			version,
			license,
			'x-source': source,
			'x-licence-text': licence,
		},
		paths,
	}
}

const [source] = process.argv.slice(2)
if (!source) throw new Error('Usage: node scripts/write-rest-slice.mjs <path of api.github.com.json>')
const licence = readFileSync(join(dirname(source), '../LICENSE'), 'utf8').trim()
const slice = cutDescription(JSON.parse(readFileSync(source, 'utf8')), licence)
const target = new URL('../test/github/rest-slice.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(slice, null, '\t')}\n`)
console.log(`${Object.values(slice.paths).flatMap(Object.keys).length} operations written.`)
