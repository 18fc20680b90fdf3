import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseYaml } from './yaml.ts'

const parse = (text: string, linesBefore = 0) => parseYaml(text, 'x.yaml', 'x', linesBefore)

describe('YAML', () => {
	test.each([
		['an alias, which can be made to expand without end', 'a: &x [1]\nb: *x', /alias/, 1],
		['a key twice, of which readers keep either', 'a: 1\nb: 2\na: 3', /unique/i, 3],
		['a tag, which may mean code to some readers', 'a: !!js/function "x"', /tag/i, 1],
		['text that is none', 'a: [1', /./, 1],
		['two documents', 'a: 1\n---\nb: 2', /documents/i, 2],
		['a megabyte', `a: ${'x'.repeat(1_000_001)}`, /longer/, 1],
	])('%s is refused, with its line', (_what, text, message, line) => {
		const { value, problems } = parse(text)
		expect(value).toBeUndefined()
		expect(problems[0]?.message).toMatch(message)
		expect(problems[0]).toMatchObject({ severity: 'error', line })
	})

	test('a value has its place in the file, with the lines that stand before the text', () => {
		const { value } = parse('a:\n  - b: 1\n    c/d: 2\n', 3)
		expect(value?.value).toEqual({ a: [{ b: 1, 'c/d': 2 }] })
		expect(value?.locate(['a', 0, 'c/d'])).toEqual({ pointer: '/a/0/c~1d', line: 6, column: 5 })
		// What is missing is looked for at what it is missing in.
		expect(value?.locate(['a', 0, 'e']).line).toBe(5)
	})

	test('words that older readers take for true or false are texts', () => {
		expect(parse('a: yes\nb: off\nc: 0o7\nd: 1e3').value?.value).toEqual({ a: 'yes', b: 'off', c: 7, d: 1000 })
	})

	test('nothing makes it throw, and it gives a value or a problem, never neither', () => {
		const piece = fc.constantFrom(
			'a',
			': ',
			'- ',
			'\n',
			'  ',
			'&x ',
			'*x',
			'!!',
			'"',
			"'",
			'{',
			'}',
			'[',
			']',
			'|\n',
			'#',
			'\t',
			'---\n',
		)
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string(),
					fc.array(piece).map((pieces) => pieces.join('')),
				),
				(text) => {
					const { value, problems } = parse(text)
					expect(value === undefined).toBe(problems.length > 0)
					for (const { line } of problems) expect(line).toBeGreaterThan(0)
				},
			),
			{ numRuns: 1000 },
		)
	})
})
