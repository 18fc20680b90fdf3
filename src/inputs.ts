import * as z from 'zod'
import { AGENT_NAMES, AGENTS, type AgentName } from './agents/registry.ts'
import { parseBaselinePlace } from './core/baseline-place.ts'
import type { Arm } from './definition.ts'
import { argv, texts } from './input-forms.ts'

/** Thrown once, with every fault of every input. */
export class InputError extends Error {
	override name = 'InputError'
}

/** Where evals are looked for if nobody says: the layouts that real repositories use. */
export const DEFAULT_EVALS = [
	'evals/evals.json',
	'evals/*/evals.json',
	'skills/*/evals/evals.json',
	'plugins/*/skills/*/evals/evals.json',
	'.claude/skills/*/evals/evals.json',
	'.agents/skills/*/evals/evals.json',
]

const lines = z.string().transform((text) =>
	text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== ''),
)

/** Where a result may be shown. Summary and log are always written. */
export const SURFACES = ['comment', 'review', 'check', 'status', 'summary', 'log'] as const

const names = lines.pipe(z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'name one environment variable a line')))

const flag = z.enum(['true', 'false']).transform((word) => word === 'true')

const template = z
	.string()
	.refine((text) => [...text.matchAll(/\{([^}]*)\}/g)].every(([, name]) => name === 'temp' || name === 'skill'), {
		error: 'only {temp} and {skill} can be filled in',
	})

/** The order in which they run. */
const ARMS: Arm[] = ['with_skill', 'without_skill', 'old_skill']

const wholeNumber = (min: number, max: number) =>
	z
		.string()
		.regex(/^\d{1,9}$/, 'write a whole number')
		.transform(Number)
		.pipe(z.number().min(min, `it must be at least ${min}`).max(max, `it must be at most ${max}`))

/** Every input, its form and its default. The names are those of action.yml and of the command's flags. */
const schema = z.strictObject({
	mode: z.enum(['run', 'report']).default('run'),
	evals: lines.default(DEFAULT_EVALS),
	workspace: template.default('{temp}/skill-evals/{skill}'),
	baseline: template
		.refine((text) => parseBaselinePlace(text) !== undefined, 'write a directory, or ref:<branch, tag or full SHA>:<path>')
		.optional(),
	'base-ref': z
		.string()
		.regex(/^[A-Za-z0-9][A-Za-z0-9._/@^~+-]{0,199}$/, 'name a commit, such as origin/main')
		.optional(),
	skill: template.optional(),
	agent: z.enum([...AGENT_NAMES, 'none']).default('command'),
	'agent-command': argv.optional(),
	'agent-model': z
		.string()
		.regex(/^[A-Za-z0-9][A-Za-z0-9 ._:/@+[\]-]{0,127}$/, 'name a model as the agent does')
		.optional(),
	'agent-args': texts.default([]),
	'agent-env': names.default([]),
	'prompt-template': z.string().max(1000).optional(),
	arms: z
		.string()
		.transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''))
		.pipe(z.array(z.enum(ARMS)))
		.refine((arms) => arms.includes('with_skill'), 'with_skill must be among them: it is what the gate judges')
		.refine((arms) => new Set(arms).size < ARMS.length, 'compare with without_skill or with old_skill, not with both')
		.transform((arms) => ARMS.filter((arm) => arms.includes(arm)))
		.default(['with_skill']),
	'max-tokens': wholeNumber(1, 999_999_999).optional(),
	'max-cost-usd': z
		.string()
		.regex(/^\d{1,6}(\.\d{1,4})?$/, 'write US dollars, such as 2.50')
		.transform(Number)
		.pipe(z.number().positive('it must be more than 0'))
		.optional(),
	judge: z.enum(['anthropic', 'openai', 'google', 'claude', 'codex', 'command', 'none']).default('none'),
	'judge-command': argv.optional(),
	'judge-env': names.default([]),
	'judge-model': z
		.string()
		.regex(/^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}$/, 'use 1 to 128 letters, digits, ".", "_", ":", "/", "@", "+" or "-"')
		.optional(),
	'judge-base-url': z.url({ protocol: /^https?$/, error: 'write an address that begins with https:// or http://' }).optional(),
	'judge-key-env': z
		.string()
		.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'write the name of an environment variable, not a key')
		.optional(),
	'judge-runs': wholeNumber(1, 15)
		.refine((runs) => runs % 2 === 1, 'it must be odd, so that there is a majority')
		.default(1),
	'judge-strict-evidence': flag.default(false),
	'judge-sees-expected': flag.default(false),
	'judge-cache': z.string().optional(),
	'judge-timeout': wholeNumber(1, 86_400).default(300),
	'judge-budget': wholeNumber(1, 86_400).default(7200),
	concurrency: wholeNumber(1, 64).default(4),
	timeout: wholeNumber(1, 86_400).default(900),
	'block-on': z.enum(['any']).default('any'),
	'allow-empty': flag.default(false),
	'skill-version': z
		.string()
		.regex(/^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,63}$/, 'use 1 to 64 letters, digits, spaces, ".", "_", "+" or "-"')
		.optional(),
	comment: z.enum(['always', 'failure', 'never']).default('always'),
	'report-to': lines.pipe(z.array(z.enum(SURFACES)).min(1)).default(['comment']),
	'comment-key': z
		.string()
		.regex(/^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,63}$/, 'use 1 to 64 letters, digits, spaces, ".", "_", "/" or "-"')
		.optional(),
	'github-token': z.string().optional(),
})

