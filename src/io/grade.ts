import { join } from 'node:path'
import { collectFailure, collectGrades } from '../core/collect.ts'
import { expectedAssertions } from '../core/plan.ts'
import type { CommandRequest } from '../graders/grader.ts'
import { planGrade } from '../graders/registry.ts'
import { noteOrigin } from '../judge/origin.ts'
import type { AssertionDefinition, EvalResult, Execution, Grade, Outputs, PlannedRun, Problem } from '../model.ts'
import { allowEnvironment } from './environment.ts'
import type { Machine } from './execute.ts'
import { judgeAssertions } from './judge/grade.ts'
import type { Judge } from './judge/open.ts'
import { runProcess } from './process.ts'

/** Grades every expected assertion of one run: deterministic graders first, then the judge for the rest. */
export async function gradeRun(
	planned: PlannedRun,
	execution: Execution,
	judge: Judge | undefined,
	machine: Machine,
): Promise<EvalResult> {
	const { suite, evaluation } = planned
	const outputsDir = join(suite.workspace, `eval-${evaluation.id}`, 'outputs')
	const { failure, timing, problems } = execution
	if (failure) return collectFailure(evaluation, failure, timing, problems)
	const grades = new Map<number, Grade>()
	const expected = expectedAssertions(evaluation)
	for (const assertion of expected.filter(({ grader }) => grader !== 'judge')) {
		grades.set(assertion.index, await gradeOne(assertion, suite.evalsDir, outputsDir, execution.outputs, machine))
	}
	const forJudge = expected.filter(({ grader }) => grader === 'judge')
	const { outputs } = execution
	const judged = await judgeAssertions({ skill: suite.skill, evaluation, assertions: forJudge, outputs }, judge)
	for (const [index, grade] of judged.grades) grades.set(index, grade)
	const origin = { judgeModel: judge?.model, agentModel: execution.model, authors: evaluation.authors }
	const notes = forJudge.length === 0 ? [] : noteOrigin(origin)
	const said = notes.map((message): Problem => ({ code: 'judge-origin', severity: 'notice', message }))
	return collectGrades(evaluation, grades, timing, [...problems, ...judged.problems, ...said])
}

/** One assertion with a deterministic grader. In: where its definition lies, and the directory of the outputs, both absolute. */
export async function gradeOne(
	assertion: AssertionDefinition,
	evalsDir: string,
	outputsDir: string,
	outputs: Outputs,
	machine: Machine,
): Promise<Grade> {
	const plan = planGrade(assertion, outputs)
	return 'grade' in plan ? plan.grade : plan.finish(await runGrader(plan.request, evalsDir, outputsDir, machine))
}

function runGrader({ argv, timeoutMs }: CommandRequest, evalsDir: string, outputs: string, machine: Machine) {
	return runProcess({
		argv: argv.map((argument) => argument.replaceAll('{outputs}', () => outputs)),
		cwd: evalsDir,
		environment: { ...allowEnvironment(machine.environment, []), SKILL_EVAL_OUTPUTS: outputs },
		stdin: '',
		timeoutMs,
	})
}
