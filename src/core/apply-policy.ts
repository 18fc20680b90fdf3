import type { AssertionDefinition, Policy, Problem, SeverityRule, Suite } from '../definition.ts'
import { normaliseText } from './bind.ts'

/**
 * The suites with the severities that the policy sets; the last rule that fits counts.
 * Every change is said, because a softer severity is a softer gate; a rule that fits nothing is a warning, because it may have lost its target.
 */
export function applyPolicy(suites: Suite[], policy: Policy | undefined): { suites: Suite[]; problems: Problem[] } {
	if (!policy) return { suites, problems: [] }
	const used = new Set<SeverityRule>()
	const problems: Problem[] = []
	const applied = suites.map((suite) => ({
		...suite,
		evals: suite.evals.map((evaluation) => ({
			...evaluation,
			assertions: evaluation.assertions.map((assertion) => {
				const rules = policy.severities.filter((rule) => fits(rule, suite.skill, evaluation.id, assertion))
				for (const rule of rules) used.add(rule)
				const rule = rules.at(-1)
				if (!rule || rule.severity === assertion.severity) return assertion
				const where = `${suite.skill} eval-${evaluation.id} assertion ${assertion.index}`
				problems.push(say(policy, rule, 'notice', `${where} is ${rule.severity} instead of ${assertion.severity}`))
				return { ...assertion, severity: rule.severity }
			}),
		})),
	}))
	const unused = policy.severities.filter((rule) => !used.has(rule))
	problems.push(...unused.map((rule) => say(policy, rule, 'warning', 'this rule fits no assertion', 'correct it, or remove it')))
	return { suites: applied, problems }
}

function fits(
	{ skill, eval: id, assertion }: SeverityRule,
	suiteSkill: string,
	evalId: string,
	{ id: own, index, text }: AssertionDefinition,
): boolean {
	if (skill !== undefined && skill !== suiteSkill) return false
	if (id !== undefined && id !== evalId) return false
	if (assertion === undefined) return true
	return typeof assertion === 'number'
		? assertion === index
		: assertion === own || normaliseText(assertion) === normaliseText(text)
}

function say({ file }: Policy, { line }: SeverityRule, severity: Problem['severity'], message: string, hint?: string): Problem {
	return { code: 'policy-severity', severity, file, line, message, hint }
}
