import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isDynamicPattern } from 'tinyglobby'
import type { Watched } from '../core/contract-files.ts'
import { followLinks, type Tree } from '../core/tree.ts'
import type { AssertionDefinition, EvalDefinition, Problem, Suite } from '../definition.ts'
import type { Inputs } from '../inputs.ts'
import { isInside } from './files.ts'

/** What definitions and policies are written in, where a pattern does not say it. */
const DEFINITION = /\.(json|ya?ml|mdc?)$/i
/** What the readers of definitions look for beside what `evals` names. */
const BESIDE = /(^|\/)(SKILL\.md|[^/]*\.meta\.yaml|manni\.config\.yaml|\.github\/skill-evals\.yml)$/
/** It may name any file as the place of an artifact's rules. */
const MANIFEST_CONFIG = /(^|\/)manni\.config\.yaml$/

/** Where base is laid out: its working directory, and the top of its tree (`treeDir`); all absolute. */
export type BasePlaces = { cwd: string; treeDir: string }

/** Of all files of base those that its definitions may be in: a large repository is not read whole. */
export function selectDefinitions(tree: Tree, patterns: string[]): string[] {
	const paths = [...tree.keys()]
	const anywhere = paths.some((path) => MANIFEST_CONFIG.test(path)) ? DEFINITION : BESIDE
	const names = patterns.map((pattern) => toNamePattern(pattern.split('/').at(-1) ?? ''))
	return paths.filter((path) => anywhere.test(path) || names.some((name) => name.test(basename(path))))
}

function toNamePattern(name: string): RegExp {
	if (!/^[\w .*-]+$/.test(name)) return DEFINITION
	return new RegExp(`^${name.replaceAll('.', '\\.').replaceAll(/\*+/g, '.*')}$`, 'i')
}

/** The inputs with absolute paths into the repository made relative: they would name the files of head. Nothing of base is run, so that a skill may be missing there. */
export function moveInputs(inputs: Inputs, cwd: string, repository: string): Inputs {
	const move = (text: string) => (isAbsolute(text) && isInside(text, repository) ? toSlashes(relative(cwd, text)) : text)
	const { skill, baseline } = inputs
	return {
		...inputs,
		mode: 'report',
		evals: inputs.evals.map(move),
		skill: skill && move(skill),
		baseline: baseline && move(baseline),
	}
}

/** Where definitions of base may be that this repository does not hold: in a submodule that is another one in head, or behind a link that leaves it. */
export function findLost(patterns: string[], base: Tree, head: Tree, places: BasePlaces): Problem[] {
	const modules = [...base].filter(([path, { kind, id }]) => kind === 'module' && head.get(path)?.id !== id).map(([path]) => path)
	return patterns.flatMap((pattern) => {
		const prefix = toTreePath(resolve(places.cwd, fixedPart(pattern)), places)
		if (prefix === undefined) return []
		const real = followLinks(base, prefix)
		if (real === undefined) return [lose('a link of the base commit on the way to the evals leaves the repository', prefix)]
		const module = modules.find((path) => isBelow(path, real) || isBelow(real, path))
		return module === undefined
			? []
			: [lose('evals may be in a submodule that this pull request changes, which cannot be compared', module)]
	})
}

function lose(message: string, file: string): Problem {
	return { code: 'base-unreadable', severity: 'error', message, file }
}

function fixedPart(pattern: string): string {
	const parts = pattern.split('/')
	const dynamic = parts.findIndex((part) => isDynamicPattern(part))
	return (dynamic < 0 ? parts : parts.slice(0, dynamic)).join('/')
}

function isBelow(path: string, directory: string): boolean {
	return directory === '' || path === directory || path.startsWith(`${directory}/`)
}

/** Files that decide what the definitions of base are worth: input files, programs of command graders, baselines, the policy. */
export function listWatched(suites: Suite[], policyFile: string, places: BasePlaces): Watched[] {
	const watch = (where: string, what: string, path: string, line?: number): Watched[] => {
		const inTree = toTreePath(path, places)
		return inTree === undefined || inTree === '' ? [] : [{ where, what, path: inTree, line }]
	}
	const ofSuite = (suite: Suite) => [
		...suite.evals.flatMap((evaluation) => [
			...listFixtures(suite, evaluation).flatMap((path) => watch(`${suite.skill} eval-${evaluation.id}`, 'an input file', path)),
			...evaluation.assertions.flatMap((assertion) =>
				listPrograms(assertion, assertion.scope ? places.cwd : suite.evalsDir).flatMap((path) =>
					watch(`${suite.skill} eval-${evaluation.id} assertion ${assertion.index}`, 'a program that grades', path),
				),
			),
		]),
		...(suite.baseline === undefined ? [] : watch(suite.skill, 'the baseline', suite.baseline)),
	]
	return [...suites.flatMap(ofSuite), ...watch('', 'the policy', join(places.cwd, policyFile))]
}

function listFixtures({ evalsDir, skillDir }: Suite, { files }: EvalDefinition): string[] {
	return [evalsDir, ...(skillDir ? [skillDir] : [])].flatMap((directory) => files.map((file) => resolve(directory, file)))
}

/** Each argument could name a file of the repository, `--option=file` too; those that do not are not in its tree. */
function listPrograms({ grader, options }: AssertionDefinition, directory: string): string[] {
	const { command } = options
	if (grader !== 'command' || !Array.isArray(command)) return []
	return command.flatMap((argument) => {
		const text = String(argument)
		const value = /^-[^=]*=(.+)$/.exec(text)?.[1] ?? text
		return value.startsWith('-') || value === '.' ? [] : [resolve(directory, value)]
	})
}

/** From the top of the repository; undefined outside of it. */
function toTreePath(path: string, { treeDir }: BasePlaces): string | undefined {
	return isInside(path, treeDir) ? toSlashes(relative(treeDir, path)) : undefined
}

function toSlashes(path: string): string {
	return sep === '/' ? path : path.replaceAll(sep, '/')
}
