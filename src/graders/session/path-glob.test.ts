import { expect, test } from 'vitest'
import { compileGlob } from './path-glob.ts'

test.each([
	['docs/**', ['/x/docs', '/x/docs/a.md', 'docs/b/c.md', 'C:\\x\\DOCS\\a.md'], ['/x/docsite/a', '/x/mydocs/a']],
	['db/migrations', ['/repo/db/migrations', 'db/migrations'], ['/repo/legacydb/migrations', 'db/migrations/1.sql']],
	['*.ts', ['/a/b.ts', 'b.ts', 'B.TS'], ['/a/b.tsx', '/a/b.ts/c']],
	['src/*.ts', ['src/a.ts', '/r/src/a.ts'], ['src/b/a.ts']],
	['src/**/*.ts', ['src/a.ts', 'src/b/c/a.ts'], ['lib/a.ts']],
	['**/a.md', ['a.md', '/x/y/a.md'], ['/x/ba.md']],
	['**/**/**/a.md', ['a.md', '/x/a.md'], ['b.md']],
	['a?c', ['abc', 'x/aXc'], ['ac', 'a/c']],
	['a+(b).md', ['a+(b).md'], ['aab.md']],
	['**', ['anything/at/all', ''], []],
	['src\\app.ts', ['src/app.ts'], ['srcapp.ts']],
])('%s', (glob, fits, others) => {
	const test = compileGlob(glob)
	for (const path of fits) expect([path, test(path)]).toEqual([path, true])
	for (const path of others) expect([path, test(path)]).toEqual([path, false])
})

test('a glob and a path that are made to be slow are not', () => {
	expect(compileGlob(`${'**/a*'.repeat(60)}b`)(`${'a/'.repeat(20_000)}c`)).toBe(false)
})
