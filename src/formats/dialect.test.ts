import { describe, expect, it } from 'vitest'
import { checkGraders } from '../core/check-definitions.ts'
import { parseEvals } from './evals.ts'

const read = (assertion: unknown) => {
	const { value, problems } = parseEvals(
		JSON.stringify({ skill_name: 'demo', evals: [{ id: 1, prompt: 'p', assertions: [assertion] }] }),
		'evals.json',
		'x',
	)
	const all = [...problems, ...(value ? checkGraders(value) : [])]
	const errors = all.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code}: ${message}`)
	const notices = all.filter(({ severity }) => severity === 'notice').map(({ message }) => message)
	return { assertion: value?.evals[0]?.assertions[0], errors, notices }
}

describe('an assertion’s sentence and id', () => {
	it.each([
		[{ text: 'It is done' }, 'It is done', undefined, undefined],
		[{ id: 'a', text: 'It is done' }, 'It is done', 'a', undefined],
		[{ id: 7, text: 'It is done' }, 'It is done', '7', undefined],
		[{ name: 'is_done', description: 'It is done' }, 'It is done', 'is_done', undefined],
		[{ text: 'is_done', description: 'It is done' }, 'It is done', 'is_done', undefined],
		[{ text: 'It is done', description: 'Look at the end' }, 'It is done', undefined, 'Look at the end'],
		[{ assertion: 'It is done' }, 'It is done', undefined, undefined],
		[{ name: 'It is done' }, 'It is done', undefined, undefined],
		[{ name: 'is_done', description: 'It is done', check: 'look at the end' }, 'It is done', 'is_done', 'look at the end'],
	])('%j', (value, text, id, hint) => {
		const { assertion, errors } = read(value)
		expect(errors).toEqual([])
		expect(assertion).toMatchObject({ text, grader: 'judge', severity: 'error' })
		expect([assertion?.id, assertion?.hint]).toEqual([id, hint])
	})
})

describe('typed checks become graders', () => {
	const file = (path: string) => ({ source: 'file', path })
	it.each<[object, string, object, object?]>([
		[{ type: 'regex', pattern: '(?i)total' }, 'regex', { pattern: '(?i)total' }],
		[{ type: 'regex', pattern: 'x', flags: 'gi', text: 'sentence' }, 'regex', { pattern: 'x', flags: 'i' }],
		[{ type: 'not_regex', pattern: 'x' }, 'not-regex', { pattern: 'x' }],
		[{ type: 'regex-match', pattern: 'x', target: 'assistant-text' }, 'regex', { pattern: 'x' }, { source: 'last-message' }],
		[{ type: 'regex-match', pattern: 'x', target: { file: 'outputs/a.md' } }, 'regex', { pattern: 'x' }, file('a.md')],
		[{ type: 'contains', value: 'x' }, 'contains', { value: 'x' }],
		[{ type: 'string_contains', value: 'x' }, 'contains', { value: 'x' }],
		[{ type: 'contains_all', terms: ['x', 'y'] }, 'contains', { values: ['x', 'y'] }],
		[{ type: 'contains_any', values: ['a.b', 'c'] }, 'regex', { pattern: '(?:a\\.b|c)' }],
		[{ type: 'not_contains_any', terms: ['x'] }, 'not-contains', { values: ['x'] }],
		[{ type: 'not-contains', value: 'x' }, 'not-contains', { values: ['x'] }],
		[{ type: 'file_exists', path: './outputs/a.md' }, 'file-exists', { path: 'a.md' }],
		[{ type: 'file-not-exists', path: 'a.md' }, 'file-not-exists', { path: 'a.md' }],
		[{ type: 'file_contains', path: 'a.md', pattern: 'x' }, 'regex', { pattern: 'x' }, file('a.md')],
		[{ type: 'file_contains', path: 'a.md', value: 'x' }, 'contains', { value: 'x' }, file('a.md')],
		[{ type: 'file_not_contains', path: 'a.md', value: 'x' }, 'not-contains', { value: 'x' }, file('a.md')],
		[{ type: 'string_contains_in_file', file: 'a.md', value: 'x' }, 'contains', { value: 'x' }, file('a.md')],
		[
			{ type: 'substring_in_file', file: 'a.md', substrings: ['x'], min_count: 2 },
			'contains',
			{ values: ['x'], 'min-count': 2 },
			file('a.md'),
		],
		[{ type: 'llm_judge', criterion: 'It is good' }, 'judge', {}],
	])('%j', (value, grader, options, target = { source: 'outputs' }) => {
		const { assertion, errors } = read(value)
		expect(errors).toEqual([])
		expect(assertion).toMatchObject({ grader, options, target, type: 'regression' })
		expect(assertion?.text).not.toBe('')
	})

	it('without a sentence they get a label', () => {
		expect(read({ type: 'file_contains', path: 'a.md', value: 'x' }).assertion?.text).toBe('contains "x" in a.md')
	})
})

describe('what has no effect is said, and what must have one is refused', () => {
	it.each([
		[{ text: 'It is done', type: 'semantic' }, 'the type "semantic" is not a check that can be run: the judge decides'],
		[{ text: 'a.json exists', type: 'file_exists' }, 'the type "file_exists" is not a check that can be run: the judge decides'],
		[{ text: 'It is done', trap: 'It says so only' }, '"trap" has no effect'],
		[{ text: 'It is done', passed: true, evidence: 'yes' }, '"passed" is a result of an earlier run: it is ignored'],
	])('%j is a sentence for the judge, with a notice', (value, notice) => {
		const { assertion, errors, notices } = read(value)
		expect(errors).toEqual([])
		expect(notices).toContain(notice)
		expect(assertion).toMatchObject({ grader: 'judge', skip: false })
	})

	it.each([
		[
			{ text: 'It is done', pattern: 'x' },
			'assertion-field: "pattern" says how to check, and without a grader it would have no effect',
		],
		[
			{ text: 'It is done', type: 'semantic', value: 'x' },
			'assertion-field: "value" says how to check, and with the type "semantic" it would have no effect',
		],
		[
			{ text: 'x', type: 'file_exists', path: 'a', min_count: 2 },
			'assertion-field: "path" says how to check, and with the type "file_exists" it would have no effect',
		],
		[
			{ text: 'x', check: { kind: 'script' } },
			'assertion-field: "check" says how to check, and without a grader it would have no effect',
		],
		[{ type: 'file_exists', path: '../a' }, 'grader-options'],
		[{ type: 'regex', pattern: '(?=x)' }, 'grader-options'],
		[{ type: 'file_contains', path: '../a', value: 'x' }, 'assertion-target: "target" is the path "../a", which leaves outputs/'],
		[{ type: 'regex' }, 'assertion-text: this assertion has no text'],
		[{ text: 't', sevrity: 'warning' }, 'assertion-field: "sevrity" is not a known field'],
		[
			{ text: 't', type: 'capabilty', grader: 'judge' },
			'assertion-shape: "type" must be one of "regression", "capability"; it is the text "capabilty"',
		],
	])('%j is refused', (value, error) => {
		expect(read(value).errors.join('\n')).toContain(error)
	})
})

describe('formats', () => {
	const item = { prompt: 'p', expectations: ['x'] }
	const parse = (document: unknown) => parseEvals(JSON.stringify(document), 'evals.json', 'dir')
	it.each<[string, unknown, string]>([
		['a wrapper with skill_name', { skill_name: 's', evals: [{ id: 1, ...item }] }, 'skill-creator'],
		['items with id, expected_output and files', [{ id: 1, expected_output: '', files: [], ...item }], 'skill-creator'],
		['assertions', { skill_name: 's', evals: [{ id: 1, prompt: 'p', assertions: ['x'] }] }, 'run-evals'],
		['a bare list with assertions', [{ id: 1, prompt: 'p', assertions: ['x'] }], 'run-evals'],
		['a bare list of prompts and expectations', [item], 'evalify'],
		['the same in evals', { evals: [item] }, 'evalify'],
		['metadata of a workspace', { eval_id: 4, eval_name: 'n', prompt: 'p', assertions: ['x'] }, 'eval_metadata'],
	])('%s', (_name, document, format) => {
		const { value, problems } = parse(document)
		expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
		expect(value).toMatchObject({ format, evals: [{ id: expect.stringMatching(/^\d$/), prompt: 'p' }] })
	})

	it.each<[unknown, string]>([
		[[{ query: 'q', should_trigger: true }], 'trigger-evals'],
		[{ evals: [{ prompt: 'q', should_trigger: false }] }, 'trigger-evals'],
		[
			{
				evals: [
					{ id: 1, prompt: 'q', should_trigger: false },
					{ id: 2, prompt: 'p', assertions: ['x'] },
				],
			},
			'trigger-eval',
		],
		[{ cases: [item] }, 'evals-shape'],
		[{ skills: ['a'], query: 'q', expected_behavior: ['x'] }, 'evals-shape'],
		[{ name: 'other', metrics: {} }, 'evals-shape'],
		[{ evals: [{ id: 1, prompt: 'p', expected_behavior: ['x'] }] }, 'assertions-missing'],
		[{ evals: [{ id: 1, task: 'p', assertions: ['x'] }] }, 'eval-prompt'],
		[{ evals: [{ prompt: 'p', assertions: ['x'] }] }, 'eval-id'],
	])('%j is refused', (document, code) => {
		expect(
			parse(document)
				.problems.filter(({ severity }) => severity === 'error')
				.map((each) => each.code),
		).toContain(code)
	})

	it('a second list of cases is never passed over in silence', () => {
		const { problems } = parse({ skill_name: 's', evals: [{ id: 1, ...item }], pressure_tests: [{ id: 1 }], gates: ['rm -rf /'] })
		expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
			'warning: "pressure_tests" holds 1 items that are not read',
			'warning: "gates" holds 1 items that are not read',
		])
	})

	it.each([
		['ß', 'ẞ'],
		['é', 'e\u0301'],
		['ａ', 'a'],
	])('the ids %s and %s would be one directory somewhere', (first, second) => {
		const { problems } = parse({ skill_name: 's', evals: [first, second].map((id) => ({ id, ...item })) })
		expect(problems.map(({ code }) => code)).toContain('eval-id-duplicate')
	})
})
