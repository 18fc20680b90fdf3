/** What agents' programs really printed as judges, through the reader. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readCliAnswer } from '../src/judge/cli-answer.ts'

const recordings = join(import.meta.dirname, '../../shared/corpus/agent-output/claude')
const isAbsent = !existsSync(recordings)
if (isAbsent) console.log('skipped: the recordings are not here (../shared/corpus)')

it.skipIf(isAbsent).each([
	['judge-json-schema', { text: expect.stringContaining('"passed":false') }],
	['judge-no-structured', { fault: 'it gave no answer by the schema' }],
	['err-401-retries0', { failure: expect.stringContaining('HTTP 401'), stop: true }],
])('claude: %s', (name, answer) => {
	const read = (file: string) => readFileSync(join(recordings, name, file), 'utf8')
	const why = read('rc').trim() === '0' ? undefined : `the judge ended with exit status ${read('rc').trim()}`
	expect(readCliAnswer(read('stdout'), why)).toMatchObject(answer)
})
