import { describe, expect, it } from 'vitest'
import { makeEval } from '../../test/support/model.ts'
import { parseFingerprint } from '../formats/fingerprint.ts'
import type { Baseline, Fingerprint } from '../model.ts'
import { compareSuite } from './compare.ts'
import { describeAssertion, describeTask } from './fingerprint.ts'

const judged = makeEval('1', ['pass', { outcome: 'fail', text: 'broken' }])
const exact = makeEval('2', [{ outcome: 'fail', grader: 'contains', text: 'exact' }])
const PARTS = {
	agent: 'claude',
	agent_settings: 'a',
	task_prompt: 't1',
	judge: 'anthropic',
	judge_model: 'm1',
	judge_prompt: 'j1',
	judge_settings: 'b',
}
const take = (parts: Partial<Fingerprint['parts']> = {}, own: object = {}): Fingerprint => ({
	parts: { ...PARTS, ...parts },
	evals: new Map([
		['1', { model: 'x', task: 't', files: 'f', assertions: ['h1', 'h2'], ...own }],
		['2', { assertions: ['h3'] }],
	]),
})

function compare(now: Fingerprint | undefined, before: Baseline['fingerprint']) {
	const rows = (evaluation: typeof judged) =>
		evaluation.assertions.map(({ definition }) => ({ text: definition.text, outcome: 'pass' as const, evidence: '' }))
	const evals = new Map([judged, exact].map((each) => [each.id, { rows: rows(each), timing: {} }]))
	const compared = compareSuite([judged, exact], { label: 'abc', evals, unreadable: [], aggregate: {}, fingerprint: before }, now)
	const changes = compared.evals.map(({ assertions }) => assertions.map(({ change }) => change ?? 'same'))
	return { changes, says: compared.problems.map(({ message }) => message), delta: compared.comparison.delta }
}

const ALL = [['same', 'regression'], ['regression']]
const NOT_1 = [['not-comparable', 'not-comparable'], ['regression']]
const NONE = [['not-comparable', 'not-comparable'], ['not-comparable']]

describe('conditions of a baseline', () => {
	it.each<[string, Fingerprint, string[][], RegExp]>([
		['the agent', take({ agent: 'codex' }), NONE, /^no eval can be compared .*the agent was "claude" and is "codex"$/],
		['the agent’s arguments', take({ agent_settings: 'c' }), NONE, /the command or the arguments of the agent changed$/],
		['the prompt around the task', take({ task_prompt: 't2' }), NONE, /was "t1" and is "t2"$/],
		['the judge', take({ judge: 'google' }), NOT_1, /^eval 1 cannot be compared .*the judge was "anthropic" and is "google"$/],
		['the judge’s model', take({ judge_model: 'm2' }), NOT_1, /the judge’s model was "m1" and is "m2"$/],
		['the judge’s prompt', take({ judge_prompt: 'j2' }), NOT_1, /"j1" and is "j2"$/],
		['the judge’s settings', take({ judge_settings: 'c' }), NOT_1, /the command or the settings of the judge changed$/],
		['the model of an eval', take({}, { model: 'y' }), NOT_1, /the agent’s model was "x" and is "y"$/],
		['the prompt of an eval', take({}, { task: 'u' }), NOT_1, /^eval 1 cannot .*the prompt, .*changed$/],
		['the bytes of its files', take({}, { files: 'g' }), NOT_1, /the content of its files changed$/],
	])('%s changed: nothing is a regression, and the reason is said once', (_name, now, changes, says) => {
		const compared = compare(now, take())
		expect(compared.changes).toEqual(changes)
		expect(compared.says).toEqual([expect.stringMatching(says)])
		// Means of other conditions are no difference either.
		expect(compared.delta.passRate === undefined).toBe(changes === NONE)
	})

	it('only the assertion that is decided otherwise is not comparable', () => {
		expect(compare(take({}, { assertions: ['h1', 'other'] }), take()).changes).toEqual([
			['same', 'not-comparable'],
			['regression'],
		])
	})

	it('what one side did not record is no difference', () => {
		for (const [now, before] of [
			[take(), undefined],
			[undefined, take()],
			[take(), { parts: {}, evals: new Map() }],
		] as const) {
			expect(compare(now, before)).toMatchObject({ changes: ALL, says: [] })
		}
		expect(compare(take(), take())).toMatchObject({ changes: ALL, says: [] })
	})

	it('a record that is not understood fits nothing', () => {
		expect(compare(take(), 'unreadable')).toMatchObject({ changes: NONE, says: [expect.stringMatching(/cannot be read$/)] })
	})
})

describe('the record in benchmark.json', () => {
	it.each([
		'',
		'[]',
		'{"metadata": {"fingerprint": null}}',
		'{"metadata": {"fingerprint": {"agent": "claude"}}}',
		'{"metadata": {"fingerprint": {"agent": 1, "evals": {}}}}',
		'{"metadata": {"fingerprint": {"evals": {"1": null}}}}',
		'{"metadata": {"fingerprint": {"evals": {"1": {"assertions": [1]}}}}}',
		'{"metadata": {"fingerprint": {"evals": {"1": {"task": null, "assertions": []}}}}}',
	])('is refused: %s', (text) => expect(parseFingerprint(text)).toBe('unreadable'))

	it('is not there in what other tools write', () => {
		expect(parseFingerprint('{"metadata": {"skill_name": "x"}}')).toBeUndefined()
		expect(parseFingerprint('{"run_summary": {}}')).toBeUndefined()
	})
})

describe('what is hashed', () => {
	const { definition } = judged
	const [assertion] = definition.assertions
	if (!assertion) throw new Error('there is no assertion')

	it.each<[string, object]>([
		['prompt', { prompt: 'easier' }],
		['expected output', { expectedOutput: 'x' }],
		['files', { files: ['a.txt'] }],
	])('%s is part of the task', (_name, change) =>
		expect(describeTask({ ...definition, ...change })).not.toBe(describeTask(definition)),
	)

	it.each<[string, object]>([
		['text', { text: 'x' }],
		['hint', { hint: 'x' }],
		['grader', { grader: 'contains' }],
		['options', { options: { values: ['x'] } }],
		['target', { target: { source: 'last-message' } }],
		['the judge’s examples', { judge: { examples: { pass: ['x'], fail: [] } } }],
	])('%s is part of the assertion', (_name, change) =>
		expect(describeAssertion({ ...assertion, ...change })).not.toBe(describeAssertion(assertion)),
	)

	it('neither severity nor place nor the order of keys is', () => {
		const moved = { ...assertion, severity: 'notice' as const, weight: 3, line: 99, pointer: '/x', index: 7 }
		expect(describeAssertion(moved)).toBe(describeAssertion(assertion))
		const options = (value: Record<string, unknown>) => describeAssertion({ ...assertion, options: value })
		expect(options({ a: 1, b: { c: 1, d: 2 } })).toBe(options({ b: { d: 2, c: 1 }, a: 1 }))
	})
})
