import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseArtifact } from '../formats/artifact/artifact.ts'
import { readRules } from './apply-block.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const HASH = sha256('It is so')

function problemsOf(hash: string, assertion = 'assertion: It is so, '): object[] {
	const entry = `{ id: c, ${assertion}grader: command, command: [node, check.mjs], generated-assertion-hash: "${hash}" }`
	const { value } = parseArtifact(`---\nname: n\nmetadata:\n  evals:\n    - ${entry}\n---\n`, 'skills/n/SKILL.md')
	if (!value) throw new Error('the block is refused')
	return readRules(value, sha256).problems.filter(({ severity }) => severity === 'error')
}

describe('a command that was generated from a sentence', () => {
	test.each([HASH, `sha256-${HASH}`, `sha256:${HASH}`, `SHA256-${HASH.toUpperCase()}`])('is taken with the hash %s', (hash) => {
		expect(problemsOf(hash)).toEqual([])
	})

	test.each([sha256('It was so'), `sha512-${HASH}`, HASH.slice(1), sha256(''), ''])('is refused with the hash %j', (hash) => {
		expect(problemsOf(hash)).toMatchObject([
			{ code: 'command-contract', line: 5, message: expect.stringContaining('changed after') },
		])
	})

	test.each([HASH, sha256('')])('is refused with the hash %s where the sentence is gone', (hash) => {
		expect(problemsOf(hash, '')).toMatchObject([{ code: 'command-contract', message: expect.stringContaining('no assertion') }])
	})
})
