import type { AssertionDefinition, EvalDefinition, Problem, Severity } from '../../definition.ts'
import type { PluginCase, PluginGrader, PluginResult } from './result.ts'

/** What an assertion's text says of a grader's configuration, first that is there. */
const FACTS = ['pattern', 'path', 'tool', 'criteria']
const FACT_CHARACTERS = 200
const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** What the case on disk says of a grader, by its name. */
export type SeverityOf = (grader: string) => Severity

/** A case directory as an eval's id: `evals/deep/one` becomes `deep-one`. Names are no keys, because they may be there twice. */
export function toEvalId(dir: string): string {
	const slug = dir
		.normalize('NFC')
		.replace(/^evals\//, '')
		.replace(/[^\p{L}\p{N}\p{M}._-]+/gu, '-')
	return slug.replace(/^[^\p{L}\p{N}]+/u, '').slice(0, 64) || 'case'
}

/**
 * The case's graders as assertions. What only indicates that the plugin fired, and is not scored, is none of them.
 * Its place is that in the result, because the result holds the whole definition.
 */
export function toDefinition(item: PluginCase, at: number, result: PluginResult, severityOf: SeverityOf): EvalDefinition {
	const { pointer, line } = result.locate(['cases', at])
	const scored = item.graders.filter((grader) => !isIndicator(grader, item, result))
	const assertions = scored.map((grader, index): AssertionDefinition => {
		const place = result.locate(['cases', at, 'graders', item.graders.indexOf(grader)])
		return {
			...(IDENTIFIER.test(grader.name) ? { id: grader.name } : {}),
			index: index + 1,
			text: describeGrader(grader),
			severity: severityOf(grader.name),
			type: 'regression',
			weight: grader.weight,
			skip: false,
			grader: grader.type,
			options: grader.config,
			target: { source: 'outputs' },
			line: place.line,
			pointer: place.pointer,
		}
	})
	return { id: toEvalId(item.dir), name: item.name, prompt: item.promptMarkdown, files: [], assertions, line, pointer }
}

function describeGrader({ name, type, config }: PluginGrader): string {
	const fact = FACTS.map((key) => config[key]).find((value): value is string => typeof value === 'string' && value !== '')
	const shown = fact?.split('\n')[0]?.slice(0, FACT_CHARACTERS)
	return `${name} (${type})${shown === undefined ? '' : `: ${shown}`}`
}

/**
 * With two arms, a grader that only the plugin can pass says whether the plugin fired, and is not scored, unless the case has no other.
 * The runs say it of themselves; where none was graded, the rule of the vendor's documentation is applied.
 */
export function isIndicator(grader: PluginGrader, item: PluginCase, { suite }: PluginResult): boolean {
	if (suite.ablation === 'none') return false
	const rows = item.arms.with.flatMap((run) => run.graders.filter(({ name }) => name === grader.name))
	if (rows.length > 0) return rows.every(({ withOnly, scored }) => withOnly && !scored)
	return isWithOnly(grader) && !item.graders.every(isWithOnly)
}

function isWithOnly({ type, config }: PluginGrader): boolean {
	if (config.arm !== undefined) return config.arm === 'with-only'
	return (type === 'tool_used' && config.tool === 'Skill') || config.target === 'mock_calls' || config.focus === 'mock_calls'
}

/** Checks that cannot fail, or that an agent which does nothing passes: each is legal there, and none of them proves anything. */
export function findVacuous(item: PluginCase, at: number, { file, locate }: PluginResult): Problem[] {
	const say = (where: (string | number)[], message: string, hint: string): Problem => {
		return { code: 'plugin-eval-vacuous', severity: 'warning', file, ...locate(['cases', at, ...where]), message, hint }
	}
	const sure = item.graders.flatMap((grader, index) =>
		cannotFail(grader)
			? [say(['graders', index], `the grader ${JSON.stringify(grader.name)} cannot fail`, 'say what must be there')]
			: [],
	)
	if (item.graders.length === 0 || !item.graders.every((grader) => cannotFail(grader) || isNegative(grader))) return sure
	const message = `every grader of ${item.dir} passes for an agent that does nothing`
	return [...sure, say([], message, 'add a grader for what the output must hold')]
}

function cannotFail({ type, config }: PluginGrader): boolean {
	if (type === 'regex') return config.pattern === '' && config.match === 'contains'
	return type === 'tool_used' && config.min === 0 && config.max === undefined
}

function isNegative({ type, config }: PluginGrader): boolean {
	if (type === 'regex') return config.match === 'not_contains' || config.match === 'count:0'
	return (type === 'file_exists' && config.exists === false) || (type === 'tool_used' && config.min === 0)
}
