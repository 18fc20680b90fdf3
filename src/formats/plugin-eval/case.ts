import type { Problem, Read, Severity } from '../../definition.ts'
import { describeValue, isObject, toPointer } from '../json.ts'
import { reporter, reportIssues } from '../shape.ts'
import { type CaseFields, caseSchema, EXECUTION_KEYS, FRONT_MATTER_KEYS, TOP_KEYS } from './case-schema.ts'
import { parseMapping, splitFrontMatter } from './yaml.ts'

/** The texts of one case directory; what is not there is undefined. */
export type CaseFiles = {
	/** Relative to the plugin, with `/`. */
	dir: string
	/** As people see it. */
	shown: string
	caseYaml?: string | undefined
	promptMd?: string | undefined
	graders: { name: string; text: string }[]
}
export type CaseDefinition = CaseFields & { dir: string; severityOf: (grader: string) => Severity }

const SEVERITY_TAG = /^severity:(.*)$/
const SEVERITIES: Severity[] = ['error', 'warning', 'notice']

/**
 * One case of `claude plugin eval`: case.yaml, prompt.md and graders/*.md, merged as Claude Code 2.1.332 merges them (prompt.md wins, graders add up).
 * Severity, which it does not know, stands where it reads over it: `x-gate: {severity: …}` at the top of case.yaml, or a tag `severity:warning`.
 * Out: no value if Claude Code would not run it as written; what it drops without a word is said.
 */
export function parsePluginCase(files: CaseFiles): Read<CaseDefinition> {
	const problems: Problem[] = []
	const file = `${files.shown}/${files.caseYaml === undefined ? 'prompt.md' : 'case.yaml'}`
	const report = reporter(
		{ value: undefined, locate: (path) => ({ pointer: toPointer(path), line: 1, column: 1 }) },
		file,
		problems,
	)
	const merged = mergeCase(files, problems)
	if (!merged) return { problems }
	const parsed = caseSchema.safeParse(merged)
	if (!parsed.success) {
		reportIssues(parsed.error.issues, merged, [], 'plugin-case', report)
		return { problems }
	}
	for (const key of Object.keys(merged).filter((name) => !TOP_KEYS.includes(name))) {
		report('plugin-case-key', [], `${JSON.stringify(key)} is read over by Claude Code, and by this gate`, undefined, 'notice')
	}
	const names = parsed.data.graders.map(({ name }) => name)
	const twice = names.find((name, at) => names.indexOf(name) !== at)
	if (twice !== undefined) report('plugin-case', ['graders'], `two graders are called ${JSON.stringify(twice)}`)
	const severityOf = readSeverities(parsed.data, (message, hint) => report('plugin-case-severity', [], message, hint))
	return problems.some(({ severity }) => severity === 'error')
		? { problems }
		: { value: { ...parsed.data, dir: files.dir, severityOf }, problems }
}

function readSeverities(fields: CaseFields, fault: (message: string, hint: string) => void): (grader: string) => Severity {
	const own = fields['x-gate']?.severity
	const names = fields.graders.map(({ name }) => name)
	for (const name of isObject(own) ? Object.keys(own).filter((each) => !names.includes(each)) : []) {
		fault(
			`x-gate gives a severity to ${JSON.stringify(name)}, which is no grader of this case`,
			`the graders are ${names.join(', ')}`,
		)
	}
	const tags = fields.tags.flatMap((tag) => SEVERITY_TAG.exec(tag)?.[1]?.trim() ?? [])
	const [tag, second] = tags.map((word) => SEVERITIES.find((severity) => severity === word))
	if (tags.length > 1 || (tags.length === 1 && !tag) || second)
		fault(`the tag severity:${tags[0]} is not usable`, 'use one of error, warning, notice')
	return (grader) => (isObject(own) ? (own[grader] as Severity | undefined) : (own as Severity | undefined)) ?? tag ?? 'error'
}

/** Undefined, with a problem, if a file cannot be read. */
function mergeCase(
	{ dir, shown, caseYaml, promptMd, graders }: CaseFiles,
	problems: Problem[],
): Record<string, unknown> | undefined {
	const top = parseMapping(caseYaml ?? '', `${shown}/case.yaml`)
	const prompt = splitFrontMatter(promptMd ?? '')
	const matter = parseMapping(prompt.matter ?? '', `${shown}/prompt.md`, 2)
	const own = graders.flatMap((grader) => readGrader(grader, shown, problems))
	problems.push(...top.problems, ...matter.problems)
	if (!top.value || !matter.value) return undefined
	for (const key of Object.keys(matter.value).filter((name) => !FRONT_MATTER_KEYS.includes(name))) {
		const hint = `the keys are ${FRONT_MATTER_KEYS.join(', ')}`
		problems.push({
			code: 'plugin-case',
			severity: 'error',
			file: `${shown}/prompt.md`,
			message: `${JSON.stringify(key)} is not a known key`,
			hint,
		})
	}
	const fromMatter = Object.entries(matter.value)
	const execution = isObject(top.value.execution) || top.value.execution === undefined ? top.value.execution : undefined
	if (top.value.execution !== undefined && execution === undefined) {
		const message = `"execution" must be an object; it is ${describeValue(top.value.execution)}`
		problems.push({ code: 'plugin-case', severity: 'error', file: `${shown}/case.yaml`, message })
		return undefined
	}
	const isProse = caseYaml === undefined
	return {
		...(isProse ? { schema_version: '1.1', name: dir.split('/').at(-1) } : {}),
		...top.value,
		...Object.fromEntries(fromMatter.filter(([key]) => !EXECUTION_KEYS.includes(key))),
		execution: {
			...(execution as Record<string, unknown> | undefined),
			...Object.fromEntries(fromMatter.filter(([key]) => EXECUTION_KEYS.includes(key))),
			...(prompt.body.trim() === '' ? {} : { prompt: prompt.body.trim() }),
		},
		graders: mergeGraders(top.value.graders, own),
	}
}

/** What is no list stays as it is, to be refused by name. */
function mergeGraders(listed: unknown, own: Record<string, unknown>[]): unknown {
	if (listed === undefined) return own
	return Array.isArray(listed) ? [...listed, ...own] : listed
}

/** The body is the criteria of a judge, or the pattern. Without front matter it is none, and Claude Code says nothing of it. */
function readGrader({ name, text }: CaseFiles['graders'][number], shown: string, problems: Problem[]): Record<string, unknown>[] {
	const file = `${shown}/graders/${name}.md`
	const { matter, body } = splitFrontMatter(text)
	if (matter === undefined) {
		const message = 'this grader has no front matter: Claude Code never runs it'
		const hint = 'begin it with a line ---, its "type:", and a line ---'
		problems.push({ code: 'plugin-grader-ignored', severity: 'warning', file, message, hint })
		return []
	}
	const read = parseMapping(matter, file, 2)
	problems.push(...read.problems)
	if (!read.value) return []
	const { type } = read.value
	const key = type === 'regex' ? 'pattern' : type === 'llm' || type === 'baseline' ? 'criteria' : undefined
	const filled = key !== undefined && body.trim() !== '' && read.value[key] === undefined ? { [key]: body.trim() } : {}
	return [{ name, ...read.value, ...filled }]
}
