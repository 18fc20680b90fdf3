import { join, resolve } from 'node:path'
import type { DefinitionFormat, Problem, Suite } from './definition.ts'
import type { Inputs } from './inputs.ts'
import { isDirectory, showPath } from './io/files.ts'
import { resolveFixtures } from './io/fixtures.ts'
import { readGrading } from './io/gradings.ts'
import { findLayout } from './io/layout.ts'
import { findSuites, type Places, readDefinitions } from './io/suites.ts'
import type { Verdict } from './model.ts'
import { plural } from './report/markdown.ts'

/** What was read of one definition file, and the artifact whose rules its evals have too. */
export type DescribedFile = {
	file: string
	format: DefinitionFormat
	skill: string
	evals: number
	assertions: number
	artifact?: string | undefined
}
/** What was read of one workspace: evals found there, gradings that can be used, and their rows. */
export type DescribedWorkspace = { directory: string; evals: number; gradings: number; rows: number }
export type Validation = { verdict: Verdict; files: DescribedFile[]; workspaces: DescribedWorkspace[]; problems: Problem[] }

/** Reads definitions, and the results in the directories that are named, and runs nothing: what was understood, and everything that cannot be used. */
export async function validate(inputs: Inputs, places: Places): Promise<Validation> {
	const named = await Promise.all(
		inputs.evals.map(async (path) => ({ path, isWorkspace: await isDirectory(resolve(places.cwd, path)) })),
	)
	const patterns = named.filter(({ isWorkspace }) => !isWorkspace).map(({ path }) => path)
	const directories = inputs.defaultEvals
		? []
		: named.filter(({ isWorkspace }) => isWorkspace).map(({ path }) => resolve(places.cwd, path))
	const found =
		directories.length > 0 && patterns.length === 0
			? { files: [], problems: [] }
			: await findSuites({ ...inputs, evals: patterns }, places)
	const read = await readDefinitions(found.files, inputs, places)
	const fixtures = await Promise.all(read.suites.map(resolveFixtures))
	const workspaces = await Promise.all(directories.map((directory) => describeWorkspace(directory, places.cwd)))
	const problems = [found, read, ...fixtures, ...workspaces].flatMap((each) => each.problems)
	const isInvalid = problems.some(({ severity }) => severity === 'error')
	return {
		verdict: isInvalid ? 'invalid' : 'pass',
		files: read.suites.map((suite) => describeFile(suite, places.cwd)),
		workspaces: workspaces.map(({ described }) => described),
		problems,
	}
}

function describeFile({ file, format, skill, evals, skillDir }: Suite, cwd: string): DescribedFile {
	return {
		artifact: skillDir === undefined ? undefined : showPath(join(skillDir, 'SKILL.md'), cwd),
		file,
		format,
		skill,
		evals: evals.length,
		assertions: evals.reduce((sum, { assertions }) => sum + assertions.length, 0),
	}
}

/** Every grading of a workspace by itself: without a definition nobody can say what is missing. */
async function describeWorkspace(
	directory: string,
	cwd: string,
): Promise<{ described: DescribedWorkspace; problems: Problem[] }> {
	const layout = await findLayout(directory, [], cwd)
	const problems = [...layout.problems, ...layout.unassigned]
	const described: DescribedWorkspace = { directory: showPath(directory, cwd), evals: layout.evals.size, gradings: 0, rows: 0 }
	for (const place of layout.evals.values()) {
		problems.push(...place.problems, ...(place.fault ? [place.fault] : []))
		for (const run of place.fault ? [] : place.runs) {
			const read = await readGrading(run.directory, directory, cwd)
			problems.push(...read.problems)
			if ('failure' in read) {
				const { sentence, file, line, hint } = read.failure
				problems.push({ code: 'grading-unusable', severity: 'error', message: sentence, file, line, hint })
				continue
			}
			described.gradings++
			described.rows += read.grading.rows.length
			// In a report the row's outcome blocks at its assertion's severity; here nobody knows it, so that it counts as the worst.
			const lost = read.grading.rows.filter(({ outcome }) => outcome === 'error').length
			if (lost > 0)
				problems.push({
					code: 'grading-row',
					severity: 'error',
					file: read.file,
					message: `${plural(lost, 'row')} without a result`,
				})
		}
	}
	if (layout.evals.size === 0) {
		const message = 'there are no results here that can be read'
		const hint = 'expected eval-<id>/grading.json, or skill-creator’s iteration-N/eval-<id>/with_skill/'
		problems.push({ code: 'workspace-empty', severity: 'error', file: described.directory, message, hint })
	}
	return { described, problems }
}

/** A line a file, a line a workspace. */
export function renderValidation({ files, workspaces, problems }: Validation): string {
	const isFaulty = (place: string) =>
		problems.some(({ file, severity }) => severity === 'error' && (file === place || file?.startsWith(`${place}/`)))
	const lines = [
		...files.map(({ file, format, skill, evals, assertions, artifact }) => {
			const isFit = !isFaulty(file) && (artifact === undefined || !isFaulty(artifact))
			return `${isFit ? '✅' : '⛔'} ${file}: ${format}, ${skill}, ${plural(evals, 'eval')}, ${plural(assertions, 'assertion')}`
		}),
		...workspaces.map(({ directory, evals, gradings, rows }) => {
			return `${isFaulty(directory) ? '⛔' : '✅'} ${directory}: results of ${plural(evals, 'eval')}, ${plural(gradings, 'usable grading')}, ${plural(rows, 'row')}`
		}),
	]
	return lines.map((line) => `${line}\n`).join('')
}

/** For machines; versioned like result.json. */
export function formatValidation({ verdict, files, workspaces, problems }: Validation): string {
	return `${JSON.stringify({ schemaVersion: 1, verdict, files, workspaces, problems }, undefined, 2)}\n`
}
