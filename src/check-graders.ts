import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expectedAssertions } from './core/plan.ts'
import type { EvalDefinition, Problem, Suite } from './definition.ts'
import type { Inputs } from './inputs.ts'
import type { Machine } from './io/execute.ts'
import { gradeOne } from './io/grade.ts'
import { findSuites, readDefinitions } from './io/suites.ts'
import type { Outputs } from './model.ts'
import { plural } from './report/markdown.ts'

/** An assertion that passes although nothing was done. */
export type PassedOnNothing = { skill: string; evalId: string; index: number; text: string; grader: string }
export type GraderCheck = {
	verdict: 'pass' | 'fail' | 'invalid'
	checked: number
	passed: PassedOnNothing[]
	/** Evals that an agent which did nothing would pass: whatever blocks in them passes on nothing. */
	toothless: { skill: string; evalId: string }[]
	problems: Problem[]
}

const NOTHING: Outputs = { files: [] }

/** Gives each deterministic assertion empty outputs. Command graders are run, in an empty directory. */
export async function checkGradersOnNothing(inputs: Inputs, machine: Machine): Promise<GraderCheck> {
	const found = await findSuites(inputs, machine.places)
	const read = await readDefinitions(found.files, inputs, machine.places)
	const problems = [...found.problems, ...read.problems]
	const check: GraderCheck = { verdict: 'pass', checked: 0, passed: [], toothless: [], problems }
	if (problems.some(({ severity }) => severity === 'error')) return { ...check, verdict: 'invalid' }
	const empty = await mkdtemp(join(machine.places.temp, 'skill-eval-nothing-'))
	try {
		for (const suite of read.suites)
			for (const evaluation of suite.evals) await checkEval(suite, evaluation, empty, machine, check)
	} finally {
		await rm(empty, { recursive: true, force: true })
	}
	return { ...check, verdict: check.toothless.length > 0 ? 'fail' : 'pass' }
}

async function checkEval(
	suite: Suite,
	evaluation: EvalDefinition,
	empty: string,
	machine: Machine,
	check: GraderCheck,
): Promise<void> {
	const expected = expectedAssertions(evaluation)
	const passed = new Set<number>()
	for (const assertion of expected.filter(({ grader }) => grader !== 'judge')) {
		check.checked++
		const paths = { directory: suite.evalsDir, outputsDir: empty }
		const { outcome } = await gradeOne(assertion, paths, { outputs: NOTHING }, machine)
		if (outcome !== 'pass') continue
		passed.add(assertion.index)
		const { index, text, grader } = assertion
		check.passed.push({ skill: suite.skill, evalId: evaluation.id, index, text, grader })
	}
	const blocking = expected.filter(({ severity }) => severity === 'error')
	if (blocking.length > 0 && blocking.every(({ index }) => passed.has(index)))
		check.toothless.push({ skill: suite.skill, evalId: evaluation.id })
}

/** A line an assertion, then the evals that nothing can fail. */
export function renderGraderCheck({ verdict, checked, passed, toothless }: GraderCheck): string {
	const lines = [
		`${verdict}: ${passed.length} of ${plural(checked, 'deterministic assertion')} ${passed.length === 1 ? 'passes' : 'pass'} on empty outputs`,
		...passed.map(({ skill, evalId, index, text, grader }) => {
			return `- ${skill} eval-${evalId} assertion ${index} (${grader}): ${JSON.stringify(text)}`
		}),
		...toothless.map(({ skill, evalId }) => {
			return `${skill} eval-${evalId}: everything that blocks in it passes on nothing; add what only a done task shows`
		}),
	]
	return lines.map((line) => `${line}\n`).join('')
}

/** For machines; versioned like result.json. */
export function formatGraderCheck(check: GraderCheck): string {
	return `${JSON.stringify({ schemaVersion: 1, ...check }, undefined, 2)}\n`
}
