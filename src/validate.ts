import type { Inputs } from './inputs.ts'
import { resolveFixtures } from './io/fixtures.ts'
import { findSuites, type Places, readDefinitions } from './io/suites.ts'
import type { DefinitionFormat, Problem, Suite, Verdict } from './model.ts'
import { plural } from './report/markdown.ts'

/** What was read of one definition file. */
export type Described = { file: string; format: DefinitionFormat; skill: string; evals: number; assertions: number }
export type Validation = {
	verdict: Verdict
	files: Described[]
	problems: Problem[]
}

/** Reads definitions and runs nothing: what was understood of each file, and everything that keeps it from being used. */
export async function validate(inputs: Inputs, places: Places): Promise<Validation> {
	const found = await findSuites(inputs, places)
	const read = await readDefinitions(found.files, inputs, places)
	const fixtures = await Promise.all(read.suites.map(resolveFixtures))
	const problems = [...found.problems, ...read.problems, ...fixtures.flatMap((each) => each.problems)]
	const isInvalid = problems.some(({ severity }) => severity === 'error')
	return { verdict: isInvalid ? 'invalid' : 'pass', files: read.suites.map(describe), problems }
}

function describe({ file, format, skill, evals }: Suite): Described {
	return {
		file,
		format,
		skill,
		evals: evals.length,
		assertions: evals.reduce((sum, { assertions }) => sum + assertions.length, 0),
	}
}

/** A line a file. */
export function renderValidation({ files, problems }: Validation): string {
	const lines = files.map(({ file, format, skill, evals, assertions }) => {
		const faults = problems.filter((problem) => problem.file === file && problem.severity === 'error').length
		return `${faults > 0 ? '⛔' : '✅'} ${file}: ${format}, ${skill}, ${plural(evals, 'eval')}, ${plural(assertions, 'assertion')}`
	})
	return lines.map((line) => `${line}\n`).join('')
}

/** For machines; versioned like result.json. */
export function formatValidation({ verdict, files, problems }: Validation): string {
	return `${JSON.stringify({ schemaVersion: 1, verdict, files, problems }, undefined, 2)}\n`
}
