import { basename, dirname, join, resolve } from 'node:path'
import { glob, isDynamicPattern } from 'tinyglobby'
import { appendRules, implicitRule, SESSION_ID } from '../core/apply-block.ts'
import { applyPolicy } from '../core/apply-policy.ts'
import { parseBaselinePlace } from '../core/baseline-place.ts'
import { checkGraders } from '../core/check-definitions.ts'
import type { Policy, Problem, Read, Suite, SuiteDefinition } from '../definition.ts'
import { parseEvals } from '../formats/evals.ts'
import { parsePolicy } from '../formats/policy.ts'
import type { Inputs } from '../inputs.ts'
import { ArtifactReader, type ReadArtifact } from './artifacts.ts'
import { exists, isInside, readText, showPath, unreadable } from './files.ts'
import { resolveFixtures } from './fixtures.ts'
import { checkSkill, findSkill } from './skill.ts'
import { prepareWorkspace } from './workspace.ts'

export const POLICY_FILE = '.github/skill-evals.yml'

export type Places = { cwd: string; temp: string }

/** The evals files that the patterns name, absolute and sorted. A pattern that finds nothing is a problem: a renamed file must not leave the gate unseen. */
export async function findSuites(inputs: Inputs, { cwd }: Places): Promise<{ files: string[]; problems: Problem[] }> {
	const files = new Set<string>()
	const problems: Problem[] = []
	for (const pattern of inputs.evals) {
		// A path that somebody wrote must be there; of the default places one is enough.
		const found =
			inputs.defaultEvals || isDynamicPattern(pattern)
				? await glob(pattern, {
						cwd,
						absolute: true,
						dot: true,
						followSymbolicLinks: false,
						ignore: ['**/node_modules/**', '**/.git/**'],
					})
				: [resolve(cwd, pattern)]
		for (const file of found) files.add(resolve(file))
		if (found.length === 0 && !inputs.defaultEvals && !inputs['allow-empty']) {
			problems.push({
				code: 'evals-missing',
				severity: 'error',
				message: `no file matches the evals pattern ${pattern}`,
				hint: 'correct the input "evals"',
			})
		}
	}
	if (files.size === 0 && problems.length === 0 && !inputs['allow-empty']) {
		const hint = 'name the file with the input "evals", or set allow-empty: true'
		problems.push({
			code: 'evals-missing',
			severity: 'error',
			message: `no evals were found; looked for ${inputs.evals.join(', ')}`,
			hint,
		})
	}
	return { files: [...files].sort(), problems }
}

/** Every definition, with the places that belong to it. A file that cannot be used gives problems and no suite. */
export async function readDefinitions(
	files: string[],
	inputs: Inputs,
	places: Places,
): Promise<{ suites: Suite[]; problems: Problem[] }> {
	const read: Read<Suite>[] = []
	const artifacts = new ArtifactReader(places.cwd)
	for (const path of files) {
		const isArtifact = /\.mdc?$/i.test(path)
		read.push(
			isArtifact ? await readBlockSuite(path, artifacts, inputs, places) : await readSuite(path, artifacts, inputs, places),
		)
	}
	const suites = read.flatMap(({ value }) => value ?? [])
	const problems = [...artifacts.problems, ...read.flatMap((each) => each.problems)]
	if (inputs.defaultEvals) problems.push(...(await artifacts.findLone(suites.flatMap(({ skillDir }) => skillDir ?? []))))
	const policy = await readPolicy(places.cwd)
	const applied = applyPolicy(suites, policy.value)
	return { suites: applied.suites, problems: [...problems, ...policy.problems, ...applied.problems, ...findCollisions(suites)] }
}

/** A suite of an evals file; the rules of its skill's block are the last assertions of each eval. */
async function readSuite(path: string, artifacts: ArtifactReader, inputs: Inputs, places: Places): Promise<Read<Suite>> {
	const shown = showPath(path, places.cwd)
	const read = await readText(path, isInside(path, places.cwd) ? places.cwd : dirname(path))
	if (read.status !== 'read') {
		const hint = 'correct the input "evals", or restore the file'
		return { problems: [{ ...unreadable('evals-unreadable', shown, read), hint }] }
	}
	const { value: definition, problems } = parseEvals(read.text, shown, nameByDirectory(path))
	if (!definition) return { problems }
	const suite = await placeSuite(definition, path, inputs, places)
	const { artifact, rules } = await findArtifact(suite, artifacts)
	const appended = appendRules(suite.evals, rules, shown)
	const value = { ...suite, evals: appended.evals, artifact }
	const misplaced = await checkSkill(suite, inputs, places.cwd)
	return { value, problems: [...problems, ...checkGraders(definition), ...misplaced, ...appended.problems] }
}

/** A suite without a SKILL.md has no block; where an agent needs one, its absence is said there. */
async function findArtifact({ skillDir }: Suite, artifacts: ArtifactReader): Promise<ReadArtifact> {
	const path = skillDir === undefined ? undefined : join(skillDir, 'SKILL.md')
	return path !== undefined && (await exists(path)) ? artifacts.read(path) : { rules: [] }
}

