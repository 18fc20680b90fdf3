import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OutputFile } from '../model.ts'
import { GRADERS, planGrade } from './registry.ts'
import { define, gradeWith } from './testing.ts'

const word = fc.oneof(
	fc.constantFrom('a', 'b', 'ab', 'ba\n', 'A', 'é', '\r\n', 'ς', 'Σ', 'İ', '😀'),
	fc.string({ minLength: 1, maxLength: 4 }),
)
const text = fc.array(fc.oneof(word, fc.constant('')), { maxLength: 8 }).map((parts) => parts.join(''))
const path = fc.constantFrom('a', 'b', 'd/c', 'x.json', '__proto__', 'a/b')
const pattern = fc.constantFrom(
	'a',
	'a+b',
	'^a',
	'b$',
	'(?m)^$',
	'^$',
	'^[^a]*$',
	'(a+)+$',
	'(?s)a.*b',
	String.raw`\bA`,
	'é|ς',
	'[^a]',
	'(?i)σ',
)
const flags = fc.constantFrom('', 'i', 'm', 's', 'ims')
const at = fc.oneof(fc.constantFrom('outputs', 'last-message'), path)
const file: fc.Arbitrary<OutputFile> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ path, kind: fc.constant('text' as const), bytes: fc.nat(9), text, cut: fc.boolean() }) },
	fc.record({ path, kind: fc.constantFrom('binary', 'link', 'special', 'text'), bytes: fc.nat(9), cut: fc.boolean() }),
)
const outputs = fc.record({
	files: fc.uniqueArray(file, { maxLength: 3, selector: (entry) => entry.path }),
	lastMessage: fc.option(text, { nil: undefined }),
})
const values = fc.record({ value: word, 'ignore-case': fc.boolean() })

/** Valid options of every grader; a grader without an entry fails the first test below. */
const OPTIONS: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
	contains: fc.oneof(
		fc.record({ value: word, 'min-count': fc.integer({ min: 1, max: 3 }) }),
		fc.record({ values: fc.array(word, { minLength: 1 }) }),
	),
	'not-contains': fc.oneof(values, fc.record({ values: fc.array(word, { minLength: 1 }) })),
	equals: fc.record({ value: fc.oneof(word, fc.constant('')) }),
	regex: fc.record({ pattern, flags }),
	'not-regex': fc.record({ pattern, flags }),
	'file-exists': fc.record({ path, 'min-bytes': fc.nat(3) }, { requiredKeys: [] }),
	'file-not-exists': fc.record({ path }, { requiredKeys: [] }),
	'json-schema': fc.record({ schema: fc.constantFrom({}, { type: 'object' }, { not: {} }, { enum: [null] }) }),
	'tool-usage': fc.constantFrom({ tool: 'a' }, { tool: 'a', expect: 'not-used' }, { tool: 'a', min: 0, max: 3 }),
	'tool-order': fc.record({ before: word, after: word }),
	'skill-invoked': fc.record({ skill: word, expect: fc.constantFrom('used', 'not-used') }),
	'file-access': fc.record({ path, expect: fc.constantFrom('accessed', 'not-accessed') }),
	'turn-count': fc.record({ max: fc.nat(3) }),
	cost: fc.record({ maxTokens: fc.nat(3) }),
	'json-output': fc.record({ schema: fc.constantFrom({}, { type: 'object' }, { not: {} }) }),
	human: fc.constant({}),
	command: fc.record({
		command: fc.array(
			word.filter((argument) => !argument.includes('\0')),
			{ minLength: 1 },
		),
	}),
}

