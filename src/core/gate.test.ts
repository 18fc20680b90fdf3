import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AssertionDefinition, EvalDefinition, Problem, Severity, Suite } from '../definition.ts'
import type { AssertionResult, Change, EvalResult, Outcome } from '../model.ts'
import { aggregateSuite } from './aggregate.ts'
import { decide } from './gate.ts'
import { countExpected } from './plan.ts'

type Row = { outcome: Outcome; severity?: Severity; change?: Change }

const problem = (severity: Severity, message = 'something is wrong'): Problem => ({
	code: 'x',
	severity,
	message,
	file: 'evals.json',
	line: 3,
})

function defineAssertion(index: number, { outcome, severity = 'error' }: Row): AssertionDefinition {
	const fixed = { type: 'regression', weight: 1, grader: 'judge', options: {}, target: { source: 'outputs' } } as const
	return {
		...fixed,
		index,
		text: `assertion ${index}`,
		severity,
		skip: outcome === 'skipped',
		line: index,
		pointer: `/evals/0/assertions/${index - 1}`,
	}
}

function makeEval(id: string, rows: Row[], more: Partial<EvalResult> = {}): EvalResult {
	const assertions = rows.map((row, at): AssertionResult => {
		return { definition: defineAssertion(at + 1, row), outcome: row.outcome, change: row.change, evidence: 'seen', attempts: [] }
	})
	const definition: EvalDefinition = {
		id,
		prompt: 'p',
		files: [],
		assertions: assertions.map((each) => each.definition),
		pointer: '/evals/0',
	}
	return { id, definition, assertions, timing: {}, problems: [], ...more }
}

function gate(
	evals: EvalResult[],
	more: { problems?: Problem[]; suiteProblems?: Problem[]; allowEmpty?: boolean; compared?: boolean } = {},
) {
	const places = { evalsDir: '/r', workspace: '/w', runsDir: '/w.runs', fixtures: new Map() }
	const suite: Suite = {
		skill: 'demo',
		file: 'evals/evals.json',
		format: 'run-evals',
		evals: evals.map(({ definition }) => definition),
		...places,
	}
	const comparison = more.compared ? { label: 'abc', removed: [], aggregate: {}, delta: {} } : undefined
	const suites = [aggregateSuite(suite, evals, comparison, more.suiteProblems ?? [])]
	return decide({ problems: more.problems ?? [], suites, expected: countExpected([suite]), allowEmpty: more.allowEmpty ?? false })
}

const sentences = (decision: ReturnType<typeof gate>) =>
	decision.reasons.map(({ verdict, where, sentence }) => `${verdict} | ${where} | ${sentence}`)

