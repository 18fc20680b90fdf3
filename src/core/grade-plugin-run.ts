import type { PluginCase, PluginGrader, PluginRow, PluginRun } from '../formats/plugin-eval/result.ts'
import type { Grade } from '../model.ts'

/** Of the text that a judge saw so much is kept: it may hold anything that the agent wrote. */
const EVIDENCE_CHARACTERS = 300
const JUDGED = new Set(['llm', 'baseline'])

/** What a run came to: `whole` if its agent ended by itself and every grader ran. Only such a run can pass anything. */
export type RunState =
	| { state: 'whole' }
	/** The mocks stopped it because of what the agent did. */
	| { state: 'aborted'; why: string }
	/** Graded although it did not finish: what failed has failed, what passed proves nothing. */
	| { state: 'unfinished'; why: string }
	/** Nothing was measured. */
	| { state: 'lost'; why: string }

/**
 * Classifies one run. Claude Code scores timeouts and runs out of turns like finished runs, and API errors as zeros (measured with 2.1.332).
 * In: a run. Out: its state, with the untrusted words of the program where there are some.
 */
export function classifyRun(run: PluginRun): RunState {
	const { aborted, error, graders } = run
	if (aborted) {
		const why = `${aborted.server}/${aborted.tool}: ${aborted.reason}`
		// A mock that breaks stops the run too; that says nothing about the agent.
		return { state: /violates expect|abort_when/.test(aborted.reason) ? 'aborted' : 'lost', why }
	}
	if (error !== null && (graders.length === 0 || (run.turns === 0 && !/^(timed out|interrupted)/.test(error)))) {
		return { state: 'lost', why: error }
	}
	if (error !== null) return { state: 'unfinished', why: error }
	if (run.skippedPaidGraders) return { state: 'unfinished', why: 'its judge was skipped: cost ceiling' }
	if (!(run.turns > 0)) return { state: 'lost', why: 'the agent took no turn' }
	return { state: 'whole' }
}

/** The grade of one grader in one run; a grader without exactly one row was not measured. */
export function gradePluginRow(grader: PluginGrader, item: PluginCase, run: PluginRun): Grade {
	const found = classifyRun(run)
	if (found.state === 'lost') return { outcome: 'error', evidence: found.why }
	if (found.state === 'aborted') return { outcome: 'fail', evidence: `the run was stopped: ${found.why}` }
	const [row, second] = run.graders.filter(({ name }) => name === grader.name)
	if (!row || second)
		return { outcome: 'error', evidence: `there ${row ? 'are several results' : 'is no result'} for this grader` }
	const fault = findFault(row, grader, item)
	if (fault !== undefined) return { outcome: 'error', evidence: fault }
	const evidence = describeRow(row)
	if (!row.passed) return { outcome: 'fail', evidence }
	if (found.state === 'unfinished') {
		return { outcome: 'error', evidence: `the run did not finish (${found.why}), so that this pass does not count: ${evidence}` }
	}
	return { outcome: 'pass', evidence }
}

/** Why a row says nothing about the output, undefined if it does. Whatever a grader threw is no verdict, except that a file is not there. */
function findFault(row: PluginRow, { type, name }: PluginGrader, { advisories }: PluginCase): string | undefined {
	const { explanation, passed, judgeVotes, withOnly, scored } = row
	if (!scored && !withOnly) return `it was not scored: ${explanation}`
	const isMissing = /^grader threw: .*does not exist$/.test(explanation)
	if (explanation.startsWith('skipped') || (explanation.startsWith('grader threw:') && (!isMissing || passed))) return explanation
	const advisory = passed ? undefined : advisories.find((text) => text.startsWith(`grader ${JSON.stringify(name)} cannot pass`))
	if (advisory !== undefined) return advisory
	if (!JUDGED.has(type) || isMissing) return undefined
	if (!judgeVotes || judgeVotes.length === 0) return `the judge gave no vote: ${explanation}`
	const majority = judgeVotes.filter((vote) => vote).length * 2 > judgeVotes.length
	return majority === passed ? undefined : `the judge's votes contradict the result: ${explanation}`
}

function describeRow({ explanation, judgeVotes, evidence, passed }: PluginRow): string {
	const votes = judgeVotes?.filter((vote) => vote === passed).length
	const split = judgeVotes && votes !== judgeVotes.length ? ` (${votes} of ${judgeVotes.length})` : ''
	const seen = evidence === undefined ? '' : `\nthe judge saw: ${[...evidence].slice(0, EVIDENCE_CHARACTERS).join('')}`
	return `${explanation}${split}${seen}`
}
