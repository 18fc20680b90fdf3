import type { JudgeVotes } from '../judging.ts'
import type { AssertionResult, Grade } from '../model.ts'
import type { Vote } from './row.ts'

export type Agreed = { grade: Grade; notices: string[] }

/**
 * One grade of an assertion from the votes of the judge's runs: a strict majority of the runs that were requested.
 * A tie, or too many runs without a vote, is not measured; a run that gave nothing counts against every majority.
 */
export function agree(votes: Vote[], requested: number, cached: boolean): Agreed {
	const count = (outcome: Grade['outcome']) => votes.filter((vote) => vote.outcome === outcome).length
	const [passed, failed] = [count('pass'), count('fail')]
	const runs = Math.max(requested, votes.length, 1)
	const tally = { runs, passed, failed, errors: runs - passed - failed, cached }
	const outcome = passed * 2 > runs ? 'pass' : failed * 2 > runs ? 'fail' : 'error'
	const speaker = votes.find((vote) => vote.outcome === outcome)
	const notices = [...new Set(votes.flatMap((vote) => (vote.outcome === outcome ? vote.notices : [])))]
	if (runs === 1) return { grade: toGrade(outcome, speaker?.evidence ?? NO_ANSWER, tally), notices }
	const said = `${passed} of ${runs} judge runs passed it, ${failed} failed it${tally.errors > 0 ? `, ${tally.errors} measured nothing` : ''}`
	const isTie = outcome === 'error' && passed + failed > 0
	const reason = isTie ? [NO_MAJORITY, speaker?.evidence].filter(Boolean).join(': ') : (speaker?.evidence ?? NO_ANSWER)
	return { grade: toGrade(outcome, `${reason}\n(${said})`, tally), notices }
}

const NO_MAJORITY = 'no strict majority of the judge runs'
const NO_ANSWER = 'the judge gave no result'

function toGrade(outcome: Grade['outcome'], evidence: string, votes: JudgeVotes): Grade {
	return { outcome, evidence, votes }
}

/** The judge's runs did not all say the same: the judge is what wavers, not the agent, because both saw the same outputs. */
export function isSplit({ passed, failed }: JudgeVotes): boolean {
	return passed > 0 && failed > 0
}

/** Of every attempt that a judge decided. */
export function votesOf({ attempts }: Pick<AssertionResult, 'attempts'>): JudgeVotes[] {
	return attempts.flatMap(({ votes }) => votes ?? [])
}
