import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAnalysis, parseComparison, parseGradingMetrics, parseHistory, parseMetrics } from './neighbours.ts'

const text = (value: unknown) => JSON.stringify(value)

describe('parseMetrics and parseGradingMetrics', () => {
	it.each([
		[
			{ tool_calls: { Read: 5 }, total_tool_calls: 18, errors_encountered: 0 },
			{ calls: 18, errors: 0 },
		],
		[{ total_tool_calls: 0 }, { calls: 0 }],
		[{ errors_encountered: 3 }, { errors: 3 }],
		[{ output_chars: 100 }, undefined],
		[{}, undefined],
	])('%j', (metrics, expected) => {
		expect(parseMetrics(text(metrics), 'm')).toEqual({ value: expected, problems: [] })
		expect(parseGradingMetrics(text({ expectations: [], execution_metrics: metrics }), 'g')).toEqual({
			value: expected,
			problems: [],
		})
	})

	it.each([-1, 1.5, '18', null, true, 2 ** 60])('a count of %j is unknown, which is not 0', (count) => {
		const { value, problems } = parseMetrics(text({ total_tool_calls: count, errors_encountered: 1 }), 'm')
		expect(value).toEqual({ errors: 1 })
		expect(problems).toMatchObject([{ severity: 'notice', pointer: '/total_tool_calls' }])
	})

	it('a grading without metrics has none, one with others says so', () => {
		expect(parseGradingMetrics('{"expectations": []}', 'g')).toEqual({ problems: [] })
		expect(parseGradingMetrics('{"execution_metrics": null}', 'g')).toEqual({ problems: [] })
		expect(parseGradingMetrics('{"execution_metrics": "18 calls"}', 'g')).toMatchObject({
			problems: [{ severity: 'notice', pointer: '/execution_metrics' }],
		})
	})
})

describe('parseHistory', () => {
	it('reads versions in their order', () => {
		const iterations = [
			{ version: 'v0', parent: null, expectation_pass_rate: 0.65, grading_result: 'baseline' },
			{ version: 'v1', parent: 'v0', grading_result: 'won', is_current_best: true },
		]
		expect(parseHistory(text({ current_best: 'v1', iterations }), 'h')).toEqual({
			value: {
				currentBest: 'v1',
				versions: [
					{ version: 'v0', passRate: 0.65, result: 'baseline' },
					{ version: 'v1', result: 'won' },
				],
			},
			problems: [],
		})
	})

	it.each([75, -1, '0.75', [0.75]])('a rate of %j is left out', (rate) => {
		const { value, problems } = parseHistory(text({ iterations: [{ version: 'v0', expectation_pass_rate: rate }] }), 'h')
		expect(value?.versions).toEqual([{ version: 'v0' }])
		expect(problems).toMatchObject([{ severity: 'notice', pointer: '/iterations/0/expectation_pass_rate' }])
	})
})

describe('parseComparison', () => {
	it.each([
		[
			{ winner: 'A', rubric: { A: { overall_score: 9 }, B: { overall_score: 5.4 } } },
			{ file: 'c', winner: 'A', a: 9, b: 5.4 },
		],
		[{ winner: 'tie' }, { file: 'c', winner: 'TIE' }],
		[
			{ winner: 'B', rubric: { B: {} } },
			{ file: 'c', winner: 'B' },
		],
	])('%j', (document, expected) => {
		expect(parseComparison(text(document), 'c')).toEqual({ value: expected, problems: [] })
	})

	it.each([undefined, 'C', 'with_skill', null, 1, ['A']])('a winner that is %j is no winner', (winner) => {
		expect(parseComparison(text({ winner }), 'c')).toMatchObject({ value: undefined, problems: [{ severity: 'notice' }] })
	})

	it('a score in words is left out', () => {
		const { value, problems } = parseComparison(text({ winner: 'A', rubric: { A: { overall_score: '9/10' } } }), 'c')
		expect(value).toEqual({ file: 'c', winner: 'A' })
		expect(problems).toMatchObject([{ severity: 'notice', pointer: '/rubric/A/overall_score' }])
	})
})

describe('parseAnalysis', () => {
	it('reads suggestions, and says what it cannot read', () => {
		const suggestions = [
			{ priority: 'high', category: 'tools', suggestion: 'do x' },
			{ suggestion: 'do y' },
			{ priority: 'low' },
			'do z',
		]
		const { value, problems } = parseAnalysis(text({ improvement_suggestions: suggestions }), 'a')
		expect(value).toEqual([{ priority: 'high', category: 'tools', text: 'do x' }, { text: 'do y' }])
		expect(problems.map(({ severity, pointer }) => [severity, pointer])).toEqual([
			['notice', '/improvement_suggestions/2'],
			['notice', '/improvement_suggestions/3'],
		])
	})

	it('reads at most fifty, and says so: each could be wrong in words of its own', () => {
		const { value, problems } = parseAnalysis(
			text({ improvement_suggestions: Array.from({ length: 300_000 }, (_, at) => at) }),
			'a',
		)
		expect(value).toEqual([])
		expect(problems).toHaveLength(51)
		expect(problems[0]?.message).toBe('"improvement_suggestions" has 300000 items: only the first 50 are read')
	})
})

const PARSERS = { parseMetrics, parseGradingMetrics, parseHistory, parseComparison, parseAnalysis }

describe.each(Object.entries(PARSERS))('%s', (_name, parse) => {
	it.each(['', '{', 'null', '[]', '7', '{"a": 1, "a": 2}', `${'['.repeat(5000)}`])('%j is a notice', (document) => {
		const { value, problems } = parse(document, 'x')
		expect(value).toBeUndefined()
		expect(problems.map(({ severity }) => severity)).toEqual(['notice'])
	})

	it('never throws and never blocks, whatever the file holds', () => {
		const keys = [
			'winner',
			'rubric',
			'A',
			'overall_score',
			'iterations',
			'version',
			'improvement_suggestions',
			'suggestion',
			'execution_metrics',
			'total_tool_calls',
		]
		const { tree } = fc.letrec((tie) => ({
			tree: fc.oneof(
				{ depthSize: 'small', withCrossShrink: true },
				fc.constantFrom(null, 0, -1, 'A', '', true, 1e308),
				fc.array(tie('tree')),
				fc.dictionary(fc.constantFrom(...keys), tie('tree')),
			),
		}))
		fc.assert(
			fc.property(tree, (value) => {
				expect(parse(text(value), 'x').problems.every(({ severity }) => severity === 'notice')).toBe(true)
			}),
		)
	})
})
