import { describe, expect, it } from 'vitest'
import { makeComparison, makeEval, makeResult, makeSuite } from '../../test/support/model.ts'
import type { Problem } from '../definition.ts'
import { collectProblems, formatResult } from './result-json.ts'

const problem = (message: string, severity: Problem['severity'] = 'warning'): Problem => ({ code: 'x', severity, message })

describe('result.json', () => {
	const first = makeEval('1', [{ outcome: 'pass', id: 'a-1' }, { outcome: 'fail', change: 'regression' }, 'skipped'], {
		timing: { durationMs: 1000 },
		problems: [problem('of the eval')],
	})
	const second = makeEval('2', ['error'], { failure: { sentence: 'the agent ended', quotes: ['x'] } })
	const suite = makeSuite('s', [first, second], {
		comparison: makeComparison({ delta: { passRate: -0.5 } }),
		problems: [problem('of the suite')],
	})
	const result = makeResult([suite], { problems: [problem('of the inputs')] })
	const json = JSON.parse(formatResult(result))

	it('has a version and the gate’s own words and counts', () => {
		expect(json).toMatchObject({ schemaVersion: 1, verdict: 'incomplete', title: result.decision.title })
		expect(json.counts).toEqual({
			error: { expected: 3, passed: 1, failed: 1, errors: 1, skipped: 1, unarmed: 0 },
			all: { expected: 3, passed: 1, failed: 1, errors: 1, skipped: 1, unarmed: 0 },
		})
		expect(json.reasons.map(({ where }: { where: string }) => where)).toEqual(['s eval-2', 's eval-1 assertion 2'])
	})

	it('has each assertion with its evidence, and no measure that nobody took', () => {
		const [{ evals, ...own }] = json.suites
		expect(own).toMatchObject({
			skill: 's',
			verdict: 'incomplete',
			passRate: 0.5,
			seconds: 1,
			baseline: { label: '4be1c07', delta: { passRate: -0.5 } },
		})
		expect(own).not.toHaveProperty('tokens')
		expect(evals[0]).toMatchObject({ id: '1', outcome: 'fail', passRate: 0.5, durationMs: 1000 })
		expect(evals[0].assertions[0]).toMatchObject({
			id: 'a-1',
			index: 1,
			outcome: 'pass',
			evidence: 'evidence 1',
			severity: 'error',
		})
		expect(evals[0].assertions[1].change).toBe('regression')
		expect(evals[1]).toMatchObject({ outcome: 'error', failure: 'the agent ended' })
		expect(evals[1]).not.toHaveProperty('passRate')
		expect(formatResult(result)).not.toContain('null')
	})

	it('lists every problem, and says of each suite what the gate says of it', () => {
		expect(collectProblems(result).map(({ message }) => message)).toEqual(['of the inputs', 'of the suite', 'of the eval'])
		expect(json.problems).toHaveLength(3)
		const skipped = makeResult([makeSuite('s', [makeEval('1', ['skipped'])])])
		const { suites } = JSON.parse(formatResult(skipped))
		expect(suites[0]).toMatchObject({ verdict: 'invalid', evals: [{ outcome: 'skipped' }] })
	})
})
