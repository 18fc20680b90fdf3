import type { EvalDefinition, Problem } from '../definition.ts'
import { findVacuous, isIndicator } from '../formats/plugin-eval/definition.ts'
import type { PluginCase, PluginGrader, PluginResult, PluginRun } from '../formats/plugin-eval/result.ts'
import type { EvalResult, Grade } from '../model.ts'
import { collectFailure, collectGrades } from './collect.ts'
import { combineRuns } from './combine.ts'
import { classifyRun, gradePluginRow } from './grade-plugin-run.ts'
import { mean } from './stats.ts'

/** Loaded, although something about it could not be checked. */
const TOLERATED_PLUGIN_PROBLEMS = new Set(['identity_unverified', 'archive_not_probed'])
/** Scores are sums of floats. */
const ROUNDING = 1e-6

type Say = (severity: Problem['severity'], code: string, message: string, hint?: string) => void

/** What is wrong with the result as a whole; an `error` keeps it from passing, whatever its cases say. */
export function checkPluginResult(result: PluginResult, areCasesKnown: boolean): Problem[] {
	const { partial, partialReason, suite, cases, aggregates } = result
	const { problems, say } = collector(result, [])
	if (partial) say('error', 'plugin-eval-partial', `the eval stopped early (${partialReason ?? 'no reason is given'})`, AGAIN)
	if (cases.length === 0)
		say('error', 'plugin-eval-empty', 'there is no case in this result', 'see what claude plugin eval printed')
	if (aggregates.casesTotal !== cases.length) {
		const message = `it counts ${aggregates.casesTotal} cases and holds ${cases.length}`
		say('error', 'plugin-eval-shrunk', message, AGAIN)
	}
	if (suite.plugins.length === 0) say('error', 'plugin-eval-unloaded', 'no plugin was loaded: what ran is not the plugin')
	for (const { name, problem } of suite.plugins) {
		if (problem === undefined) continue
		const severity = TOLERATED_PLUGIN_PROBLEMS.has(problem) ? 'notice' : 'error'
		say(severity, 'plugin-eval-unloaded', `the plugin ${JSON.stringify(name)} was not loaded as it is: ${problem}`)
	}
	if (suite.caseFilter !== undefined || suite.tagFilters.length > 0) {
		const message = `only some cases were run (--case ${suite.caseFilter ?? 'none'}, --tag ${suite.tagFilters.join(' ') || 'none'})`
		// With the case files at hand each missing case is named, and several filtered results can be whole together.
		say(areCasesKnown ? 'notice' : 'error', 'plugin-eval-filtered', message, 'run all cases')
	}
	if (suite.threshold < 1) {
		say('notice', 'plugin-eval-threshold', `its own threshold of ${suite.threshold} is not used: every assertion decides`)
	}
	if (cases.some(({ graders }) => graders.some(({ type }) => type === 'llm' || type === 'baseline'))) {
		const message = "Claude Code's judge counts every answer with PASS and without FAIL as a pass, and keeps no answer"
		say('notice', 'plugin-eval-judge', message)
	}
	return problems
}

const AGAIN = 'run it again, to its end'

/** One case's result from its runs with the plugin; the arm without it decides nothing and is compared in a notice. */
export function collectPluginCase(definition: EvalDefinition, item: PluginCase, at: number, result: PluginResult): EvalResult {
	const { problems, say } = collector(result, ['cases', at])
	const { arms, runsPerCase, graders } = item
	const scored = graders.filter((grader) => !isIndicator(grader, item, result))
	if (scored.length === 0) say('error', 'plugin-eval-graders', `${item.dir} has no grader that is scored: it proves nothing`)
	const names = new Set(graders.map(({ name }) => name))
	if (names.size !== graders.length) say('error', 'plugin-eval-graders', `${item.dir} has two graders of one name`)
	const isCompared = result.suite.ablation === 'with-without'
	if (arms.with.length !== runsPerCase) {
		say(
			'error',
			'plugin-eval-runs',
			`${item.dir} has ${arms.with.length} of ${runsPerCase} runs with the plugin`,
			'run it to its end, without --runs',
		)
	}
	if (isCompared && arms.without?.length !== runsPerCase) {
		const count = arms.without?.length ?? 0
		say('warning', 'plugin-eval-runs', `${item.dir} has ${count} of ${runsPerCase} runs without the plugin`)
	}
	const lost = arms.without?.filter((run) => classifyRun(run).state === 'lost').length ?? 0
	if (lost > 0) say('error', 'plugin-eval-without', `${item.dir}: ${lost} of its runs without the plugin measured nothing`, AGAIN)
	for (const text of item.advisories) {
		if (graders.some(({ name }) => text.startsWith(`grader ${JSON.stringify(name)} cannot pass`))) continue
		say('error', 'plugin-eval-advisory', `Claude Code warns about ${item.dir}: ${text}`)
	}
	for (const [index, run] of arms.with.entries()) sayUnfinished(run, index + 1, item, definition, say)
	const runs = arms.with.map((run, index) => ({
		run: index + 1,
		result: collectRun(definition, run, index + 1, { item, scored, file: result.file }),
	}))
	const combined = combineRuns(definition, runs)
	sayScores(item, say)
	sayFired(item, result, combined, say)
	return { ...combined, problems: [...problems, ...findVacuous(item, at, result), ...combined.problems] }
}

