/** `report` over real run-evals baselines (words masked). The recount here is written from the format's description, not from our code. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from './support/program.ts'

const corpus = join(import.meta.dirname, '../../shared/corpus/run-evals')
const present = existsSync(corpus)
if (!present) console.log('skipped: the corpus of run-evals baselines is not here (../shared/corpus/run-evals)')

const scratch = mkdtempSync(join(tmpdir(), 'corpus-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const deviation = (values: number[]) => Math.sqrt(average(values.map((value) => (value - average(values)) ** 2)))

type Counted = {
	id: string
	declared: number
	passed: number
	failed: number
	sound: boolean
	timing: Record<string, number | undefined>
}

/** Sound: as many rows as were declared, each with a boolean under `passed` or `pass`. */
function recount(suite: string, baseline: string): Counted[] {
	return readJson(join(suite, 'evals.json')).evals.map(({ id, assertions }: { id: number; assertions: string[] }) => {
		const directory = join(suite, 'baselines', baseline, `eval-${id}`)
		const grading = existsSync(join(directory, 'grading.json')) ? readJson(join(directory, 'grading.json')) : {}
		const rows: { passed?: unknown; pass?: unknown }[] = grading.assertion_results ?? grading.assertions ?? []
		const passed = rows.filter((row) => (row.passed ?? row.pass) === true).length
		const failed = rows.filter((row) => (row.passed ?? row.pass) === false).length
		const sound = rows.length === assertions.length && passed + failed === rows.length
		const timing = existsSync(join(directory, 'timing.json')) ? readJson(join(directory, 'timing.json')) : {}
		return { id: String(id), declared: assertions.length, passed, failed, sound, timing }
	})
}

async function report(suite: string, baseline: string) {
	const directory = mkdtempSync(join(scratch, 'suite-'))
	cpSync(join(corpus, suite), directory, { recursive: true })
	const args = [
		'report',
		'--evals',
		'evals.json',
		'--workspace',
		`baselines/${baseline}`,
		'--baseline',
		'baselines/latest',
		'--json',
	]
	const { exitCode, stdout, stderr } = await runCommand(args, { cwd: directory })
	const workspace = join(directory, 'baselines', baseline)
	const files = {
		summary: readFileSync(join(workspace, 'summary.md'), 'utf8'),
		benchmark: readJson(join(workspace, 'benchmark.json')),
	}
	return { exitCode, stderr, result: JSON.parse(stdout), ...files }
}

const baselines = present
	? readdirSync(corpus).flatMap((suite) => {
			const names = readdirSync(join(corpus, suite, 'baselines')).filter((name) => name !== 'latest')
			return names.map((name): [string, string] => [suite, name])
		})
	: []

describe.skipIf(!present)('report over every baseline of the corpus', () => {
	it('there are some', () => expect(baselines.length).toBeGreaterThanOrEqual(30))

	it.each(baselines)('%s %s', async (suite, baseline) => {
		const counted = recount(join(corpus, suite), baseline)
		const { exitCode, stderr, result, summary, benchmark } = await report(suite, baseline)
		const broken = counted.filter(({ sound }) => !sound)
		const failed = counted.reduce((sum, each) => sum + each.failed, 0)

		expect(exitCode, stderr).toBe(broken.length > 0 ? 2 : failed > 0 ? 1 : 0)
		for (const { id } of broken)
			expect(result.reasons.map(({ where }: { where: string }) => where).join()).toContain(`eval-${id}`)
		for (const evaluation of result.suites[0].evals) {
			const own = counted.find(({ id }) => id === evaluation.id)
			const passed = evaluation.assertions.filter(({ outcome }: { outcome: string }) => outcome === 'pass').length
			if (own?.sound) expect(passed).toBe(own.passed)
			else expect(passed).toBeLessThanOrEqual(own?.passed ?? 0)
			expect(evaluation.assertions).toHaveLength(own?.declared ?? -1)
		}
		for (const { id, passed, declared, sound } of counted)
			if (sound) expect(summary).toContain(`| eval-${id} | ${passed}/${declared} |`)
		const { pass_rate, time_seconds, tokens } = benchmark.run_summary
		if (broken.length === 0) expect({ pass_rate, time_seconds, tokens }).toEqual(summarise(counted))
	})
})

function summarise(counted: Counted[]) {
	const metric = (values: (number | undefined)[]) => {
		const known = values.filter((value) => value !== undefined && value > 0) as number[]
		return known.length === 0
			? undefined
			: { mean: expect.closeTo(average(known), 2), stddev: expect.closeTo(deviation(known), 2) }
	}
	const rates = counted.map(({ passed, declared }) => passed / declared)
	return {
		pass_rate: { mean: expect.closeTo(average(rates), 2), stddev: expect.closeTo(deviation(rates), 2) },
		time_seconds: metric(
			counted.map(({ timing }) =>
				timing.duration_ms ? timing.duration_ms / 1000 : (timing.duration_seconds ?? timing.time_seconds),
			),
		),
		tokens: metric(counted.map(({ timing }) => timing.total_tokens ?? timing.tokens)),
	}
}
