/** Every definition and result file of the corpus through the readers, against a committed table of answers. `-u` rewrites the table; read the diff. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkGraders } from '../src/core/check-definitions.ts'
import type { Problem } from '../src/definition.ts'
import { parseBenchmark } from '../src/formats/benchmark.ts'
import { parseEvals } from '../src/formats/evals.ts'
import { parseGrading } from '../src/formats/grading.ts'
import { parseMetrics } from '../src/formats/neighbours.ts'
import { parseTiming } from '../src/formats/timing.ts'

const corpus = join(import.meta.dirname, '../../shared/corpus')
const isAbsent = !existsSync(corpus)
if (isAbsent) console.log('skipped: the corpus is not here (../shared/corpus)')

const listFiles = (folder: string) => (isAbsent ? [] : readdirSync(join(corpus, folder)).map((name) => `${folder}/${name}`))
const readFile = (path: string) => readFileSync(join(corpus, path), 'utf8')

/** `reads`, `reads with notices` or `refused`, with the codes that explain it. */
function answer(read: string | undefined, problems: Problem[]): string {
	const codes = (severities: string[]) =>
		[...new Set(problems.filter(({ severity }) => severities.includes(severity)).map(({ code }) => code))].sort().join(', ')
	const errors = codes(['error'])
	if (read === undefined || errors !== '') return `refused: ${errors}`
	const notices = codes(['warning', 'notice'])
	return notices === '' ? `reads ${read}` : `reads ${read}, with notices: ${notices}`
}

function answerDefinition(path: string): string {
	const { value, problems } = parseEvals(readFile(path), path, 'fallback')
	const count = value?.evals.reduce((sum, { assertions }) => sum + assertions.length, 0)
	return answer(value && `${value.format}, ${value.evals.length} evals, ${count} assertions`, [
		...problems,
		...(value ? checkGraders(value) : []),
	])
}

function answerGrading(path: string): string {
	const { value, problems } = parseGrading(readFile(path), path)
	const count = (outcome: string) => value?.rows.filter((row) => row.outcome === outcome).length
	return answer(
		value && `${value.rows.length} rows: ${count('pass')} pass, ${count('fail')} fail, ${count('error')} no result`,
		problems,
	)
}

function answerTiming(path: string): string {
	const { value, problems } = parseTiming(readFile(path), path)
	return answer(`${value?.durationMs ?? 'unknown'} ms, ${value?.totalTokens ?? 'unknown'} tokens`, problems)
}

function answerBenchmark(path: string): string {
	const { value, problems } = parseBenchmark(readFile(path), path)
	return answer(value && `a mean pass rate of ${value.means.passRate?.mean} over ${value.over}`, problems)
}

function answerMetrics(path: string): string {
	const { value, problems } = parseMetrics(readFile(path), path)
	return answer(value && 'tool use', problems)
}

/** Whatever in the raw text could be meant as a pass. */
function countPassMarks(text: string): number {
	return text.match(/"(passed|pass)"\s*:\s*true|"(result|grade|status|verdict)"\s*:\s*"pass(ed)?"/gi)?.length ?? 0
}

describe.skipIf(isAbsent)('the readers over the corpus', () => {
	it('give the answers of the table', async () => {
		const rows = [
			...[...listFiles('definitions'), ...listFiles('other').filter((path) => path.includes('eval_metadata'))].map((path) => [
				path,
				answerDefinition(path),
			]),
			...listFiles('gradings').map((path) => [path, answerGrading(path)]),
			...listFiles('timings').map((path) => [path, answerTiming(path)]),
			...listFiles('benchmarks').map((path) => [path, answerBenchmark(path)]),
			...listFiles('other')
				.filter((path) => path.includes('metrics'))
				.map((path) => [path, answerMetrics(path)]),
		]
		expect(rows.length).toBeGreaterThan(80)
		await expect(`${rows.map((row) => row.join('\t')).join('\n')}\n`).toMatchFileSnapshot('../fixtures/corpus-answers.tsv')
	})

	it.each(listFiles('gradings'))('%s: no more passes than it holds', (path) => {
		const passes = parseGrading(readFile(path), path).value?.rows.filter(({ outcome }) => outcome === 'pass').length ?? 0
		expect(passes).toBeLessThanOrEqual(countPassMarks(readFile(path)))
	})
})