function sayUnfinished(run: PluginRun, number: number, item: PluginCase, definition: EvalDefinition, say: Say): void {
	const names = new Set(item.graders.map(({ name }) => name))
	const extra = run.graders.filter(({ name }) => !names.has(name))
	if (extra.length > 0) {
		say('error', 'plugin-eval-extra', `run ${number} of ${item.dir} has results of graders that the case does not have`)
	}
	const found = classifyRun(run)
	if (found.state !== 'unfinished') return
	const severity = definition.assertions.some((assertion) => assertion.severity === 'error') ? 'error' : 'warning'
	const message = `run ${number} of ${item.dir} did not finish (${found.why}): what passed in it is not counted`
	say(severity, 'plugin-eval-unfinished', message)
}

type Graded = { item: PluginCase; scored: PluginGrader[]; file: string }

/** The definition's assertions are the scored graders, in their order. */
function collectRun(definition: EvalDefinition, run: PluginRun, number: number, { item, scored, file }: Graded): EvalResult {
	const timing = run.durationSeconds ? { durationMs: run.durationSeconds * 1000 } : {}
	const found = classifyRun(run)
	if (found.state === 'lost') {
		const sentence = `run ${number} of claude plugin eval measured nothing`
		return collectFailure(definition, { sentence, quotes: [found.why], file, line: definition.line }, timing, [])
	}
	const grades = scored.map((grader, at): [number, Grade] => [at + 1, gradePluginRow(grader, item, run)])
	return collectGrades(definition, new Map(grades), timing, [])
}

/** Scores as the vendor defines them (weights of what passed, of all that is scored), over whole runs only; absent if there is none. */
function scoreArm(item: PluginCase, runs: PluginRun[]): number | undefined {
	const whole = runs.filter((run) => classifyRun(run).state === 'whole')
	return mean(
		whole.flatMap((run) => {
			const scored = run.graders.filter((row) => row.scored)
			const total = scored.reduce((sum, { weight }) => sum + weight, 0)
			const passed = scored.filter((row) => {
				const grader = item.graders.find(({ name }) => name === row.name)
				return grader && gradePluginRow(grader, item, run).outcome === 'pass'
			})
			return total > 0 ? [passed.reduce((sum, { weight }) => sum + weight, 0) / total] : []
		}),
	)
}

function sayScores(item: PluginCase, say: Say): void {
	const { arms, aggregates } = item
	const score = scoreArm(item, arms.with)
	const isSame = score !== undefined && Math.abs(score - aggregates.score) < ROUNDING
	const counted = score === undefined ? 'no run with the plugin is whole' : `the whole runs say ${score.toFixed(2)}`
	if (!isSame) {
		const message = `${item.dir}: its own score is ${aggregates.score.toFixed(2)}, ${counted}: the runs count`
		say('notice', 'plugin-eval-score', message)
	}
	if (arms.without === undefined || score === undefined) return
	const without = scoreArm(item, arms.without)
	const delta = without === undefined ? 'n/a' : formatSigned(score - without)
	const other = without === undefined ? 'not measured' : without.toFixed(2)
	say(
		'notice',
		'plugin-eval-arms',
		`${item.dir}: score ${score.toFixed(2)} with_skill, ${other} without_skill, difference ${delta}`,
	)
}

function formatSigned(difference: number): string {
	return `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(2)}`
}

/** "Skill fired k of n": a case that passes although the plugin never fired says nothing about the plugin. */
function sayFired(item: PluginCase, result: PluginResult, combined: EvalResult, say: Say): void {
	const firing = item.graders.filter((grader) => isIndicator(grader, item, result) || grader.config.tool === 'Skill')
	for (const { name } of firing) {
		const rows = item.arms.with.flatMap((run) => run.graders.filter((row) => row.name === name))
		const fired = rows.filter(({ passed }) => passed).length
		const told = `${item.dir}: ${JSON.stringify(name)} fired in ${fired} of ${item.arms.with.length} runs`
		const passes = combined.assertions.length > 0 && combined.assertions.every(({ outcome }) => outcome === 'pass')
		if (fired === 0 && passes) say('warning', 'plugin-eval-not-fired', `${told}: the case passes without the skill`)
		else say('notice', 'plugin-eval-fired', told)
	}
}

function collector({ file, locate }: PluginResult, path: (string | number)[]): { problems: Problem[]; say: Say } {
	const problems: Problem[] = []
	const say: Say = (severity, code, message, hint) =>
		problems.push({ code, severity, file, ...locate(path), message: message.slice(0, 600).toWellFormed(), hint })
	return { problems, say }
}
