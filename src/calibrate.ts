import { realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { AssertionDefinition } from './definition.ts'
import { type Labels, parseLabels } from './formats/labels.ts'
import { InputError, type Inputs } from './inputs.ts'
import type { Machine } from './io/execute.ts'
import { describeError, isInside, readText, showPath } from './io/files.ts'
import { judgeAssertions } from './io/judge/grade.ts'
import { type Judge, openJudge } from './io/judge/open.ts'
import { readOutputs } from './io/outputs.ts'
import { type Calibration, calibrate, judgeCalibration, type Labelled, type Limits } from './judge/calibration.ts'

/** One label on which the judge differed or measured nothing. */
export type Differing = { outputs: string; text: string; expected: boolean; outcome: string; evidence: string }
export type CalibrationResult = {
	verdict: 'pass' | 'fail' | 'incomplete'
	judge: string
	model?: string | undefined
	limits: Limits
	calibration: Calibration
	differing: Differing[]
}

/**
 * Lets the configured judge grade stored outputs whose right answers a person has written down.
 * Throws an InputError for a labels file, a judge or outputs that cannot be used.
 */
export async function calibrateJudge(path: string, inputs: Inputs, machine: Machine): Promise<CalibrationResult> {
	const { cwd } = machine.places
	const file = resolve(cwd, path)
	const read = await readText(file, dirname(file))
	if (read.status !== 'read')
		throw new InputError(
			`${showPath(file, cwd)} ${read.status === 'missing' ? 'does not exist' : `cannot be read: ${read.reason}`}`,
		)
	const parsed = parseLabels(read.text)
	if ('faults' in parsed) throw new InputError(parsed.faults.map((fault) => `${showPath(file, cwd)}: ${fault}`).join('\n'))
	const judge = openJudge(inputs, machine)
	if (!judge) throw new InputError('input "judge" is missing: it says which judge is measured')
	const { cases, limits } = parsed.labels
	const labelled: Labelled[] = []
	const differing: Differing[] = []
	for (const [at, each] of cases.entries()) {
		const graded = await gradeCase(each, at, dirname(file), judge)
		for (const { label, outcome, evidence } of graded) {
			const judged = outcome === 'error' ? undefined : outcome === 'pass'
			labelled.push({ expected: label.passed, judged })
			if (judged !== label.passed)
				differing.push({ outputs: each.outputs, text: label.text, expected: label.passed, outcome, evidence })
		}
	}
	const calibration = calibrate(labelled)
	return { verdict: judgeCalibration(calibration, limits), judge: judge.name, model: judge.model, limits, calibration, differing }
}

async function gradeCase({ outputs, prompt, assertions }: Labels['cases'][number], at: number, directory: string, judge: Judge) {
	if (!isInside(resolve(directory, outputs), directory))
		throw new InputError(`cases.${at}: the outputs ${outputs} lie outside of the directory of the labels: name a directory in it`)
	const read = await realpath(directory)
		.then((root) => readOutputs(outputs.replace(/^\.\/|\/+$/g, ''), root))
		.catch((error: unknown) => ({ files: [], refused: describeError(error) }))
	if (read.refused !== undefined) throw new InputError(`cases.${at}: the outputs ${outputs} cannot be read: ${read.refused}`)
	if (read.files.length === 0) throw new InputError(`cases.${at}: there is no file in ${outputs}`)
	const definitions = assertions.map(toDefinition)
	const evaluation = { id: String(at + 1), prompt, files: [], assertions: definitions, pointer: `/cases/${at}` }
	const { grades } = await judgeAssertions({ skill: '', evaluation, assertions: definitions, outputs: read }, judge)
	return assertions.map((label, index) => {
		const { outcome, evidence } = grades.get(index + 1) ?? { outcome: 'error' as const, evidence: 'the judge gave no result' }
		return { label, outcome, evidence }
	})
}

function toDefinition({ text, hint }: Labels['cases'][number]['assertions'][number], at: number): AssertionDefinition {
	const fixed = { severity: 'error', type: 'regression', weight: 1, skip: false, grader: 'judge', options: {} } as const
	return { ...fixed, index: at + 1, text, hint, target: { source: 'outputs' }, pointer: `/assertions/${at}` }
}
