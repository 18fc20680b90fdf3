import { describe, expect, test } from 'vitest'
import { faultsOf, gradeWith, otherFile, textFile } from './testing.ts'

const files = [textFile('a.md', 'one\r\nTwo'), textFile('b.md', '')]

describe('not-contains passes', () => {
	test.each([
		[{ value: 'x' }, '"x" is not in outputs/ (2 text files, 8 bytes: a.md, b.md)'],
		[{ value: 'two' }, '"two" is not in outputs/ (2 text files, 8 bytes: a.md, b.md)'],
		[{ values: ['x', 'y'] }, 'none of "x", "y" is in outputs/ (2 text files, 8 bytes: a.md, b.md)'],
	])('%j', (options, evidence) => expect(gradeWith('not-contains', options, files)).toEqual({ outcome: 'pass', evidence }))

	test('and says what was not searched', () => {
		const given = [textFile('a.md', 'one'), otherFile('p.png', 'binary'), otherFile('l', 'link')]
		const evidence =
			'"x" is not in outputs/ (1 text file, 1 binary file, 1 symbolic link, 17 bytes: a.md, p.png, l); not searched: p.png (binary file), l (symbolic link)'
		expect(gradeWith('not-contains', { value: 'x' }, given)).toEqual({ outcome: 'pass', evidence })
	})
})

describe('not-contains does not pass', () => {
	test.each([
		['present', { value: 'one' }, files, 'outputs', 'fail', '"one" is in outputs/a.md:1: one'],
		['present without case', { value: 'TWO', 'ignore-case': true }, files, 'outputs', 'fail', '"TWO" is in outputs/a.md:2: Two'],
		['across CRLF', { value: 'one\nTwo' }, files, 'outputs', 'fail', String.raw`"one\nTwo" is in outputs/a.md:1: one`],
		['the second', { values: ['x', 'one'] }, files, 'outputs', 'fail', '"one" is in outputs/a.md:1: one'],
		['no files', { value: 'x' }, [], 'outputs', 'fail', 'outputs/ is empty'],
		['no file', { value: 'x' }, files, 'x.md', 'fail', 'outputs/x.md does not exist'],
		['empty file', { value: 'x' }, files, 'b.md', 'fail', 'there is nothing to search in outputs/b.md (0 bytes)'],
		[
			'blank files',
			{ value: 'x' },
			[textFile('a', ' \n')],
			'outputs',
			'fail',
			'there is nothing to search in outputs/ (1 text file, 2 bytes: a)',
		],
		[
			'only unsearchable',
			{ value: 'x' },
			[otherFile('p', 'binary'), otherFile('l', 'link')],
			'outputs',
			'fail',
			'there is nothing to search in outputs/ (1 binary file, 1 symbolic link, 14 bytes: p, l)',
		],
		['binary', { value: 'x' }, [otherFile('p', 'binary')], 'p', 'error', 'outputs/p is a binary file, which cannot be searched'],
		['link', { value: 'x' }, [otherFile('l', 'link')], 'l', 'error', 'outputs/l is a symbolic link, which is not read'],
		[
			'behind a link',
			{ value: 'x' },
			[otherFile('l', 'link')],
			'l/a.md',
			'error',
			'outputs/l is a symbolic link, which is not read',
		],
		['special', { value: 'x' }, [otherFile('f', 'special')], 'f', 'error', 'outputs/f is a special file, which is not read'],
		['no message', { value: 'x' }, files, 'last-message', 'error', 'the agent left no final message'],
		[
			'cut',
			{ value: 'x' },
			[textFile('a', 'one', true), textFile('b', 'two', true), textFile('c', 'x')].slice(0, 2),
			'outputs',
			'error',
			'outputs/a, outputs/b are larger than what is read, so the rest is not known',
		],
		['found before the cut', { value: 'one' }, [textFile('a', 'one', true)], 'outputs', 'fail', '"one" is in outputs/a:1: one'],
		[
			'text not read',
			{ value: 'x' },
			[{ path: 'a', kind: 'text', bytes: 1, cut: false } as const],
			'outputs',
			'error',
			expect.any(String),
		],
	])('%s', (_name, options, given, at, outcome, evidence) => {
		expect(gradeWith('not-contains', options, given, at)).toEqual({ outcome, evidence })
	})
})

test('not-contains has no min-count', () => {
	expect(faultsOf('not-contains', { value: 'x', 'min-count': 2 })).toEqual([
		'/options/min-count the option "min-count" is not known; the options are value, values, ignore-case',
	])
})