/** A suite of an artifact's block alone: its only eval is a session that was recorded elsewhere, because a block has no prompt. */
async function readBlockSuite(path: string, artifacts: ArtifactReader, inputs: Inputs, places: Places): Promise<Read<Suite>> {
	const { artifact, rules: declared } = await artifacts.read(path)
	if (!artifact || artifact.block?.skip) return { problems: [] }
	const { file, name } = artifact
	const isSilent = artifact.block === undefined || artifact.block.entries.length === 0
	const rules = isSilent && inputs.judge !== 'none' ? [implicitRule(artifact)] : declared
	if (isSilent && rules.length === 0) {
		const message = 'this artifact declares no evals, and without a judge there is nothing else to grade'
		const hint = 'declare metadata.evals, or set the input "judge"'
		return { problems: [{ code: 'block-missing', severity: 'error', file, line: 1, message, hint }] }
	}
	const session = { id: SESSION_ID, prompt: '', files: [], assertions: [], line: rules[0]?.line, pointer: '' }
	const { evals } = appendRules([session], rules, file)
	const definition: SuiteDefinition = { skill: toSkillName(name), file, format: 'metadata.evals', evals }
	const suite = { ...(await placeSuite(definition, path, inputs, places)), artifact }
	return { value: rules.length > 0 ? suite : undefined, problems: [] }
}

/** Names of agents and rules files go where a skill's name goes: into headings and directories. */
function toSkillName(name: string): string {
	const plain = name.replace(/[^A-Za-z0-9 ._:-]+/g, '-').slice(0, 100)
	return /^[A-Za-z0-9]/.test(plain) ? plain : `artifact-${plain}`.slice(0, 100)
}

function refuseToRun({ file }: Suite): Problem {
	const message = 'a metadata.evals block has no prompt that an agent could be given'
	const hint = 'add evals/evals.json with prompts, or grade a recorded session with agent: none'
	return { code: 'block-without-prompt', severity: 'error', file, line: 1, message, hint }
}

/** The repository's policy, if it has one. */
export async function readPolicy(cwd: string): Promise<Read<Policy>> {
	const read = await readText(join(cwd, POLICY_FILE), cwd)
	if (read.status === 'missing') return { problems: [] }
	return read.status === 'read'
		? parsePolicy(read.text, POLICY_FILE)
		: { problems: [unreadable('policy-unreadable', POLICY_FILE, read)] }
}

/** `skills/x/evals/evals.json` and `evals/x/evals.json` are both about x. */
export function nameByDirectory(path: string): string {
	const directory = dirname(path)
	return basename(directory) === 'evals' ? basename(dirname(directory)) : basename(directory)
}

async function placeSuite(definition: SuiteDefinition, path: string, inputs: Inputs, places: Places): Promise<Suite> {
	const name = (text: string) => text.replaceAll('{temp}', () => places.temp).replaceAll('{skill}', () => slug(definition.skill))
	const fill = (text: string) => resolve(places.cwd, name(text))
	const workspace = fill(inputs.workspace)
	return {
		...definition,
		evalsDir: dirname(path),
		skillDir: inputs.skill === undefined ? await findSkill(definition.skill, dirname(path), places.cwd) : fill(inputs.skill),
		workspace,
		runsDir: `${workspace}.runs`,
		baseline: inputs.baseline === undefined ? undefined : placeBaseline(name(inputs.baseline), places.cwd),
		fixtures: new Map(),
	}
}

/** What is no directory of this machine is left as it is. */
export function placeBaseline(text: string, cwd: string): string {
	return parseBaselinePlace(text)?.kind === 'directory' ? resolve(cwd, text) : text
}

/** A name as one path segment. Names begin with a letter or digit, so none becomes `..`. */
function slug(skill: string): string {
	return skill.replaceAll(/[^A-Za-z0-9._-]+/g, '-')
}

/** Two suites in one workspace would overwrite each other's results, or pass with them. */
function findCollisions(suites: Suite[]): Problem[] {
	const seen = new Map<string, Suite>()
	return suites.flatMap((suite) => {
		const places = [suite.workspace, suite.runsDir].map((place) => place.toLowerCase())
		const first = places.map((place) => seen.get(place)).find((other) => other !== undefined)
		for (const place of places) seen.set(place, first ?? suite)
		if (!first) return []
		const message = `this suite shares the directory of its results with ${first.file}: ${suite.workspace}`
		const hint = 'give the skills different names, and put {skill} into the input "workspace"'
		return [{ code: 'workspace-shared', severity: 'error' as const, file: suite.file, message, hint }]
	})
}

/** Where `{skill}` stands in the workspace template, everything above it is common to all suites. */
export function commonDirectory(inputs: Inputs, places: Places): string {
	const fixed = inputs.workspace.replaceAll('{temp}', () => places.temp).split('{skill}')[0] ?? ''
	const directory = resolve(places.cwd, fixed.endsWith('/') ? fixed : dirname(fixed))
	return directory
}

/** Finds the evals' input files and clears the workspaces, if something is going to run. Nothing is touched once anything is invalid. */
export async function prepareSuites(
	suites: Suite[],
	inputs: Inputs,
	cwd: string,
	found: Problem[],
): Promise<{ suites: Suite[]; problems: Problem[] }> {
	const problems = [...found]
	if (inputs.mode === 'report' || inputs.agent === 'none') return { suites, problems }
	const resolved = await Promise.all(suites.map(resolveFixtures))
	problems.push(...resolved.flatMap((each) => each.problems))
	problems.push(...suites.filter(({ format }) => format === 'metadata.evals').map(refuseToRun))
	for (const suite of suites) {
		if (problems.some(({ severity }) => severity === 'error')) break
		problems.push(...(await prepareWorkspace(suite, cwd)))
	}
	return { suites: resolved.map((each) => each.suite), problems }
}
