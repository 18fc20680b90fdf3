import { collectFailure, collectGrades } from '../core/collect.ts'
import { expectedAssertions } from '../core/plan.ts'
import type { AssertionDefinition, PlannedRun, Problem } from '../definition.ts'
import type { CommandRequest, Subjects } from '../graders/grader.ts'
import { planGrade } from '../graders/registry.ts'
import { noteOrigin } from '../judge/origin.ts'
import { groupByShown } from '../judge/shown.ts'
import type { EvalResult, Execution, Grade } from '../model.ts'
import { allowEnvironment } from './environment.ts'
import type { Machine } from './execute.ts'
import { judgeAssertions } from './judge/grade.ts'
import type { Judge } from './judge/open.ts'
import { runProcess } from './process.ts'
import { outputsDirectory } from './workspace.ts'

/** Grades every expected assertion of one run: deterministic graders first, then the judge for the rest. */
export async function gradeRun(
	planned: PlannedRun,
	execution: Execution,
	judge: Judge | undefined,
	machine: Machine,
): Promise<EvalResult> {
	const { suite, evaluation } = planned
	const { failure, timing, problems, outputs, transcript, transcriptFile } = execution
	if (failure) return collectFailure(evaluation, failure, timing, problems)
	const subjects: Subjects = { outputs, transcript, totalTokens: timing.totalTokens, artifact: suite.artifact?.text }
	const outputsDir = outputsDirectory(planned)
	const grades = new Map<number, Grade>()
	const expected = expectedAssertions(evaluation)
	for (const assertion of expected.filter(({ grader }) => grader !== 'judge')) {
		// A rule of an artifact names its script from the root of the repository, an evals file from beside itself.
		const directory = assertion.scope ? machine.places.cwd : suite.evalsDir
		grades.set(assertion.index, await gradeOne(assertion, { directory, outputsDir, transcriptFile }, subjects, machine))
	}
	const forJudge = expected.filter(({ grader }) => grader === 'judge')
	const shown = groupByShown(forJudge, subjects)
	for (const [index, grade] of shown.grades) grades.set(index, grade)
	for (const { assertions, transcriptText } of shown.groups) {
		const judged = await judgeAssertions({ skill: suite.skill, evaluation, assertions, outputs, transcriptText }, judge)
		for (const [index, grade] of judged.grades) grades.set(index, grade)
		problems.push(...judged.problems)
	}
	return collectGrades(evaluation, grades, timing, [...problems, ...noteOrigins(forJudge, execution, judge)])
}

function noteOrigins(assertions: AssertionDefinition[], { model, transcript }: Execution, judge: Judge | undefined): Problem[] {
	if (assertions.length === 0) return []
	const authors = [...new Set(assertions.flatMap((assertion) => assertion.authors ?? []))]
	const notes = noteOrigin({ judgeModel: judge?.model, agentModel: model ?? transcript?.model, authors })
	return notes.map((message): Problem => ({ code: 'judge-origin', severity: 'notice', message }))
}

/** One assertion with a deterministic grader. */
export async function gradeOne(
	assertion: AssertionDefinition,
	paths: GraderPaths,
	subjects: Subjects,
	machine: Machine,
): Promise<Grade> {
	const plan = planGrade(assertion, subjects)
	if ('grade' in plan) return plan.grade
	if (paths.transcriptFile === undefined && plan.request.argv.some((argument) => argument.includes('{trace}'))) {
		return { outcome: 'error', evidence: 'this command asks for the transcript ({trace}), and this run left none' }
	}
	return plan.finish(await runGrader(plan.request, paths, machine))
}

/** All absolute: where the command runs, the outputs, and the transcript if there is one. */
export type GraderPaths = { directory: string; outputsDir: string; transcriptFile?: string | undefined }

function runGrader({ argv, timeoutMs }: CommandRequest, paths: GraderPaths, machine: Machine) {
	const { directory, outputsDir, transcriptFile = '' } = paths
	const fill = (argument: string) =>
		argument.replaceAll(/\{(outputs|trace)\}/g, (_, name) => (name === 'trace' ? transcriptFile : outputsDir))
	return runProcess({
		argv: argv.map(fill),
		cwd: directory,
		environment: { ...allowEnvironment(machine.environment, []), SKILL_EVAL_OUTPUTS: outputsDir },
		stdin: '',
		timeoutMs,
	})
}
