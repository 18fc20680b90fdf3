// @ts-check
/** `npm run docs`: writes the tables of README.md (from action.yml) and docs/graders.md (from the registry) between their markers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { parse } from 'yaml'
import { REFUSALS } from './refusals.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @typedef {{ description: string, default?: string }} Field an input or output of action.yml */
/** @typedef {{ type?: string, enum?: string[], minimum?: number, maximum?: number, items?: Option, default?: unknown }} Option as JSON Schema */
/** @typedef {{ name: string, description: string, options: unknown }} Grader */

/**
 * The documents as they should be, by path.
 * @returns {Promise<Record<string, string>>}
 */
export async function renderDocs() {
	const action = parse(readFileSync(`${root}action.yml`, 'utf8'), { schema: 'failsafe' })
	const readme = fillRegions('README.md', { inputs: renderFields(action.inputs), outputs: renderFields(action.outputs) })
	const graders = fillRegions('docs/graders.md', { graders: await renderGraders() })
	const formats = fillRegions('docs/formats.md', { refusals: await renderRefusals() })
	return { 'README.md': readme, 'docs/graders.md': graders, 'docs/formats.md': formats }
}

/**
 * @param {string} file
 * @param {Record<string, string>} tables by the name of their region
 */
function fillRegions(file, tables) {
	return Object.entries(tables).reduce((text, [name, table]) => fillRegion(file, text, name, table), read(file))
}

/** @param {string} file @param {string} text @param {string} name @param {string} table */
export function fillRegion(file, text, name, table) {
	const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
	const [before, rest, ...more] = text.split(start)
	const [, after, ...yetMore] = rest?.split(end) ?? []
	if (before === undefined || after === undefined || more.length > 0 || yetMore.length > 0) {
		throw new Error(`${file} must have ${start} and after it ${end}, each once, where the table belongs.`)
	}
	return `${before}${start}\n\n${table}\n\n${end}${after}`
}

/** @param {Record<string, Field>} fields */
function renderFields(fields) {
	const hasDefaults = Object.values(fields).some((field) => field.default !== undefined)
	const rows = Object.entries(fields).map(([name, field]) => {
		return [code(name), field.description, ...(hasDefaults ? [field.default ? code(field.default) : ''] : [])]
	})
	return table([['Name', 'Meaning', ...(hasDefaults ? ['Default'] : [])], ...rows])
}

/** What the code says of each refused document: its first error. */
async function renderRefusals() {
	const { parseEvals, checkGraders } = await loadSources()
	const rows = REFUSALS.map(([what, document]) => {
		const text = typeof document === 'string' ? document : JSON.stringify(document, undefined, 1)
		const { value, problems } = parseEvals(text, 'evals.json', 'reporter')
		const all = [...problems, ...(value ? checkGraders(value) : [])]
		const error = all.find((/** @type {{ severity: string }} */ { severity }) => severity === 'error')
		if (!error) throw new Error(`scripts/refusals.mjs: ${what} is not refused`)
		return [what, `${error.message}${error.hint ? ` → ${error.hint}` : ''}`.replaceAll('<', '&lt;'), code(error.code)]
	})
	return table([['What', 'Message → what to do', 'Code'], ...rows])
}

async function renderGraders() {
	const { GRADERS, toJSONSchema } = await loadSources()
	const rows = GRADERS.map((/** @type {Grader} */ { name, description, options }) => {
		// What the author writes, before defaults and transformations; an own check of ours says no type.
		const { properties, required = [] } = toJSONSchema(options, { io: 'input', unrepresentable: 'any' })
		const lines = Object.entries(properties).map(([option, schema]) => renderOption(option, schema, required.includes(option)))
		return [code(name), description, lines.join('<br>')]
	})
	return table([['Grader', 'Passes if', 'Options'], ...rows])
}

/** The sources are TypeScript, which Node 20 cannot load: they are bundled in memory, with their own copy of zod. */
async function loadSources() {
	const contents = [
		`export { GRADERS } from './src/graders/registry.ts'`,
		`export { parseEvals } from './src/formats/evals.ts'`,
		`export { checkGraders } from './src/core/check-definitions.ts'`,
		`export { toJSONSchema } from 'zod'`,
	].join('\n')
	const { outputFiles } = await build({
		stdin: { contents, resolveDir: root, loader: 'ts' },
		bundle: true,
		write: false,
		platform: 'node',
		format: 'esm',
		mainFields: ['module', 'main'],
		banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(root)})` },
	})
	const bundle = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
	return import(/* @vite-ignore */ `data:text/javascript;base64,${bundle}`)
}

/** @param {string} name @param {Option} schema @param {boolean} isRequired */
function renderOption(name, schema, isRequired) {
	const more = isRequired ? ', required' : schema.default === undefined ? '' : `, default ${code(JSON.stringify(schema.default))}`
	return `${code(name)}: ${nameType(schema)}${more}`
}

/** @param {Option} schema @returns {string} */
function nameType({ type, enum: values, minimum, maximum, items }) {
	if (values) return values.map((value) => code(JSON.stringify(value))).join(' or ')
	if (type === undefined) return 'object'
	if (type === 'array' && items) return `list of ${nameType(items).replace(/^(text|whole number)/, '$1s')}`
	if (type !== 'integer') return { string: 'text', boolean: 'true or false' }[type] ?? type
	const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
	return `whole number from ${minimum ?? 'any'}${isBounded ? ` to ${maximum}` : ''}`
}

/** @param {string[][]} rows the first is the header */
function table([header = [], ...rows]) {
	const line = (/** @type {string[]} */ cells) => `|${cells.map((cell) => (cell ? ` ${escapeCell(cell)} ` : ' ')).join('|')}|`
	return [line(header), `|${header.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

/** @param {string} text */
function escapeCell(text) {
	return text.trim().replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** @param {string} text */
function code(text) {
	return `\`${text}\``
}

/** @param {string} file */
function read(file) {
	return readFileSync(`${root}${file}`, 'utf8').replaceAll('\r\n', '\n')
}

async function main() {
	for (const [file, text] of Object.entries(await renderDocs())) {
		const isStale = read(file) !== text
		if (isStale) writeFileSync(`${root}${file}`, text)
		console.log(`${file}: ${isStale ? 'written' : 'up to date'}`)
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	main().catch((error) => {
		console.error(error.message)
		process.exitCode = 1
	})
}