describe('decide', () => {
	it('passes when every assertion of severity error passed', () => {
		const decision = gate([
			makeEval('1', [{ outcome: 'pass' }, { outcome: 'fail', severity: 'warning' }, { outcome: 'skipped' }]),
		])
		expect(decision.verdict).toBe('pass')
		expect(decision.title).toBe('1 of 2 assertions passed, 1 failed without blocking, 1 skipped · 1 of 1 eval graded')
		expect(decision.reasons).toEqual([])
	})

	it('fails on one failed assertion, and says what it was in the baseline', () => {
		const rows: Row[] = [
			{ outcome: 'fail', change: 'regression' },
			{ outcome: 'fail', change: 'pre-existing' },
			{ outcome: 'fail', change: 'new' },
		]
		const decision = gate([makeEval('1', rows)], { compared: true })
		expect(decision.verdict).toBe('fail')
		expect(decision.title).toBe(
			'1 regression and 2 other failed assertions block this merge · 0 of 3 assertions passed · 1 of 1 eval graded',
		)
		expect(sentences(decision)).toEqual([
			'fail | demo eval-1 assertion 1 | passed in the baseline, fails now',
			'fail | demo eval-1 assertion 2 | failed in the baseline too',
			'fail | demo eval-1 assertion 3 | fails, and is not in the baseline',
		])
	})

	it('is incomplete before it fails, and keeps both reasons', () => {
		const decision = gate([makeEval('1', [{ outcome: 'fail' }, { outcome: 'error' }])])
		expect(decision.verdict).toBe('incomplete')
		expect(decision.title).toBe(
			'not everything was measured, and 1 assertion failed · 0 of 2 assertions passed, 1 not measured · 0 of 1 eval graded',
		)
		expect(decision.reasons.map(({ verdict }) => verdict)).toEqual(['incomplete', 'fail'])
	})

	it('says the failure of a whole eval once', () => {
		const failure = { sentence: 'the agent timed out after 9 s', quotes: ['last words'] }
		const decision = gate([
			makeEval('1', [{ outcome: 'error' }, { outcome: 'error' }], { failure }),
			makeEval('2', [{ outcome: 'pass' }]),
		])
		expect(sentences(decision)).toEqual([
			'incomplete | demo eval-1 | the agent timed out after 9 s: 2 blocking assertions not measured',
		])
		expect(decision.reasons[0]?.quotes).toEqual(['last words'])
	})

	it('does not block on what was not measured below severity error', () => {
		expect(gate([makeEval('1', [{ outcome: 'error', severity: 'warning' }, { outcome: 'pass' }])]).verdict).toBe('pass')
	})

	it.each([
		['a problem of the definitions', { problems: [problem('error')] }, 'invalid'],
		['a problem of the workspace', { suiteProblems: [problem('error')] }, 'incomplete'],
		['a notice', { problems: [problem('notice')], suiteProblems: [problem('warning')] }, 'pass'],
	])('%s', (_name, more, verdict) => {
		expect(gate([makeEval('1', [{ outcome: 'pass' }])], more).verdict).toBe(verdict)
	})

	it('a problem of one eval blocks', () => {
		expect(gate([makeEval('1', [{ outcome: 'pass' }], { problems: [problem('error')] })]).verdict).toBe('incomplete')
	})

	it.each([
		['no suite at all', []],
		['everything skipped', [makeEval('1', [{ outcome: 'skipped' }])]],
		['warnings only', [makeEval('1', [{ outcome: 'pass', severity: 'warning' }])]],
		['an eval without assertions', [makeEval('1', [])]],
	])('nothing that could block is invalid, unless that is allowed: %s', (_name, evals) => {
		expect(gate(evals).verdict).toBe('invalid')
		expect(gate(evals, { allowEmpty: true }).verdict).toBe('pass')
	})

	it('allow-empty relaxes nothing else', () => {
		expect(gate([makeEval('1', [{ outcome: 'fail' }])], { allowEmpty: true }).verdict).toBe('fail')
		expect(gate([makeEval('1', [{ outcome: 'error' }])], { allowEmpty: true }).verdict).toBe('incomplete')
	})

	it('notices results that got lost between the plan and the decision', () => {
		const decision = decide({ problems: [], suites: [], expected: { all: 3, error: 3 }, allowEmpty: true })
		expect(decision.verdict).toBe('incomplete')
		expect(decision.reasons[0]?.sentence).toBe('the definitions declare 3 assertions, and there are results for 0')
	})

	it('never passes unless every expected assertion of severity error passed, and never with an error among the problems', () => {
		const row = fc.record({
			outcome: fc.constantFrom<Outcome>('pass', 'fail', 'error', 'skipped'),
			severity: fc.constantFrom<Severity>('error', 'warning', 'notice'),
		})
		const problems = fc.array(
			fc.constantFrom<Severity>('error', 'warning', 'notice').map((severity) => problem(severity)),
			{ maxLength: 2 },
		)
		fc.assert(
			fc.property(fc.array(fc.array(row, { maxLength: 4 }), { maxLength: 4 }), problems, problems, (evals, found, suiteFound) => {
				const decision = gate(
					evals.map((rows, at) => makeEval(String(at), rows)),
					{ problems: found, suiteProblems: suiteFound },
				)
				const blocking = evals.flat().filter(({ severity, outcome }) => severity === 'error' && outcome !== 'skipped')
				const clean = [...found, ...suiteFound].every(({ severity }) => severity !== 'error')
				expect(decision.verdict === 'pass').toBe(
					clean && blocking.length > 0 && blocking.every(({ outcome }) => outcome === 'pass'),
				)
				expect(decision.verdict === 'pass').toBe(decision.reasons.length === 0)
			}),
		)
	})
})
