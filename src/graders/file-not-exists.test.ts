import { describe, expect, test } from 'vitest'
import { gradeWith, otherFile, textFile } from './testing.ts'

const files = [textFile('a.md', 'one'), otherFile('p.png', 'binary'), textFile('dir/b.md', 'two'), otherFile('link', 'link')]
const all = 'outputs/ has 2 text files, 1 binary file, 1 symbolic link, 20 bytes: a.md, p.png, dir/b.md, link'

describe('file-not-exists', () => {
	test.each([
		['x.md', 'pass', `outputs/x.md does not exist; ${all}`],
		['x/', 'pass', `outputs/x/ does not exist; ${all}`],
		['toString', 'pass', `outputs/toString does not exist; ${all}`],
		['di', 'pass', `outputs/di does not exist; ${all}`],
		['a.md', 'fail', 'outputs/a.md exists, 3 bytes'],
		['a.md/', 'fail', 'outputs/a.md/ exists, 3 bytes'],
		['outputs/a.md', 'fail', 'outputs/a.md exists, 3 bytes'],
		['p.png', 'fail', 'outputs/p.png exists, 7 bytes'],
		['dir', 'fail', 'outputs/dir exists, 1 file below'],
		['dir/', 'fail', 'outputs/dir/ exists, 1 file below'],
		['link', 'fail', 'outputs/link exists, a symbolic link'],
		['link/', 'fail', 'outputs/link/ exists, a symbolic link'],
		['link/x', 'error', 'outputs/link is a symbolic link, which is not read'],
	])('%s: %s', (path, outcome, evidence) => {
		expect(gradeWith('file-not-exists', { path }, files)).toEqual({ outcome, evidence })
	})

	test('passes on empty outputs, and says that they are', () => {
		expect(gradeWith('file-not-exists', {}, [], 'x')).toEqual({
			outcome: 'pass',
			evidence: 'outputs/x does not exist; outputs/ has no files',
		})
	})
})
