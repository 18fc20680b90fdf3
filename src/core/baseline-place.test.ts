import { expect, it } from 'vitest'
import { parseBaselinePlace } from './baseline-place.ts'

it.each([
	'ref:main',
	'ref:main:',
	'ref::evals',
	'ref:--upload-pack=x:evals',
	'ref:a..b:evals',
	'ref:a b:evals',
	'ref:main^:evals',
	'ref:main:../evals',
	'ref:main:/evals',
	'ref:main:evals/./x',
	'ref:main.lock:evals',
])('%s names no commit and path', (text) => expect(parseBaselinePlace(text)).toBeUndefined())

it('tells a commit and a path from a directory', () => {
	expect(parseBaselinePlace('ref:release/1.x:evals/x/baselines/latest/')).toEqual({
		kind: 'ref',
		ref: 'release/1.x',
		path: 'evals/x/baselines/latest',
	})
	expect(parseBaselinePlace('evals/x/baselines/latest')).toEqual({ kind: 'directory', path: 'evals/x/baselines/latest' })
	expect(parseBaselinePlace('C:\\evals')).toEqual({ kind: 'directory', path: 'C:\\evals' })
})
