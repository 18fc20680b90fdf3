import { describe, expect, test } from 'vitest'
import { faultsOf, gradeWith, otherFile, textFile } from './testing.ts'

const files = [textFile('a.md', 'one\r\nTwo two\rthree'), textFile('b.md', 'two\n')]

describe('contains passes', () => {
	test.each([
		[{ value: 'one' }, 'outputs/a.md:1: one (1 occurrence)'],
		[{ value: 'two' }, 'outputs/a.md:2: Two two (2 occurrences)'],
		[{ value: 'TWO', 'ignore-case': true }, 'outputs/a.md:2: Two two (3 occurrences)'],
		[{ value: 'two', 'min-count': 2 }, 'outputs/a.md:2: Two two (2 occurrences)'],
		[{ value: 'two\r\nthree' }, 'outputs/a.md:2: Two two (1 occurrence)'],
		[{ value: 'one\nTwo' }, 'outputs/a.md:1: one (1 occurrence)'],
		[{ values: ['three', 'one'] }, 'outputs/a.md:3: three (1 occurrence); outputs/a.md:1: one (1 occurrence)'],
		[{ values: ['o', 'n', 'e', 't', 'w', 'T'] }, expect.stringMatching(/; and 1 more found$/)],
	])('%j', (options, evidence) => expect(gradeWith('contains', options, files)).toEqual({ outcome: 'pass', evidence }))

	test.each([
		['STRASSE ÄÖÜ', 'strasse äöü'],
		['ὈΔΥΣΣΕΎΣ', 'ὀδυσσεύς'],
		['İx', 'İX'],
		['𐐀', '𐐨'],
	])('%s is %s without case', (value, text) => {
		const grade = gradeWith('contains', { value, 'ignore-case': true }, [textFile('a.md', `${'İ'.repeat(40)}\n${text}\nend`)])
		expect(grade).toEqual({ outcome: 'pass', evidence: `outputs/a.md:2: ${text} (1 occurrence)` })
	})

	test('in the last message', () => {
		const outputs = { files: [], lastMessage: 'all\ndone' }
		const evidence = 'the last message:2: done (1 occurrence)'
		expect(gradeWith('contains', { value: 'done' }, outputs, 'last-message')).toEqual({ outcome: 'pass', evidence })
	})

	test('where the text is there before the cut', () => {
		expect(gradeWith('contains', { value: 'one' }, [textFile('a.md', 'one', true)]).outcome).toBe('pass')
	})

	test('with an excerpt of a long line, not split in a character', () => {
		const text = `${'😀'.repeat(5000)}needle${'😀'.repeat(5000)}`
		const { evidence } = gradeWith('contains', { value: 'needle' }, [textFile('a.md', text)])
		expect(evidence).toMatch(/^outputs\/a\.md:1: …(😀)+needle(😀)+… \(1 occurrence\)$/u)
		expect(evidence.length).toBeLessThan(220)
	})
})

describe('contains does not pass', () => {
	test.each([
		['absent', { value: 'four' }, files, 'outputs', 'fail', '"four" is not in outputs/ (2 text files, 22 bytes: a.md, b.md)'],
		['other case', { value: 'ONE' }, files, 'outputs', 'fail', '"ONE" is not in outputs/ (2 text files, 22 bytes: a.md, b.md)'],
		[
			'one of two',
			{ values: ['one', 'x'] },
			files,
			'outputs',
			'fail',
			'"x" is not in outputs/ (2 text files, 22 bytes: a.md, b.md)',
		],
		[
			'too few',
			{ value: 'two', 'min-count': 3 },
			files,
			'outputs',
			'fail',
			'"two" occurs 2 times, expected at least 3, in outputs/ (2 text files, 22 bytes: a.md, b.md)',
		],
		[
			'overlap',
			{ value: 'aa', 'min-count': 2 },
			[textFile('a', 'aaa')],
			'outputs',
			'fail',
			expect.stringContaining('occurs 1 time,'),
		],
		['no files', { value: 'x' }, [], 'outputs', 'fail', 'outputs/ is empty'],
		['no file', { value: 'x' }, files, 'x.md', 'fail', 'outputs/x.md does not exist'],
		[
			'only binary',
			{ value: 'x' },
			[otherFile('a.png', 'binary')],
			'outputs',
			'fail',
			'there is no text to search in outputs/ (1 binary file, 7 bytes: a.png)',
		],
		[
			'binary',
			{ value: 'x' },
			[otherFile('a.png', 'binary')],
			'a.png',
			'fail',
			'there is no text to search in outputs/a.png (7 bytes)',
		],
		['link', { value: 'x' }, [otherFile('a.md', 'link')], 'a.md', 'error', 'outputs/a.md is a symbolic link, which is not read'],
		['in a name only', { value: 'a.md' }, files, 'outputs', 'fail', expect.stringContaining('is not in')],
		['no message', { value: 'x' }, files, 'last-message', 'error', 'the agent left no final message'],
		[
			'cut',
			{ value: 'x' },
			[textFile('a.md', 'one', true), textFile('b.md', 'two')],
			'outputs',
			'error',
			'"x": outputs/a.md is larger than what is read, so the rest is not known',
		],
		[
			'too few before the cut',
			{ value: 'one', 'min-count': 2 },
			[textFile('a.md', 'one', true)],
			'outputs',
			'error',
			expect.any(String),
		],
		[
			'text not read',
			{ value: 'x' },
			[{ path: 'a', kind: 'text', bytes: 1, cut: false } as const],
			'outputs',
			'error',
			expect.any(String),
		],
	])('%s', (_name, options, given, at, outcome, evidence) => {
		expect(gradeWith('contains', options, given, at)).toEqual({ outcome, evidence })
	})
})

describe('contains refuses', () => {
	test.each([
		[{}, ['/options/value "value" is missing']],
		[{ value: 'a', values: ['b'] }, ['/options/values "value" and "values" are both here']],
		[{ value: '' }, ['/options/value "value" must not be empty']],
		[{ values: [] }, ['/options/values "values" must hold at least one text']],
		[{ values: ['a', ''] }, ['/options/values/1 "values.1" must not be empty']],
		[{ value: 3 }, ['/options/value "value" must be a string, not the number 3']],
		[{ value: null }, ['/options/value "value" must be a string, not null']],
		[{ value: 'a', 'ignore-case': 'yes' }, ['/options/ignore-case "ignore-case" must be true or false, not the string "yes"']],
		[{ value: 'a', 'min-count': 0 }, ['/options/min-count "min-count" must be at least 1']],
		[{ value: 'a', 'min-count': 1.5 }, ['/options/min-count "min-count" must be a whole number, not the number 1.5']],
		[{ value: 'a', 'min-count': Number.NaN }, [expect.stringContaining('/options/min-count')]],
	])('%j', (options, faults) => expect(faultsOf('contains', options)).toEqual(faults))
})
