import { describe, expect, test } from 'vitest'
import { resolveTarget } from './target.ts'
import { aim, otherFile, textFile } from './testing.ts'

const report = textFile('docs/report.md', 'hello')
const files = [report, otherFile('link', 'link'), otherFile('pipe', 'special'), textFile('__proto__', 'p')]

describe('resolveTarget', () => {
	test.each([
		['outputs', 'outputs/', files],
		['docs/report.md', 'outputs/docs/report.md', [report]],
		['__proto__', 'outputs/__proto__', [files[3]]],
		['Docs/report.md', 'outputs/Docs/report.md', []],
		['docs', 'outputs/docs', []],
		['../report.md', 'outputs/../report.md', []],
		['constructor', 'outputs/constructor', []],
		['linked', 'outputs/linked', []],
	])('%s', (at, label, expected) => {
		expect(resolveTarget(aim(at), { outputs: { files } })).toEqual({
			subject: { source: aim(at).source, label, files: expected },
		})
	})

	test.each([
		['link', 'outputs/link is a symbolic link, which is not read'],
		['link/report.md', 'outputs/link is a symbolic link, which is not read'],
		['pipe', 'outputs/pipe is a special file, which is not read'],
	])('%s is an error', (at, evidence) => {
		expect(resolveTarget(aim(at), { outputs: { files } })).toEqual({ grade: { outcome: 'error', evidence } })
	})

	test('the last message is one text file', () => {
		expect(resolveTarget(aim('last-message'), { outputs: { files, lastMessage: 'é\n' } })).toEqual({
			subject: {
				source: 'last-message',
				label: 'the last message',
				files: [{ path: 'last message', kind: 'text', bytes: 3, text: 'é\n', cut: false }],
			},
		})
	})

	test.each([undefined, '', ' \n'])('the last message %j is an error', (lastMessage) => {
		const grade = { outcome: 'error', evidence: 'the agent left no final message' }
		expect(resolveTarget(aim('last-message'), { outputs: { files, lastMessage } })).toEqual({ grade })
	})
})
