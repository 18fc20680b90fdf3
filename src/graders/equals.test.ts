import { describe, expect, test } from 'vitest'
import { faultsOf, gradeWith, otherFile, textFile } from './testing.ts'

const files = [textFile('a.md', 'one\r\ntwo\r\n'), textFile('b.md', '')]

describe('equals', () => {
	test.each([
		['line ends', { value: 'one\ntwo' }, files, 'a.md', 'pass', 'outputs/a.md is the expected text'],
		['one line end more', { value: 'one\rtwo\n' }, files, 'outputs', 'pass', 'outputs/a.md is the expected text'],
		['empty file', { value: '' }, files, 'b.md', 'pass', 'outputs/b.md is the expected text'],
		[
			'two line ends more',
			{ value: 'one\ntwo\n\n' },
			files,
			'a.md',
			'fail',
			'outputs/a.md:3: expected "", found the end of the text',
		],
		['case', { value: 'one\nTwo' }, files, 'a.md', 'fail', 'outputs/a.md:2: expected "Two", found "two"'],
		['blank at the end', { value: 'one\ntwo ' }, files, 'a.md', 'fail', 'outputs/a.md:2: expected "two ", found "two"'],
		['a line missing', { value: 'one' }, files, 'a.md', 'fail', 'outputs/a.md:2: expected the end of the text, found "two"'],
		[
			'none of several',
			{ value: 'one\nx' },
			files,
			'outputs',
			'fail',
			'no file in outputs/ (2 text files, 10 bytes: a.md, b.md) is the expected text; the nearest is outputs/a.md:2: expected "x", found "two"',
		],
		['empty file for a value', { value: 'x' }, files, 'b.md', 'fail', 'outputs/b.md:1: expected "x", found ""'],
		['no files', { value: 'x' }, [], 'outputs', 'fail', 'outputs/ is empty'],
		['no file', { value: '' }, files, 'x.md', 'fail', 'outputs/x.md does not exist'],
		['binary', { value: 'x' }, [otherFile('p', 'binary')], 'p', 'fail', 'there is no text to compare in outputs/p (7 bytes)'],
		['empty binary', { value: '' }, [otherFile('p', 'binary')], 'p', 'fail', expect.any(String)],
		['link', { value: '' }, [otherFile('l', 'link')], 'l', 'error', expect.any(String)],
		[
			'cut',
			{ value: 'one' },
			[textFile('a', 'one', true)],
			'a',
			'error',
			'outputs/a is larger than what is read, so the rest is not known',
		],
		[
			'text not read',
			{ value: '' },
			[{ path: 'a', kind: 'text', bytes: 0, cut: false } as const],
			'a',
			'error',
			expect.any(String),
		],
		[
			'another is whole',
			{ value: 'one' },
			[textFile('a', 'x', true), textFile('b', 'one')],
			'outputs',
			'pass',
			'outputs/b is the expected text',
		],
		[
			'message',
			{ value: 'x' },
			{ files: [], lastMessage: 'x\n' },
			'last-message',
			'pass',
			'the last message is the expected text',
		],
		['no message', { value: 'x' }, files, 'last-message', 'error', 'the agent left no final message'],
	])('%s', (_name, options, given, at, outcome, evidence) => {
		expect(gradeWith('equals', options, given, at)).toEqual({ outcome, evidence })
	})

	test('shows the place in a long line', () => {
		const [left, right] = ['a', 'b'].map((letter) => `${'x'.repeat(900)}${letter}${'y'.repeat(900)}`)
		const { evidence } = gradeWith('equals', { value: left }, [textFile('f', right!)])
		expect(evidence).toMatch(/^outputs\/f:1: expected "…x{80}ay{79}…", found "…x{80}by{79}…"$/)
	})

	test.each(['', '\n', '\r\n'])('refuses the empty value %j without a named file', (value) => {
		expect(faultsOf('equals', { value })).toEqual(['/options/value an empty value can only be compared with a named file'])
		expect(faultsOf('equals', { value }, 'last-message')).toHaveLength(1)
		expect(faultsOf('equals', { value }, 'a.md')).toEqual([])
	})

	test('needs a value', () => expect(faultsOf('equals', {})).toEqual(['/options/value "value" is missing']))
})
