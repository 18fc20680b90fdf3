import { describe, expect, test } from 'vitest'
import { faultsOf, gradeWith, otherFile, textFile } from './testing.ts'

const files = [textFile('a.md', 'one\r\nTwo\r\n'), textFile('b.md', '')]

describe('not-regex', () => {
	test.each([
		[
			'absent',
			{ pattern: 'x+' },
			files,
			'outputs',
			'pass',
			'/x+/ matches nothing in outputs/ (2 text files, 10 bytes: a.md, b.md)',
		],
		['present', { pattern: 'two', flags: 'i' }, files, 'outputs', 'fail', '/two/i matches outputs/a.md:2: Two'],
		['no CR is seen', { pattern: String.raw`\r` }, files, 'outputs', 'pass', expect.any(String)],
		['no files', { pattern: 'x' }, [], 'outputs', 'fail', 'outputs/ is empty'],
		['no file', { pattern: 'x' }, files, 'x.md', 'fail', 'outputs/x.md does not exist'],
		['empty file', { pattern: 'x' }, files, 'b.md', 'fail', 'there is nothing to search in outputs/b.md (0 bytes)'],
		[
			'binary',
			{ pattern: 'x' },
			[otherFile('p', 'binary')],
			'p',
			'error',
			'outputs/p is a binary file, which cannot be searched',
		],
		['link', { pattern: 'x' }, [otherFile('l', 'link')], 'l', 'error', expect.any(String)],
		[
			'cut',
			{ pattern: 'x' },
			[textFile('a', 'one', true)],
			'outputs',
			'error',
			'outputs/a is larger than what is read, so the rest is not known',
		],
		['$ at the cut', { pattern: 'one$' }, [textFile('a', 'one', true)], 'outputs', 'error', expect.any(String)],
		['before the cut', { pattern: 'on' }, [textFile('a', 'one', true)], 'outputs', 'fail', '/on/ matches outputs/a:1: one'],
		['no message', { pattern: 'x' }, files, 'last-message', 'error', 'the agent left no final message'],
		[
			'too long',
			{ pattern: '(?:a?){999}!' },
			[textFile('a', 'a'.repeat(1e6))],
			'outputs',
			'error',
			expect.stringContaining('takes too long'),
		],
	])('%s', (_name, options, given, at, outcome, evidence) => {
		expect(gradeWith('not-regex', options, given, at)).toEqual({ outcome, evidence })
	})

	test('refuses a pattern that does not compile', () => {
		expect(faultsOf('not-regex', { pattern: '[' })).toEqual([
			expect.stringMatching(/^\/options\/pattern the pattern cannot be read/),
		])
	})
})
