import { describe, expect, test } from 'vitest'
import type { Subjects } from './grader.ts'
import { checkAssertion, GRADERS, planGrade } from './registry.ts'
import { aim, define, faultsOf } from './testing.ts'

const NAMES = [
	'contains',
	'not-contains',
	'equals',
	'regex',
	'not-regex',
	'file-exists',
	'file-not-exists',
	'json-schema',
	'command',
	'tool-usage',
	'tool-order',
	'skill-invoked',
	'file-access',
	'turn-count',
	'cost',
	'json-output',
	'human',
]

test('the table', () => {
	expect(GRADERS.map((grader) => grader.name)).toEqual(NAMES)
	for (const grader of GRADERS) expect(grader.description).toMatch(/^[A-Z].*\.$/)
})

describe('an unknown grader', () => {
	test.each([
		['contians', 'contains'],
		['not_contains', 'not-contains'],
		['Not Contains', 'not-contains'],
		['json_schema', 'json-schema'],
		['file_exists', 'file-exists'],
		['llm', 'judge'],
		['ai', 'judge'],
		['llm_judge', 'judge'],
		['Judge', 'judge'],
		['regexp', 'regex'],
		['contains_all', 'contains'],
		['shell', 'command'],
		['ran', undefined],
		['', undefined],
		['x'.repeat(100_000), undefined],
		['__proto__', undefined],
		['constructor', undefined],
		['toString', undefined],
	])('%.20s: %s', (name, guess) => {
		const faults = checkAssertion(name, {}, aim('outputs'))
		expect(faults).toHaveLength(1)
		expect(faults[0]?.pointer).toBe('/grader')
		expect(faults[0]?.message).toContain(`is not known; the graders are ${NAMES.join(', ')}, judge`)
		expect(faults[0]?.hint).toBe(guess === undefined ? undefined : `write "${guess}"`)
		expect(planGrade(define(name, {}), { outputs: { files: [] } })).toMatchObject({ grade: { outcome: 'error' } })
	})
})

describe('options', () => {
	test('each unknown one is a fault of its own', () => {
		expect(checkAssertion('contains', { value: 'a', ignore_case: true, 'x/y': 1 }, aim('outputs'))).toEqual([
			{
				pointer: '/options/ignore_case',
				message: 'the option "ignore_case" is not known; the options are value, values, ignore-case, min-count',
				hint: 'write "ignore-case"',
			},
			{
				pointer: '/options/x~1y',
				message: 'the option "x/y" is not known; the options are value, values, ignore-case, min-count',
				hint: undefined,
			},
		])
	})

	test('__proto__ is an unknown one', () => {
		expect(faultsOf('contains', JSON.parse('{"value":"a","__proto__":{"values":["b"]}}'))).toEqual([
			expect.stringMatching(/^\/options\/__proto__ the option "__proto__" is not known/),
		])
	})

	test.each([null, undefined])('%s is the same as none', (options) => {
		expect(faultsOf('regex', options)).toEqual(['/options/pattern "pattern" is missing'])
	})

	test.each([[[]], ['x'], [3]])('%j is no object', (options) => {
		expect(faultsOf('regex', options)).toEqual([expect.stringMatching(/^\/options options must be an object, not/)])
	})

	test('hints are passed on', () => {
		expect(checkAssertion('regex', { pattern: '(?=a)' }, aim('outputs'))[0]?.hint).toMatch(/two assertions/)
	})

	test('what cannot even be checked is a fault', () => {
		const options = {
			get value() {
				throw new Error('no')
			},
		}
		expect(faultsOf('contains', options)).toEqual(['/options the options cannot be checked: no'])
	})
})

describe('the judge', () => {
	test('has no options', () => {
		expect(faultsOf('judge', {})).toEqual([])
		expect(faultsOf('judge', undefined)).toEqual([])
		expect(faultsOf('judge', {}, 'a.md')).toEqual([])
		expect(faultsOf('judge', { model: 'x' })).toEqual(['/options/model the option "model" is not known; it has no options'])
	})

	test('is not graded here', () => expect(() => planGrade(define('judge', {}), { outputs: { files: [] } })).toThrow(/judge/))
})

describe('planGrade fails closed', () => {
	test('for options that are refused', () => {
		expect(planGrade(define('contains', {}), { outputs: { files: [] } })).toEqual({
			grade: { outcome: 'error', evidence: '"value" is missing' },
		})
		expect(planGrade(define('command', { command: ['x'] }, 'a.md'), { outputs: { files: [] } })).toMatchObject({
			grade: { outcome: 'error' },
		})
		expect(planGrade(define('file-not-exists', {}, '../x'), { outputs: { files: [] } })).toMatchObject({
			grade: { outcome: 'error' },
		})
	})

	test.each(NAMES.filter((name) => name !== 'command' && name !== 'human'))('for %s when something breaks inside', (name) => {
		const options: Record<string, Record<string, unknown>> = {
			'json-schema': { schema: {} },
			regex: { pattern: 'a' },
			'not-regex': { pattern: 'a' },
			'file-exists': { path: 'a' },
			'file-not-exists': { path: 'a' },
			'tool-usage': { tool: 'a' },
			'tool-order': { before: 'a', after: 'b' },
			'skill-invoked': { skill: 'a' },
			'file-access': { path: 'a' },
			'turn-count': { max: 1 },
			cost: { maxTokens: 1 },
			'json-output': { schema: {} },
		}
		const broken = {
			get outputs(): never {
				throw new Error('the disk is gone')
			},
			get transcript(): never {
				throw new Error('the disk is gone')
			},
		} as Subjects
		expect(planGrade(define(name, options[name] ?? { value: 'a' }), broken)).toEqual({
			grade: { outcome: 'error', evidence: `the grader ${name} could not finish: the disk is gone` },
		})
	})
})
