import { describe, expect, test } from 'vitest'
import { faultsOf, gradeWith, otherFile, textFile } from './testing.ts'

const files = [textFile('a.md', 'one\r\nTwo\r\n'), textFile('b.md', '')]

describe('regex', () => {
	test.each([
		['finds', { pattern: 'T.o' }, files, 'outputs', 'pass', 'outputs/a.md:2: Two'],
		['flags', { pattern: '^two$', flags: 'im' }, files, 'outputs', 'pass', 'outputs/a.md:2: Two'],
		['LF for CRLF', { pattern: String.raw`one\nTwo\n\z` }, files, 'outputs', 'pass', 'outputs/a.md:1: one'],
		['blank line', { pattern: '(?m)^$' }, [textFile('a', 'x\n\ny')], 'outputs', 'pass', 'outputs/a:2: (an empty line)'],
		[
			'absent',
			{ pattern: 'x+', flags: 'i' },
			files,
			'outputs',
			'fail',
			'/x+/i matches nothing in outputs/ (2 text files, 10 bytes: a.md, b.md)',
		],
		['anchored', { pattern: '^two' }, files, 'outputs', 'fail', expect.stringContaining('matches nothing')],
		['no files', { pattern: 'x' }, [], 'outputs', 'fail', 'outputs/ is empty'],
		['no file', { pattern: 'x' }, files, 'x.md', 'fail', 'outputs/x.md does not exist'],
		['binary', { pattern: 'x' }, [otherFile('p', 'binary')], 'p', 'fail', 'there is no text to search in outputs/p (7 bytes)'],
		['link', { pattern: 'x' }, [otherFile('l', 'link')], 'l', 'error', expect.any(String)],
		[
			'cut',
			{ pattern: 'x' },
			[textFile('a', 'one', true)],
			'outputs',
			'error',
			'/x/: outputs/a is larger than what is read, so the rest is not known',
		],
		['$ at the cut', { pattern: 'one$' }, [textFile('a', 'one', true)], 'outputs', 'error', expect.stringContaining('larger')],
		['before the cut', { pattern: 'on' }, [textFile('a', 'one', true)], 'outputs', 'pass', 'outputs/a:1: one'],
		['no message', { pattern: 'x' }, files, 'last-message', 'error', 'the agent left no final message'],
		['ReDoS', { pattern: '(a+)+$' }, [textFile('a', `${'a'.repeat(100_000)}!`)], 'outputs', 'fail', expect.any(String)],
		[
			'too long',
			{ pattern: '(?:a?){999}!' },
			[textFile('a', 'a'.repeat(1e6))],
			'outputs',
			'error',
			expect.stringContaining('takes too long'),
		],
	])('%s', (_name, options, given, at, outcome, evidence) => {
		expect(gradeWith('regex', options, given, at)).toEqual({ outcome, evidence })
	})

	test.each([
		[{}, ['/options/pattern "pattern" is missing']],
		[{ pattern: '' }, ['/options/pattern the pattern is empty']],
		[{ pattern: 'a', flags: 'g' }, ['/options/flags the flag g has no meaning here: one match is enough']],
		[{ pattern: '(?=a)' }, [expect.stringMatching(/^\/options\/pattern look-ahead/)]],
		[{ pattern: 'a', flags: 1 }, ['/options/flags "flags" must be a string, not the number 1']],
	])('refuses %j', (options, faults) => expect(faultsOf('regex', options)).toEqual(faults))

	test.each(['.*', 'a*', '^', '$', String.raw`^\s*`, 'error|', '()', '(?:)', '(?i)x?', String.raw`\s*$`])(
		'refuses %s, which cannot fail',
		(pattern) => {
			expect(faultsOf('regex', { pattern })).toEqual(['/options/pattern the pattern matches every text, so it cannot fail'])
		},
	)

	test.each(['.+', '^$', '(?m)^$', '^[^x]*$', String.raw`\A\s*\z`, String.raw`^\s*\{`, 'x{0,3}y', String.raw`\bword\b`])(
		'takes %s',
		(pattern) => {
			expect(faultsOf('regex', { pattern })).toEqual([])
		},
	)
})
