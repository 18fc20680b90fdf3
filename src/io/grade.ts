import { join } from 'node:path'
import { collectFailure, collectGrades } from '../core/collect.ts'
import { expectedAssertions } from '../core/plan.ts'
import type { CommandRequest } from '../graders/grader.ts'
import { planGrade } from '../graders/registry.ts'
import type { Inputs } from '../inputs.ts'
import { distrustFails, parseAnswer } from '../judge/answer.ts'
import { buildRequest, type JudgeRequest } from '../judge/request.ts'
import type { AssertionDefinition, EvalResult, Execution, Grade, PlannedRun } from '../model.ts'
import { allowEnvironment } from './environment.ts'
import type { Machine } from './execute.ts'
import { runProcess } from './process.ts'

/** Grades every expected assertion of one run: deterministic graders first, then one call of the judge for the rest. */
export async function gradeRun(planned: PlannedRun, execution: Execution, inputs: Inputs, machine: Machine): Promise<EvalResult> {
	const { evaluation } = planned
	const { failure, timing, problems } = execution
	if (failure) return collectFailure(evaluation, failure, timing, problems)
	const grades = new Map<number, Grade>()
	const expected = expectedAssertions(evaluation)
	for (const assertion of expected.filter(({ grader }) => grader !== 'judge')) {
		grades.set(assertion.index, await gradeOne(assertion, planned, execution, machine))
	}
	const forJudge = expected.filter(({ grader }) => grader === 'judge')
	const judged = await judgeAll(forJudge, planned, execution, inputs, machine)
	for (const [at, assertion] of forJudge.entries())
		grades.set(assertion.index, judged[at] ?? notGraded('the judge gave no result'))
	return collectGrades(evaluation, grades, timing, problems)
}

function notGraded(evidence: string): Grade {
	return { outcome: 'error', evidence }
}

async function gradeOne(
	assertion: AssertionDefinition,
	{ suite, evaluation }: PlannedRun,
	{ outputs, transcript, transcriptFile, timing }: Execution,
	machine: Machine,
): Promise<Grade> {
	const subjects = { outputs, transcript, totalTokens: timing.totalTokens, artifact: suite.artifact?.text }
	const plan = planGrade(assertion, subjects)
	if ('grade' in plan) return plan.grade
	if (transcriptFile === undefined && plan.request.argv.some((argument) => argument.includes('{trace}'))) {
		return notGraded('this command asks for the transcript ({trace}), and this run left none')
	}
	const paths = { outputs: join(suite.workspace, `eval-${evaluation.id}`, 'outputs'), trace: transcriptFile ?? '' }
	return plan.finish(await runGrader(plan.request, suite.evalsDir, paths, machine))
}

type GraderPaths = { outputs: string; trace: string }

function runGrader({ argv, timeoutMs }: CommandRequest, evalsDir: string, { outputs, trace }: GraderPaths, machine: Machine) {
	const fill = (argument: string) =>
		argument.replaceAll(/\{(outputs|trace)\}/g, (_, name) => (name === 'trace' ? trace : outputs))
	return runProcess({
		argv: argv.map(fill),
		cwd: evalsDir,
		environment: { ...allowEnvironment(machine.environment, []), SKILL_EVAL_OUTPUTS: outputs },
		stdin: '',
		timeoutMs,
	})
}

/** One grade an assertion, in order. Whatever keeps the judge from answering leaves all of them unmeasured. */
async function judgeAll(
	assertions: AssertionDefinition[],
	{ suite, evaluation }: PlannedRun,
	execution: Execution,
	inputs: Inputs,
	machine: Machine,
): Promise<Grade[]> {
	if (assertions.length === 0) return []
	const argv = inputs.judge === 'command' ? inputs['judge-command'] : undefined
	if (!argv)
		return assertions.map(() =>
			notGraded('no judge configured: set the input "judge", or give the assertion a deterministic grader'),
		)
	const request = buildRequest(suite.skill, evaluation, assertions, execution.outputs)
	const first = await askJudge(argv, request, inputs, machine)
	const answer = 'repair' in first ? await askJudge(argv, { ...request, repair: first.repair }, inputs, machine) : first
	if ('grades' in answer) return distrustFails(answer.grades, request.notShownWhole)
	const why = 'repair' in answer ? `the judge's answer is not usable, twice: ${answer.repair}` : answer.failure
	return assertions.map(() => notGraded(why))
}

type Asked = { grades: Grade[] } | { repair: string } | { failure: string }

async function askJudge(argv: string[], request: JudgeRequest, inputs: Inputs, machine: Machine): Promise<Asked> {
	const end = await runProcess({
		argv,
		cwd: machine.places.cwd,
		environment: allowEnvironment(machine.environment, inputs['judge-env']),
		stdin: `${JSON.stringify(request)}\n`,
		timeoutMs: inputs.timeout * 1000,
	})
	const why =
		end.failure ??
		(end.signal
			? `was ended by ${end.signal}`
			: end.exitCode === 0
				? undefined
				: `ended with exit status ${end.exitCode ?? 'unknown'}`)
	if (why !== undefined)
		return { failure: `the judge ${why}${end.stderr.trim() === '' ? '' : `: ${end.stderr.trim().slice(-300)}`}` }
	const answer = parseAnswer(end.stdout, request)
	return 'grades' in answer ? answer : { repair: answer.fault }
}
