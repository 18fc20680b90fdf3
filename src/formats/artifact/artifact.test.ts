import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classifyArtifact, parseArtifact } from './artifact.ts'

const FILE = 'skills/notes/SKILL.md'
const page = (metadata: string) => `---\nname: notes\nmetadata:\n${metadata}---\nBody.\n`
const parse = (metadata: string) => parseArtifact(page(metadata), FILE)
const block = (entries: string) => parse(`  evals:\n${entries}`)

describe('what a path is', () => {
	test.each([
		['SKILL.md', 'skill', ''],
		['.claude/skills/notes/SKILL.md', 'skill', 'notes'],
		['plugins/p/agents/helper.md', 'agent', 'helper'],
		['.claude/commands/git/commit.md', 'slash-command', 'commit'],
		['AGENTS.md', 'project-rules', 'AGENTS.md'],
		['.cursor/rules/style.mdc', 'project-rules', 'style.mdc'],
	])('%s', (path, kind, name) => expect(classifyArtifact(path)).toEqual({ kind, name }))

	test.each(['README.md', 'docs/agents.txt', 'skills/notes/evals.json', ''])('%j is none', (path) => {
		expect(classifyArtifact(path)).toBeUndefined()
		expect(parseArtifact('---\n---\n', path).problems).toMatchObject([{ code: 'artifact-unknown', severity: 'error' }])
	})
})

describe('a block', () => {
	test('texts are judged, with ids by their place', () => {
		const { value, problems } = block('    - Be short.\n    - id: two\n      assertion: Be kind.\n')
		expect(problems).toEqual([])
		expect(value?.block?.entries).toMatchObject([
			{ id: 'eval-1', assertion: 'Be short.', grader: 'ai', severity: 'error', weight: 1, line: 5, pointer: '/metadata/evals/0' },
			{ id: 'two', assertion: 'Be kind.', line: 6 },
		])
	})

	test.each([
		['an unknown field', '    - {id: a, assertion: x, sevrity: error}', /"sevrity"/],
		['a severity of other tools', '    - {id: a, assertion: x, severity: info}', /notice/],
		['the old name of a field', '    - {name: a, assertion: x}', /"id"/],
		['a weight of zero', '    - {id: a, assertion: x, weight: 0}', /weight/],
		['a weight that is no number', '    - {id: a, assertion: x, weight: .nan}', /weight/],
		['more runs than anyone asks for', '    - {id: a, assertion: x, runs: 51}', /runs/],
		['a word for true', '    - {id: a, assertion: x, skip: yes}', /true or false/],
		['an id twice', '    - {id: a, assertion: x}\n    - {id: a, assertion: y}', /"a"/],
		['an id that a shorthand has by its place', '    - x\n    - {id: eval-1, assertion: y}', /eval-1/],
		['no assertion for a model', '    - {id: a, grader: ai}', /assertion/],
		['an empty text', '    - ""', /./],
		['a list in a list', '    - [x]', /./],
		['nothing', '    -', /./],
	])('with %s is one error, and no rule of it counts', (_what, entries, message) => {
		const { value, problems } = block(`${entries}\n    - {id: fine, assertion: fine}\n`)
		const errors = problems.filter(({ severity }) => severity === 'error')
		expect(errors).toMatchObject([{ code: 'evals-block-valid', file: FILE }])
		expect(errors[0]?.message).toMatch(message)
		expect(value?.block).toBeUndefined()
	})

	test.each([
		['eval-provenance: x', /meta-provenance/],
		['Eval-skip: true', /eval-skip/],
		['eval-anything: 1', /reserved/],
		['eval-skip: "true"', /true or false/],
		['evals: {criteria: [x]}', /directly below/],
		['evals: 1', /list/],
	])('%s is an error', (line, message) => {
		const [problem, ...rest] = parse(`  ${line}\n`).problems
		expect(rest).toEqual([])
		expect(problem).toMatchObject({ code: 'evals-block-valid', severity: 'error' })
		expect(`${problem?.message} ${problem?.hint}`).toMatch(message)
	})

	test.each(['eval_skip: true', 'eval: [x]', 'Evals: [x]'])('%s means nothing, and is said', (line) => {
		const { value, problems } = parse(`  ${line}\n`)
		expect(value?.block).toBeUndefined()
		expect(problems).toMatchObject([{ severity: 'warning' }])
	})

	test('front matter that other programs execute is not read', () => {
		const { value } = parseArtifact('---js\nmodule.exports = {metadata: {evals: ["x"]}}\n---\n', FILE)
		expect(value?.hasMetadata).toBe(false)
		expect(value?.block).toBeUndefined()
	})

	test('front matter without an end is an error', () => {
		expect(parseArtifact('---\nmetadata: {evals: [x]}\n', FILE).problems).toMatchObject([
			{ code: 'front-matter', severity: 'error' },
		])
	})

	test('front matter with a fault that declares evals blocks; one that declares none is only said', () => {
		expect(parseArtifact('---\nmetadata:\n  evals: [x\n---\n', FILE).problems.some(({ severity }) => severity === 'error')).toBe(
			true,
		)
		expect(parseArtifact('---\ndescription: a: b\n---\n', FILE).problems.map(({ severity }) => severity)).toEqual(['notice'])
	})
})

describe('whatever the metadata', () => {
	const keys = fc.constantFrom(
		'id',
		'assertion',
		'grader',
		'severity',
		'weight',
		'runs',
		'skip',
		'target',
		'options',
		'type',
		'x',
		'__proto__',
	)
	const entry = fc.oneof(fc.jsonValue(), fc.dictionary(keys, fc.oneof(fc.jsonValue(), fc.constantFrom('ai', 'error', 'regex'))))
	const metadata = fc.oneof(
		fc.jsonValue(),
		fc.record({ evals: fc.array(entry, { maxLength: 4 }), 'eval-skip': fc.oneof(fc.boolean(), fc.jsonValue()) }),
	)

	test('it is a block without any fault, or one error and no block; nothing throws, and ids are told apart', () => {
		fc.assert(
			fc.property(metadata, (value) => {
				const text = `---\nmetadata: ${JSON.stringify(value)}\n---\n`
				const { value: artifact, problems } = parseArtifact(text, FILE)
				const errors = problems.filter(({ severity }) => severity === 'error')
				if (errors.length > 0) {
					expect(artifact?.block).toBeUndefined()
					return
				}
				const ids = artifact?.block?.entries.map(({ id }) => id) ?? []
				expect(new Set(ids).size).toBe(ids.length)
				for (const { weight, severity } of artifact?.block?.entries ?? []) {
					expect(weight > 0 && Number.isFinite(weight)).toBe(true)
					expect(['error', 'warning', 'notice']).toContain(severity)
				}
			}),
			{ numRuns: 500 },
		)
	})
})
