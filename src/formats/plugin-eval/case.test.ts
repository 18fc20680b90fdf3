import { describe, expect, it } from 'vitest'
import { parsePluginCase } from './case.ts'

const GRADER = { name: 'price', text: '---\ntype: regex\n---\n\\d+ EUR\n' }
const parse = (caseYaml: string | undefined, promptMd?: string, graders = [GRADER]) =>
	parsePluginCase({ dir: 'evals/lunch', shown: 'kitchen/evals/lunch', caseYaml, promptMd, graders })
const errorsOf = (read: ReturnType<typeof parse>) =>
	read.problems.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []))

const LUNCH = 'schema_version: "1.1"\nname: lunch\nexecution: {prompt: Write the menu.}\n'

describe('a case in prose', () => {
	it('has its directory as name, its body as prompt, its graders from their files', () => {
		const { value, problems } = parse(undefined, '---\nruns: 5\nmax_turns: 7\n---\nWrite the menu.\n')
		expect(problems).toEqual([])
		expect(value).toMatchObject({ name: 'lunch', runs: 5, execution: { prompt: 'Write the menu.', max_turns: 7 } })
		expect(value?.graders).toEqual([{ name: 'price', type: 'regex', pattern: '\\d+ EUR' }])
	})

	it('may have empty front matter, or none', () => {
		expect(parse(undefined, '---\n---\nWrite.').value?.execution.prompt).toBe('Write.')
		expect(parse(undefined, 'Write.').value?.runs).toBe(3)
	})
})

describe('a case in both forms', () => {
	it('takes the prose where both speak, and the graders of both', () => {
		const yaml = `${LUNCH}runs: 2\ngraders: [{type: file_exists, name: file, path: menu.md}]\n`
		const { value } = parse(yaml, '---\nruns: 4\n---\nWrite a longer menu.')
		expect(value).toMatchObject({ name: 'lunch', runs: 4, execution: { prompt: 'Write a longer menu.' } })
		expect(value?.graders.map(({ name }) => name)).toEqual(['file', 'price'])
	})
})

describe('a case that cannot be used', () => {
	it.each<[string, string | undefined, string | undefined, RegExp]>([
		['no version', 'name: x\nexecution: {prompt: x}', undefined, /"schema_version" must be a text; it is missing/],
		['a version that is a number', 'schema_version: 1.1\nname: x\nexecution: {prompt: x}', undefined, /"schema_version"/],
		['a newer version', 'schema_version: "2.0"\nname: x\nexecution: {prompt: x}', undefined, /up to 1\.x/],
		['a name that is a number', LUNCH.replace('name: lunch', 'name: 500'), undefined, /"name" must be a text/],
		['too many runs', `${LUNCH}runs: 51\n`, undefined, /"runs"/],
		['no prompt', 'schema_version: "1.1"\nname: x\n', undefined, /"execution\.prompt"/],
		['the prompt of the template', undefined, 'TODO: describe what the agent should do', /still that of the template/],
		['an unknown grader', `${LUNCH}graders: [{type: python, name: p}]`, undefined, /"graders\.0\.type"/],
		[
			'a key that graders do not have',
			`${LUNCH}graders: [{type: file_exists, name: f, path: a, severity: error}]`,
			undefined,
			/"severity" is not a known field/,
		],
		[
			'two graders of one name',
			`${LUNCH}graders: [{type: file_exists, name: price, path: a}]`,
			undefined,
			/two graders are called "price"/,
		],
		[
			'a pattern that does not compile',
			`${LUNCH}graders: [{type: regex, name: r, pattern: "(["}]`,
			undefined,
			/does not compile/,
		],
		[
			'a path that leaves the run',
			`${LUNCH}graders: [{type: regex, name: r, pattern: x, target: {source: file, path: ../x}}]`,
			undefined,
			/"graders\.0\.target\.path"/,
		],
		['a key that front matter does not have', undefined, '---\nseverity: error\n---\nx', /"severity" is not a known key/],
		['broken YAML', 'name: [', undefined, /not usable YAML/],
		['an alias', `${LUNCH}tags: [&a x, *a]`, undefined, /aliases are not read/],
		['a key twice', `${LUNCH}name: dinner\n`, undefined, /not usable YAML/],
		['a severity twice', `${LUNCH}tags: ["severity:error", "severity:notice"]\n`, undefined, /severity:error is not usable/],
	])('%s', (_name, yaml, prompt, says) => {
		const read = parse(yaml, prompt)
		expect(read.value).toBeUndefined()
		expect(errorsOf(read).join('\n')).toMatch(says)
	})

	it('has no grader that would run', () => {
		const read = parse(LUNCH, undefined, [{ name: 'nice', text: 'The menu is nice.\n' }])
		expect(errorsOf(read).join()).toMatch(/there is no grader/)
		expect(read.problems.map(({ message }) => message).join()).toMatch(/has no front matter: Claude Code never runs it/)
	})
})

describe('severities', () => {
	it('come from x-gate by grader, else from the tag, else are error', () => {
		const yaml = `${LUNCH}graders: [{type: file_exists, name: file, path: a}]\n`
		expect(parse(yaml).value?.severityOf('file')).toBe('error')
		expect(parse(`${yaml}tags: ["severity:notice"]\n`).value?.severityOf('file')).toBe('notice')
		const both = parse(`${yaml}tags: ["severity:notice"]\nx-gate: {severity: {file: warning}}\n`).value
		expect([both?.severityOf('file'), both?.severityOf('price')]).toEqual(['warning', 'notice'])
	})

	it('at the top of the file, where Claude Code reads over them, have no effect and are said', () => {
		const { value, problems } = parse(`${LUNCH}severity: notice\n`)
		expect(value?.severityOf('price')).toBe('error')
		expect(problems.map(({ message }) => message)).toEqual(['"severity" is read over by Claude Code, and by this gate'])
	})
})
