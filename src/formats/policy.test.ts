import { describe, expect, it } from 'vitest'
import { applyPolicy } from '../core/apply-policy.ts'
import type { Suite } from '../definition.ts'
import { parseEvals } from './evals.ts'
import { parsePolicy } from './policy.ts'

const definition = parseEvals(
	JSON.stringify({
		skill_name: 'demo',
		evals: [1, 2].map((id) => ({ id, prompt: 'p', assertions: ['It is done', { id: 'b', text: 'It is — good' }] })),
	}),
	'evals.json',
	'x',
).value
const suite: Suite = { ...definition!, evalsDir: '/r', workspace: '/w', runsDir: '/w.runs', fixtures: new Map() }

function severities(rules: string) {
	const { value, problems } = parsePolicy(rules, 'policy.yml')
	expect(problems).toEqual([])
	const applied = applyPolicy([suite], value)
	return {
		now: applied.suites[0]?.evals.map(({ assertions }) => assertions.map(({ severity }) => severity[0]).join('')).join(' '),
		said: applied.problems.map(({ severity, line, message }) => `${line} ${severity}: ${message}`),
	}
}

describe('the policy', () => {
	it.each([
		['severities: [{ eval: 1, assertion: b, severity: warning }]', 'ew ee'],
		['severities: [{ eval: "2", assertion: 1, severity: notice }]', 'ee ne'],
		['severities: [{ assertion: "it is -- GOOD", severity: warning }]', 'ew ew'],
		['severities: [{ skill: demo, severity: warning }, { skill: demo, eval: 2, severity: error }]', 'ww ee'],
		['severities: [{ skill: other, severity: warning }]', 'ee ee'],
		['', 'ee ee'],
		['severities: []', 'ee ee'],
	])('%s', (rules, now) => {
		expect(severities(rules).now).toBe(now)
	})

	it('says what it changed, and which rule fits nothing', () => {
		expect(
			severities('severities:\n  - { eval: 1, assertion: b, severity: warning }\n  - { eval: 9, severity: warning }\n').said,
		).toEqual(['2 notice: demo eval-1 assertion 2 is warning instead of error', '3 warning: this rule fits no assertion'])
	})

	it.each([
		['severities:\n  - { severity: warning }', 'say which: give skill, eval or assertion'],
		['severities:\n  - { eval: 1, severity: info }', 'must be one of "error", "warning", "notice"'],
		['severities:\n  - { eval: 1, sevrity: warning }', '"sevrity" is not a known field'],
		['severity: []', '"severity" is not a known field'],
		['weakening: allow', '"weakening" must be one of "block", "report"'],
		['weakening: [report]', '"weakening" must be one of "block", "report"'],
		['Weakening: report', '"Weakening" is not a known field'],
		['severities: []\nweakening: report\nweakening: block', 'this is not usable YAML'],
		['severities: no', 'must be a list'],
		['- a', 'must be an object'],
		['a: [', 'this is not usable YAML'],
		['severities: []\nseverities: []', 'this is not usable YAML'],
		['severities: &a []\nother: *a', 'it uses an alias'],
		['severities: !!js/function "x"', 'this is not usable YAML'],
	])('refuses %j', (rules, message) => {
		const { value, problems } = parsePolicy(rules, 'policy.yml')
		expect(value).toBeUndefined()
		expect(problems.map((problem) => problem.message).join('\n')).toContain(message)
		expect(problems.every(({ severity, line }) => severity === 'error' && (line ?? 0) > 0)).toBe(true)
	})

	it('blocks what is weaker unless it says otherwise', () => {
		const weakening = (text: string) => parsePolicy(text, 'policy.yml').value?.weakening
		expect(['', 'severities: []', 'weakening: block', 'weakening: report'].map(weakening)).toEqual([
			'block',
			'block',
			'block',
			'report',
		])
	})
})
