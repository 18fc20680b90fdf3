import { expect, test } from 'vitest'
import type { AssertionDefinition, EvalDefinition, SuiteDefinition } from '../definition.ts'
import { findWeakenings } from './contract.ts'

const assertion: AssertionDefinition = {
	id: 'a',
	index: 1,
	text: 'Names the file',
	hint: 'any spelling',
	severity: 'warning',
	type: 'regression',
	weight: 2,
	skip: false,
	grader: 'regex',
	options: { pattern: 'x', flags: 'm' },
	target: { source: 'outputs' },
	judge: undefined,
	authors: ['m'],
	scope: { kind: 'skill', name: 's' },
	pointer: '/evals/0/assertions/0',
}
const evaluation: EvalDefinition = {
	id: '1',
	name: 'n',
	prompt: 'Do it',
	expectedOutput: 'done',
	files: ['in.txt'],
	assertions: [assertion],
	line: 3,
	pointer: '/evals/0',
}
const suiteOf = (evals: EvalDefinition[]): SuiteDefinition => ({
	skill: 's',
	file: 'evals/s/evals.json',
	format: 'skill-creator',
	evals,
})
const withEval = (change: Partial<EvalDefinition>) => suiteOf([{ ...evaluation, ...change }])
const withAssertion = (change: Partial<AssertionDefinition>) => withEval({ assertions: [{ ...assertion, ...change }] })
const base = suiteOf([evaluation])

/** Every field must be named here: a new field of a definition does not compile until somebody decides what changing it means. */
const assertionChanges: { [Field in keyof Required<AssertionDefinition>]: [softer: unknown[], neutral: unknown[]] } = {
	id: [['b', undefined], []],
	index: [[], [2]],
	text: [['Names a file', ''], []],
	hint: [['be kind', undefined], []],
	severity: [['notice'], ['error']],
	type: [['capability'], []],
	weight: [[1, Number.NaN], [3]],
	skip: [[true], []],
	grader: [['judge', 'contains'], []],
	options: [[{ pattern: '.*', flags: 'm' }, { pattern: 'x' }, {}], [{ flags: 'm', pattern: 'x' }]],
	target: [[{ source: 'transcript' }, { source: 'file', path: 'a' }], []],
	judge: [[{ model: 'other' }], []],
	authors: [[[], undefined], [['m', 'o']]],
	scope: [[undefined, { kind: 'skill', name: 'o' }], []],
	file: [[], ['SKILL.md']],
	line: [[], [9]],
	pointer: [[], ['/x']],
}
const evalChanges: { [Field in keyof Required<EvalDefinition>]: [softer: unknown[], neutral: unknown[]] } = {
	id: [['2'], []],
	name: [[], ['m']],
	prompt: [['Do less', ''], []],
	expectedOutput: [[undefined, 'nothing'], []],
	files: [[[], ['other.txt']], []],
	assertions: [[[]], [[{ ...assertion, id: 'new', text: 'More' }, assertion]]],
	line: [[], [9]],
	pointer: [[], ['/x']],
}
const all = [
	...Object.entries(assertionChanges).map(([field, values]) => ({ field, values, change: withAssertion })),
	...Object.entries(evalChanges).map(([field, values]) => ({ field, values, change: withEval })),
]

test.each(all)('$field: every softer value is found and no other one is', ({ field, values: [softer, neutral], change }) => {
	for (const value of softer) expect(findWeakenings([base], [change({ [field]: value })]), String(value)).not.toEqual([])
	for (const value of neutral) expect(findWeakenings([base], [change({ [field]: value })]), String(value)).toEqual([])
})

test('a skip taken away is no weakening', () => {
	expect(findWeakenings([withAssertion({ skip: true })], [base])).toEqual([])
})

test('a removed file, and one that moved, is found', () => {
	expect(findWeakenings([base], [])).toMatchObject([{ sentence: 'the evals file is removed', file: 'evals/s/evals.json' }])
	expect(findWeakenings([base], [{ ...base, file: 'other.json' }])).toHaveLength(1)
	expect(findWeakenings([base], [{ ...base, skill: 'o' }])).toHaveLength(1)
})

test('of two assertions alike in base one in head is not enough', () => {
	const twice = withEval({ assertions: [assertion, { ...assertion, index: 2 }] })
	expect(findWeakenings([twice], [base])).toMatchObject([{ where: 's eval-1 assertion 2', sentence: 'the assertion is removed' }])
})

test('an unchanged suite and a new one are no weakening', () => {
	expect(findWeakenings([base], [structuredClone(base), { ...base, file: 'new.json' }])).toEqual([])
	expect(findWeakenings([], [base])).toEqual([])
})
