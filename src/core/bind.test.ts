import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AssertionDefinition } from '../definition.ts'
import type { GradingRow } from '../model.ts'
import { bindRows } from './bind.ts'

const define = (text: string, index: number, more: Partial<AssertionDefinition> = {}): AssertionDefinition => ({
	index,
	text,
	severity: 'error',
	type: 'regression',
	weight: 1,
	skip: false,
	grader: 'judge',
	options: {},
	target: { source: 'outputs' },
	pointer: `/evals/0/assertions/${index - 1}`,
	...more,
})
const row = (text: string, more: Partial<GradingRow> = {}): GradingRow => ({ text, outcome: 'pass', evidence: '', ...more })
const texts = (definitions: AssertionDefinition[], rows: GradingRow[], rewording: 'accept' | 'refuse' = 'accept') => {
	const bound = bindRows(definitions, rows, rewording)
	return {
		rows: Object.fromEntries([...bound.rows].map(([index, { text }]) => [index, text])),
		extra: bound.extra.map(({ text }) => text),
		reworded: bound.reworded,
	}
}

describe('bindRows', () => {
	it('follows the text, not the order', () => {
		expect(texts([define('one', 1), define('two', 2)], [row('two'), row('one')]).rows).toEqual({ 1: 'one', 2: 'two' })
	})

	it('prefers the id over the text and over the place', () => {
		const definitions = [define('one', 1, { id: 'a' }), define('two', 2, { id: 'b' })]
		expect(texts(definitions, [row('two', { id: 'a' }), row('one', { id: 'b' })]).rows).toEqual({ 1: 'two', 2: 'one' })
	})

	it('knows a text again after retyping: dashes, quotes, case, white space', () => {
		const declared = 'The “Target PR” section — with URL'
		expect(texts([define('x', 1), define(declared, 2)], [row("the 'target pr'  section -- with url"), row('x')])).toEqual({
			rows: { 1: 'x', 2: "the 'target pr'  section -- with url" },
			extra: [],
			reworded: [],
		})
	})

	it('tells apart two assertions that differ only in what retyping loses', () => {
		const bound = bindRows(
			[define('says A', 1), define('says a', 2)],
			[row('says a'), row('says A', { outcome: 'fail' })],
			'accept',
		)
		expect([bound.rows.get(1)?.outcome, bound.rows.get(2)?.outcome]).toEqual(['fail', 'pass'])
	})

	it('binds a reworded row by its place only if the counts agree, and says so', () => {
		expect(texts([define('one', 1), define('two', 2)], [row('one'), row('zwei')])).toEqual({
			rows: { 1: 'one', 2: 'zwei' },
			extra: [],
			reworded: [2],
		})
		expect(texts([define('one', 1), define('two', 2), define('three', 3)], [row('one'), row('zwei')])).toEqual({
			rows: { 1: 'one' },
			extra: ['zwei'],
			reworded: [],
		})
	})

	it('does not give a row to an assertion whose place another one took by text', () => {
		expect(texts([define('one', 1), define('two', 2)], [row('two'), row('zwei')])).toEqual({
			rows: { 2: 'two' },
			extra: ['zwei'],
			reworded: [],
		})
	})

	it('in a baseline binds by place only a text that was cut off', () => {
		const long = 'The sub-task description includes a section with the pull request URL'
		expect(texts([define(long, 1)], [row(`${long.slice(0, 50)}…`)], 'refuse').rows).toEqual({ 1: `${long.slice(0, 50)}…` })
		expect(texts([define(long, 1)], [row('Something else was asked at that time, of the same place')], 'refuse').rows).toEqual({})
		expect(texts([define(long, 1)], [row('The sub')], 'refuse').rows).toEqual({})
	})

	it('leaves a second row of one assertion over', () => {
		expect(texts([define('one', 1)], [row('one'), row('one')])).toEqual({ rows: { 1: 'one' }, extra: ['one'], reworded: [] })
	})

	it('counts gradings with and without rows for skipped assertions', () => {
		const definitions = [define('one', 1, { skip: true }), define('two', 2)]
		expect(texts(definitions, [row('zwei')]).rows).toEqual({ 2: 'zwei' })
		expect(texts(definitions, [row('eins'), row('zwei')]).rows).toEqual({ 1: 'eins', 2: 'zwei' })
	})

	it('never uses a row twice, never loses one, never binds two to one', () => {
		const text = fc.constantFrom('a', 'b', 'A', 'c -- d', 'c — d', '')
		fc.assert(
			fc.property(
				fc.array(text, { maxLength: 6 }),
				fc.array(text, { maxLength: 6 }),
				fc.constantFrom('accept' as const, 'refuse' as const),
				(declared, found, rewording) => {
					const rows = found.map((each) => row(each))
					const definitions = declared.map((each, at) => define(each, at + 1))
					const bound = bindRows(definitions, rows, rewording)
					const used = [...bound.rows.values(), ...bound.extra]
					expect(new Set(used).size).toBe(used.length)
					expect(used.length).toBe(rows.length)
				},
			),
		)
	})
})