export type Inputs = z.output<typeof schema> & {
	/** Nobody gave `evals`: one of the default places is enough. */
	defaultEvals: boolean
}

export const INPUT_NAMES = Object.keys(schema.shape) as (keyof typeof schema.shape)[]

/**
 * All inputs, typed. `read` gives an input's text; empty means not given. `found` are faults known already.
 * Throws one InputError that lists every fault.
 */
export function parseInputs(read: (name: string) => string | undefined, found: string[] = []): Inputs {
	const given = Object.fromEntries(INPUT_NAMES.flatMap((name) => (read(name)?.trim() ? [[name, read(name)?.trim()]] : [])))
	const parsed = schema.safeParse(given)
	if (!parsed.success) {
		throw new InputError([...found, ...parsed.error.issues.map((issue) => describeIssue(issue, given))].join('\n'))
	}
	const faults = [...found, ...findConflicts(parsed.data)]
	if (faults.length > 0) throw new InputError(faults.join('\n'))
	return { ...parsed.data, defaultEvals: given.evals === undefined }
}

function describeIssue(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
	const name = String(issue.path[0])
	if (issue.code !== 'invalid_value') return `input "${name}": ${issue.message}; it is ${JSON.stringify(given[name])}`
	return `input "${name}" must be ${issue.values.join(' or ')}; it is ${JSON.stringify(given[name])}`
}

function findConflicts(inputs: z.output<typeof schema>): string[] {
	const faults: string[] = []
	if (inputs.mode === 'run' && inputs.agent === 'command' && !inputs['agent-command']) {
		faults.push(
			'input "agent-command" is missing: with agent "command" it says which program to run, as a JSON list such as ["node", "agent.mjs"]',
		)
	}
	if (inputs.agent !== 'command' && inputs['agent-command'])
		faults.push(`input "agent-command" has no effect with agent "${inputs.agent}": remove one of them`)
	if (inputs['prompt-template'] && (inputs.mode === 'report' || inputs.agent === 'none'))
		faults.push('input "prompt-template" has an effect only where an agent runs: remove it, or choose mode "run" and an agent')
	if (inputs.arms.length > 1 && (inputs.mode === 'report' || inputs.agent === 'none'))
		faults.push('input "arms" has an effect only where an agent runs: remove it, or choose mode "run" and an agent')
	return [...faults, ...findAgentConflicts(inputs), ...findJudgeCommandConflicts(inputs), ...findJudgeConflicts(inputs)]
}