describe.each(GRADERS.map((grader) => grader.name))('%s', (name) => {
	test('never passes on nothing', async () => {
		const never = name === 'file-not-exists' ? [] : ['pass']
		let graded = 0
		await fc.assert(
			fc.property(OPTIONS[name]!, at, fc.constantFrom(undefined, '', ' \n'), (options, target, lastMessage) => {
				const plan = planGrade(define(name, options, target), { outputs: { files: [], lastMessage } })
				if (!('grade' in plan)) return
				graded++
				expect(never).not.toContain(plan.grade.outcome)
				expect(plan.grade.evidence).not.toBe('')
			}),
		)
		expect(graded).toBeGreaterThan(10)
	})

	test('never throws, and never passes on what cannot be read', async () => {
		const unreadable = fc.record({ path, kind: fc.constantFrom('link', 'special'), bytes: fc.nat(9), cut: fc.boolean() })
		const files = fc.uniqueArray(unreadable, { minLength: 1, maxLength: 3, selector: (entry) => entry.path })
		const never = name === 'file-not-exists' ? [] : ['pass']
		await fc.assert(
			fc.property(OPTIONS[name]!, at, files, (options, target, entries) => {
				const plan = planGrade(define(name, options, target), { outputs: { files: entries } })
				if ('grade' in plan) expect(never).not.toContain(plan.grade.outcome)
			}),
		)
	})

	test('is graded alike with LF, CRLF and CR', async () => {
		await fc.assert(
			fc.property(OPTIONS[name]!, at, outputs, (options, target, given) => {
				const outcomes = ['\n', '\r\n', '\r'].map((end) => {
					const respell = (content: string | undefined) => content?.replace(/\r\n?|\n/g, end)
					const files = given.files.map((entry) => (entry.text === undefined ? entry : { ...entry, text: respell(entry.text)! }))
					const plan = planGrade(define(name, options, target), { outputs: { files, lastMessage: respell(given.lastMessage) } })
					return 'grade' in plan ? plan.grade.outcome : 'process'
				})
				expect(new Set(outcomes).size).toBe(1)
			}),
		)
	})
})

test('contains and not-contains never both pass', async () => {
	const passes = { contains: 0, 'not-contains': 0 }
	await fc.assert(
		fc.property(values, at, outputs, (options, target, given) => {
			const passed = (['contains', 'not-contains'] as const).filter(
				(name) => gradeWith(name, options, given, target).outcome === 'pass',
			)
			for (const name of passed) passes[name]++
			expect(passed.length).toBeLessThan(2)
		}),
		{ numRuns: 1000 },
	)
	// Otherwise the property would hold for graders that always fail.
	expect(Math.min(...Object.values(passes))).toBeGreaterThan(10)
})

test('regex and not-regex never both pass', async () => {
	const passes = { regex: 0, 'not-regex': 0 }
	await fc.assert(
		fc.property(pattern, flags, at, outputs, (source, letters, target, given) => {
			const options = { pattern: source, flags: letters }
			const passed = (['regex', 'not-regex'] as const).filter(
				(name) => gradeWith(name, options, given, target).outcome === 'pass',
			)
			for (const name of passed) passes[name]++
			expect(passed.length).toBeLessThan(2)
		}),
		{ numRuns: 1000 },
	)
	expect(Math.min(...Object.values(passes))).toBeGreaterThan(10)
})

test('file-exists and file-not-exists never both pass', async () => {
	const passes = { 'file-exists': 0, 'file-not-exists': 0 }
	await fc.assert(
		fc.property(path, fc.boolean(), outputs, (name, directory, given) => {
			const options = { path: directory ? `${name}/` : name }
			const passed = (['file-exists', 'file-not-exists'] as const).filter(
				(grader) => gradeWith(grader, options, given).outcome === 'pass',
			)
			for (const grader of passed) passes[grader]++
			expect(passed.length).toBeLessThan(2)
		}),
		{ numRuns: 1000 },
	)
	expect(Math.min(...Object.values(passes))).toBeGreaterThan(10)
})

test('more text behind the cut never turns a pass into a fail', async () => {
	await fc.assert(
		fc.property(
			fc.constantFrom('contains', 'not-contains', 'regex', 'not-regex', 'equals'),
			values,
			pattern,
			text,
			text,
			(name, option, source, head, tail) => {
				const options: Record<string, unknown> = name.endsWith('regex')
					? { pattern: source }
					: name === 'equals'
						? { value: option.value }
						: option
				const grade = (content: string, cut: boolean) =>
					gradeWith(name, options, [{ path: 'a', kind: 'text', bytes: 9, text: content, cut }], 'a').outcome
				const seen = grade(head, true)
				if (seen !== 'error') expect(grade(head + tail, false)).toBe(seen)
			},
		),
		{ numRuns: 2000 },
	)
})
