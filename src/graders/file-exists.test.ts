import { describe, expect, test } from 'vitest'
import { faultsOf, gradeWith, otherFile, textFile } from './testing.ts'

const files = [
	textFile('a.md', 'one'),
	textFile('empty', ''),
	otherFile('p.png', 'binary'),
	textFile('dir/sub/b.md', 'two'),
	otherFile('dir/l', 'link'),
	otherFile('link', 'link'),
	otherFile('pipe', 'special'),
	otherFile('links/l', 'link'),
	textFile('big', 'x', true),
	textFile('__proto__', 'p'),
]
const all =
	'outputs/ has 5 text files, 1 binary file, 3 symbolic links, 1 special file, 43 bytes: a.md, empty, p.png, dir/sub/b.md, dir/l, …'

describe('file-exists', () => {
	test.each([
		[{ path: 'a.md' }, 'pass', 'outputs/a.md exists, 3 bytes'],
		[{ path: 'outputs/a.md' }, 'pass', 'outputs/a.md exists, 3 bytes'],
		[{ path: './outputs/a.md' }, 'pass', 'outputs/a.md exists, 3 bytes'],
		[{ path: 'empty' }, 'pass', 'outputs/empty exists, 0 bytes'],
		[{ path: 'p.png' }, 'pass', 'outputs/p.png exists, 7 bytes'],
		[{ path: 'big' }, 'pass', 'outputs/big exists, 1 byte'],
		[{ path: '__proto__' }, 'pass', 'outputs/__proto__ exists, 1 byte'],
		[{ path: 'dir' }, 'pass', 'outputs/dir/ exists, 1 file below, 3 bytes'],
		[{ path: 'dir/' }, 'pass', 'outputs/dir/ exists, 1 file below, 3 bytes'],
		[{ path: 'dir/sub' }, 'pass', 'outputs/dir/sub/ exists, 1 file below, 3 bytes'],
		[{ path: 'a.md', 'min-bytes': 3 }, 'pass', 'outputs/a.md exists, 3 bytes'],
		[{ path: 'a.md', 'min-bytes': 4 }, 'fail', 'outputs/a.md exists, 3 bytes, expected at least 4'],
		[{ path: 'empty', 'min-bytes': 1 }, 'fail', 'outputs/empty exists, 0 bytes, expected at least 1'],
		[{ path: 'dir', 'min-bytes': 4 }, 'fail', 'outputs/dir/ exists, 1 file below, 3 bytes, expected at least 4'],
		[{ path: 'x.md' }, 'fail', `outputs/x.md does not exist; ${all}`],
		[{ path: 'A.md' }, 'fail', `outputs/A.md does not exist; ${all}`],
		[{ path: 'di' }, 'fail', `outputs/di does not exist; ${all}`],
		[{ path: 'constructor' }, 'fail', `outputs/constructor does not exist; ${all}`],
		[{ path: 'a.md/' }, 'fail', 'outputs/a.md/ is a file, not a directory'],
		[{ path: 'link' }, 'error', 'outputs/link is a symbolic link, which is not read'],
		[{ path: 'link/x' }, 'error', 'outputs/link is a symbolic link, which is not read'],
		[{ path: 'pipe' }, 'error', 'outputs/pipe is a special file, which is not read'],
		[{ path: 'links' }, 'error', 'outputs/links/ holds nothing that is read: 1 symbolic link, 7 bytes: links/l'],
	])('%j: %s', (options, outcome, evidence) => {
		expect(gradeWith('file-exists', options, files)).toEqual({ outcome, evidence })
	})

	test('takes the path from the target', () => {
		expect(gradeWith('file-exists', {}, files, 'a.md').outcome).toBe('pass')
		expect(gradeWith('file-exists', {}, [], 'a.md')).toEqual({
			outcome: 'fail',
			evidence: 'outputs/a.md does not exist; outputs/ has no files',
		})
	})

	test('a size that is no number fails', () => {
		expect(gradeWith('file-exists', { path: 'a' }, [{ ...textFile('a', 'x'), bytes: Number.NaN }]).outcome).toBe('fail')
	})
})

describe.each(['file-exists', 'file-not-exists'])('%s refuses', (grader) => {
	test.each([
		[{}, 'outputs', ' "path" is missing'],
		[{ path: 'a' }, 'b', '/options/path both the option "path" and the target name a file'],
		[{ path: 'a' }, 'last-message', '/target the last message has no path'],
		[{ path: 3 }, 'outputs', '/options/path "path" must be a string, not the number 3'],
		[{ path: '' }, 'outputs', '/options/path the path is empty'],
		[{ path: 'outputs/' }, 'outputs', '/options/path the path is empty'],
		[{ path: '/etc/passwd' }, 'outputs', '/options/path the path "/etc/passwd" is not a relative path with /'],
		[{ path: 'outputs//etc' }, 'outputs', '/options/path the path "/etc" is not a relative path with /'],
		[{ path: String.raw`a\b` }, 'outputs', String.raw`/options/path the path "a\\b" is not a relative path with /`],
		[{ path: 'C:/x' }, 'outputs', '/options/path the path "C:/x" is not a relative path with /'],
		[{ path: 'a\0' }, 'outputs', String.raw`/options/path the path "a\u0000" is not a relative path with /`],
		[{ path: '../x' }, 'outputs', '/options/path the path "../x" has a part that is empty, "." or ".."'],
		[{ path: 'outputs/../x' }, 'outputs', '/options/path the path "../x" has a part that is empty, "." or ".."'],
		[{ path: 'a/./b' }, 'outputs', '/options/path the path "a/./b" has a part that is empty, "." or ".."'],
		[{ path: 'a//b' }, 'outputs', '/options/path the path "a//b" has a part that is empty, "." or ".."'],
		[{ path: '.' }, 'outputs', '/options/path the path "." has a part that is empty, "." or ".."'],
		[{}, '../x', '/target the path "../x" has a part that is empty, "." or ".."'],
		[{}, '/x', '/target the path "/x" is not a relative path with /'],
	])('%j with target %s', (options, at, fault) => expect(faultsOf(grader, options, at)).toEqual([fault]))
})

test('min-bytes is a whole number', () => {
	expect(faultsOf('file-exists', { path: 'a', 'min-bytes': -1 })).toEqual(['/options/min-bytes "min-bytes" must not be negative'])
})