/** What the user asked for and this agent cannot do. */
function findAgentConflicts(inputs: z.output<typeof schema>): string[] {
	const faults: string[] = []
	const agent = inputs.agent === 'none' ? undefined : AGENTS[inputs.agent satisfies AgentName]
	if (!agent?.isKnown) {
		const useless = [
			...(inputs['agent-model'] ? ['agent-model'] : []),
			...(inputs['agent-args'].length > 0 ? ['agent-args'] : []),
		]
		faults.push(
			...useless.map((name) => `input "${name}" has no effect with agent "${inputs.agent}": remove it, or choose another agent`),
		)
	}
	const budgets = [['max-tokens', 'tokens'] as const, ['max-cost-usd', 'cost'] as const]
	for (const [name, unit] of budgets) {
		if (inputs[name] === undefined || (agent && !agent.unreported.includes(unit))) continue
		faults.push(
			`input "${name}" cannot be kept with agent "${inputs.agent}", which reports no ${unit}: remove it, or choose another agent`,
		)
	}
	return faults
}

function findJudgeCommandConflicts(inputs: z.output<typeof schema>): string[] {
	const faults: string[] = []
	if (inputs.judge === 'command' && !inputs['judge-command']) {
		faults.push(
			'input "judge-command" is missing: with judge "command" it says which program to ask, as a JSON list such as ["node", "judge.mjs"]',
		)
	}
	if (inputs.judge === 'none' && inputs['judge-command'])
		faults.push('input "judge-command" needs judge "command": set it, or remove the command')
	return faults
}

/** Where each judge's key is by default; the name of none is needed for `command` and `none`. */
const KEY_VARIABLES: Record<string, string> = {
	anthropic: 'ANTHROPIC_API_KEY',
	openai: 'OPENAI_API_KEY',
	google: 'GEMINI_API_KEY',
	claude: 'ANTHROPIC_API_KEY',
	codex: 'OPENAI_API_KEY',
}

/** The environment variable that holds the judge's key; undefined for a judge that has none of its own. */
export function judgeKeyVariable(inputs: Pick<Inputs, 'judge' | 'judge-key-env'>): string | undefined {
	return KEY_VARIABLES[inputs.judge] === undefined ? undefined : (inputs['judge-key-env'] ?? KEY_VARIABLES[inputs.judge])
}

function findJudgeConflicts(inputs: z.output<typeof schema>): string[] {
	const { judge } = inputs
	const faults: string[] = []
	const isApi = ['anthropic', 'openai', 'google'].includes(judge)
	const key = judgeKeyVariable(inputs)
	if (isApi && !inputs['judge-model'])
		faults.push(`input "judge-model" is missing: with judge "${judge}" it says which model is asked; name one exact version`)
	if (inputs['judge-base-url'] && !isApi && judge !== 'claude' && judge !== 'codex')
		faults.push(`input "judge-base-url" has no effect with judge "${judge}": remove it`)
	if (inputs['judge-key-env'] && key === undefined)
		faults.push(`input "judge-key-env" has no effect with judge "${judge}": remove it, or name the variable in "judge-env"`)
	if (inputs['judge-cache'] && !(key && inputs['judge-model']))
		faults.push(
			'input "judge-cache" needs a judge with a key and "judge-model": answers of an unknown judge cannot be told apart',
		)
	// Entries are signed with the key, so that what an agent writes there is no verdict.
	if (inputs['judge-cache'] && key && inputs['agent-env'].includes(key))
		faults.push(
			`input "judge-cache" cannot be used while "agent-env" names ${key}: give the judge a key of its own by "judge-key-env"`,
		)
	return faults
}
