import { randomBytes } from 'node:crypto'
import type { AssertionDefinition, EvalDefinition, Problem } from '../../definition.ts'
import { type JudgedRow, parseAnswer } from '../../judge/answer.ts'
import { addCanary, SEED_DIGITS } from '../../judge/canary.ts'
import { type Agreed, agree } from '../../judge/consensus.ts'
import { buildMaterial, type Material } from '../../judge/request.ts'
import { type Vote, weighRow } from '../../judge/row.ts'
import { groupByWishes } from '../../judge/wishes.ts'
import type { Grade, Outputs } from '../../model.ts'
import type { Judge } from './open.ts'

/** One run's outputs and what is asked about them. */
export type Judged = {
	skill: string
	evaluation: EvalDefinition
	/** Those that are for a judge. */
	assertions: AssertionDefinition[]
	outputs: Outputs
	/** For assertions that ask for it. */
	transcriptText?: string | undefined
}

export type JudgeGrades = { grades: Map<number, Grade>; problems: Problem[] }

/** A grade for every assertion, by its index. Whatever keeps the judge from answering leaves what was asked unmeasured. */
export async function judgeAssertions(judged: Judged, judge: Judge | undefined): Promise<JudgeGrades> {
	const grades = new Map<number, Grade>()
	const problems: Problem[] = []
	const refuse = (assertion: AssertionDefinition, evidence: string) => grades.set(assertion.index, { outcome: 'error', evidence })
	if (!judge) {
		for (const assertion of judged.assertions) refuse(assertion, NO_JUDGE)
		return { grades, problems }
	}
	const { groups, refused } = groupByWishes(judged.assertions, judge, judged.transcriptText !== undefined)
	for (const { assertion, why } of refused) refuse(assertion, why)
	for (const { assertions, runs, seesTranscript } of groups) {
		const transcriptText = seesTranscript ? judged.transcriptText : undefined
		const options = { seesExpected: judge.seesExpected, transcriptText }
		const material = buildMaterial(judged.skill, judged.evaluation, assertions, judged.outputs, options)
		const agreed = await judgeMaterial(material, runs, judge)
		for (const [at, assertion] of assertions.entries()) {
			const { grade, notices } = agreed.rows[at] ?? {
				grade: { outcome: 'error' as const, evidence: 'the judge gave no result' },
				notices: [],
			}
			grades.set(assertion.index, grade)
			for (const notice of notices) problems.push(toNotice(judged.evaluation, assertion, notice))
		}
		if (agreed.trouble !== undefined) problems.push({ code: 'judge-cache', severity: 'notice', message: agreed.trouble })
	}
	return { grades, problems }
}

const NO_JUDGE = 'no judge configured: set the input "judge", or give the assertion a deterministic grader'

function toNotice({ id }: EvalDefinition, { index }: AssertionDefinition, notice: string): Problem {
	return { code: 'judge-answer', severity: 'notice', message: `eval-${id} assertion ${index}: ${notice}` }
}

type Answers = { rows: Agreed[]; trouble?: string | undefined }

/** Asks so many times, or reads what an earlier job was answered; only answers without any fault are kept for a later one. */
export async function judgeMaterial(material: Material, runs: number, judge: Judge): Promise<Answers> {
	const asked = { judge: judge.name, model: judge.model, runs, material }
	const kept = await judge.cache?.read(asked)
	const isWhole = kept?.length === runs && kept.every((rows) => rows.length === material.assertions.length)
	const answers: Answer[] = isWhole ? kept.map((rows) => ({ rows })) : []
	for (let run = answers.length; run < runs; run++) answers.push(await askOnce(material, judge))
	const gullible = answers.find((answer) => 'canary' in answer)
	const rows = material.assertions.map((assertion, at) => {
		const votes = answers.map((answer) => toVote(gullible ?? answer, at, assertion.text, material, judge))
		return agree(votes, runs, isWhole)
	})
	const given = answers.flatMap((answer) => ('rows' in answer ? [answer.rows] : []))
	const isClean = given.length === runs && rows.every(({ grade }) => grade.votes?.errors === 0)
	if (isWhole || !isClean) return { rows }
	const trouble = await judge.cache?.write(asked, given).then(
		() => undefined,
		(error: unknown) =>
			`the judge's answers could not be kept in judge-cache: ${error instanceof Error ? error.message : String(error)}`,
	)
	return { rows, trouble }
}

type Answer = { rows: JudgedRow[] } | { failure: string } | { canary: string }

/** A judge that fell for the outputs once is not outvoted: what talked to it once talks to it again. */
function toVote(answer: Answer, at: number, text: string, material: Material, judge: Judge): Vote {
	if ('rows' in answer) {
		const row = answer.rows[at]
		return row ? weighRow(row, text, material, judge) : { outcome: 'error', evidence: 'the judge gave no result', notices: [] }
	}
	return { outcome: 'error', evidence: 'canary' in answer ? answer.canary : answer.failure, notices: [] }
}

/** One run of the judge: an answer that cannot be used is asked for once more, with what was wrong, in the time that is left. */
async function askOnce(material: Material, judge: Judge): Promise<Answer> {
	const seed = randomBytes(SEED_DIGITS / 2).toString('hex')
	const deadline = performance.now() + judge.callMs
	let repair: string | undefined
	for (let attempt = 1; attempt <= 2; attempt++) {
		const question = addCanary(material, seed, repair)
		const leftMs = attempt === 1 ? judge.callMs : deadline - performance.now()
		if (!(leftMs > 0)) break
		const reply = await judge.ask(question.request, leftMs)
		if ('failure' in reply) return { failure: reply.failure }
		const answer = 'text' in reply ? parseAnswer(reply.text, question) : reply
		if (!('fault' in answer)) return answer
		repair = answer.fault
	}
	return { failure: `the judge's answer is not usable, twice: ${repair}` }
}
