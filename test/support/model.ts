/** Values of the model for tests: short to write, counted and decided by the program's own core. */
import { aggregateSuite } from '../../src/core/aggregate.ts'
import { decide } from '../../src/core/gate.ts'
import { countExpected } from '../../src/core/plan.ts'
import type { Provenance, Result } from '../../src/decision.ts'
import type { AssertionDefinition, Problem, Suite } from '../../src/definition.ts'
import type { AssertionResult, Change, Comparison, EvalResult, Outcome, SuiteResult } from '../../src/model.ts'

export type Row = Partial<AssertionDefinition> & { outcome?: Outcome; evidence?: string; change?: Change | undefined }

/** An assertion and its result; a plain outcome is enough. */
export function makeAssertion(row: Row | Outcome, index = 1): AssertionResult {
	const {
		outcome = 'pass',
		evidence = `evidence ${index}`,
		change,
		...definition
	} = typeof row === 'string' ? { outcome: row } : row
	const fixed = {
		severity: 'error',
		type: 'regression',
		weight: 1,
		grader: 'judge',
		options: {},
		target: { source: 'outputs' },
	} as const
	return {
		definition: {
			...fixed,
			index,
			text: `assertion ${index}`,
			skip: outcome === 'skipped',
			line: 10 + index,
			pointer: `/evals/0/assertions/${index - 1}`,
			...definition,
		},
		outcome,
		evidence,
		attempts: [{ run: 1, outcome, evidence }],
		change,
	}
}

export function makeEval(id: string, rows: (Row | Outcome)[], more: Partial<EvalResult> = {}): EvalResult {
	const assertions = rows.map((row, at) => makeAssertion(row, at + 1))
	const definition = {
		id,
		prompt: `prompt ${id}`,
		files: [],
		assertions: assertions.map((result) => result.definition),
		pointer: '/evals/0',
	}
	return { id, definition, assertions, timing: {}, problems: [], ...more }
}

export function makeSuite(
	skill: string,
	evals: EvalResult[],
	{
		comparison,
		problems = [],
		file = `evals/${skill}/evals.json`,
	}: { comparison?: Comparison; problems?: Problem[]; file?: string } = {},
): SuiteResult {
	const places = { evalsDir: '/r', workspace: `/w/${skill}`, runsDir: `/w/${skill}.runs`, fixtures: new Map() }
	const suite: Suite = { skill, format: 'run-evals', file, evals: evals.map(({ definition }) => definition), ...places }
	return aggregateSuite(suite, evals, comparison, problems)
}

export function makeComparison(more: Partial<Comparison> = {}): Comparison {
	return { label: '4be1c07', removed: [], aggregate: { passRate: { mean: 1, deviation: 0, n: 1 } }, delta: {}, ...more }
}

export const provenance: Provenance = {
	version: '1.2.3',
	agent: 'claude',
	judge: 'none',
	commit: '3f2a91c3f2a91c3f2a91c3f2a91c3f2a91c3f2a9',
	run: { url: 'https://github.com/o/r/actions/runs/812000001', number: '812', attempt: '1' },
	blobUrl: 'https://github.com/o/r/blob/3f2a91c3f2a91c3f2a91c3f2a91c3f2a91c3f2a9/',
}

export function makeResult(suites: SuiteResult[], more: { problems?: Problem[]; provenance?: Partial<Provenance> } = {}): Result {
	const { problems = [] } = more
	const expected = countExpected(suites.map(({ suite }) => suite))
	const decision = decide({ problems, suites, expected, allowEmpty: false })
	return { decision, suites, problems, provenance: { ...provenance, ...more.provenance } }
}
