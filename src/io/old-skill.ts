import { realpath } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import type { OldSkill, Problem, Suite } from '../definition.ts'
import type { Inputs } from '../inputs.ts'
import type { Event } from './event.ts'
import type { Machine } from './execute.ts'
import { isInside } from './files.ts'
import { openBaseCommit, readBaseCommit } from './git/base-commit.ts'
import { chooseBase } from './git/compared.ts'

/**
 * Where each suite's skill is in the base commit, if the arm `old_skill` is asked for. Without a base, or in a suite that has none there, this arm
 * does not run and a notice says so: it decides nothing.
 */
export async function findOldSkills(
	suites: Suite[],
	inputs: Inputs,
	{ places, environment, event }: Machine & { event: Event },
): Promise<{ suites: Suite[]; problems: Problem[] }> {
	if (!inputs.arms.includes('old_skill')) return { suites, problems: [] }
	const files = suites.map((suite) => join(suite.evalsDir, basename(suite.file)))
	const chosen = await chooseBase(event, inputs['base-ref'], { cwd: places.cwd, files, githubSha: environment.GITHUB_SHA })
	if (chosen.status !== 'compared') {
		const why = chosen.status === 'unreadable' ? chosen.message : 'no base commit is known here'
		return { suites, problems: [notice(`the evals did not run with the old skill: ${why}`)] }
	}
	const { repository, base } = chosen.compared
	const { tree, problems } = await openBaseCommit(repository, base)
	const [lost] = problems
	if (lost) return { suites, problems: [notice(`the evals did not run with the old skill: ${lost.message}`)] }
	const root = await realpath(repository)
	const place = async (suite: Suite): Promise<Suite> => {
		const path = toTreePath(suite.skillDir && (await realpath(suite.skillDir)), root)
		const has = path !== undefined && tree.get(path === '' ? 'SKILL.md' : `${path}/SKILL.md`)?.kind === 'file'
		return { ...suite, oldSkill: has ? { repository, base, path } : undefined }
	}
	const placed = await Promise.all(suites.map(place))
	const missing = placed.filter(({ oldSkill }) => oldSkill === undefined)
	return { suites: placed, problems: missing.map(({ file }) => notice('the base commit has no such skill: it is new', file)) }
}

/** The files of that skill, below `into`, as they are in the base commit. Throws if they cannot be read. */
export async function writeOldSkill({ repository, base, path }: OldSkill, into: string): Promise<string> {
	const isOfSkill = (each: string) => path === '' || each.startsWith(`${path}/`)
	const { problems } = await readBaseCommit(repository, base, into, (tree) => [...tree.keys()].filter(isOfSkill))
	const [lost] = problems
	if (lost) throw new Error(`the old skill could not be read: ${lost.message}`)
	return resolve(into, path)
}

function toTreePath(skillDir: string | undefined, repository: string): string | undefined {
	if (skillDir === undefined || !isInside(skillDir, repository)) return undefined
	return relative(repository, skillDir).split(sep).join('/')
}

function notice(message: string, file?: string): Problem {
	return { code: 'old-skill', severity: 'notice', file, message }
}
