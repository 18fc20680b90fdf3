import { expect, test } from 'vitest'
import { parseRunnerFile } from './runner-files.ts'

test('lines and heredocs are read as the runner reads them', () => {
	const text = 'verdict=fail\nlist=a=b<<c\n\nreport<<END\nfirst\n\nverdict=pass\nEND\nempty<<X\nX\n'
	expect(parseRunnerFile(text)).toEqual({ verdict: 'fail', list: 'a=b<<c', report: 'first\n\nverdict=pass', empty: '' })
	expect(parseRunnerFile('')).toEqual({})
	expect(parseRunnerFile('a=1\na=2')).toEqual({ a: '2' })
})

test.each(['no operator', 'a<<END\nvalue', '<<END\nvalue\nEND', 'a<<\nvalue\n'])('%j fails the step', (text) => {
	expect(() => parseRunnerFile(text)).toThrow('The runner')
})
