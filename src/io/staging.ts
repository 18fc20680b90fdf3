import { cp, lstat, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { Task } from '../agents/agent.ts'
import type { Arm, PlannedRun, Suite } from '../definition.ts'
import { isInside } from './files.ts'
import { writeOldSkill } from './old-skill.ts'

/** Answers, history and tools of the repository have no place beside an agent that is being tested. */
const NEVER_STAGED = new Set(['evals', 'node_modules', '.git'])

/** `home` is beside the directory, not in it: a known agent keeps its own settings and logs there. */
export type Stage = { directory: string; home: string; outputs: string; task: Task }

/** A fresh directory for one run: the eval's files, the skill without its evals, an empty `outputs/`. Nothing else of the repository is in it. */
export async function stageRun(planned: PlannedRun, skillPlaces: string[], temp: string): Promise<Stage> {
	await mkdir(temp, { recursive: true })
	// Resolved, because an agent that asks for its working directory gets the resolved path, and to see later that it is still the same.
	const directory = await realpath(await mkdtemp(join(temp, 'skill-eval-')))
	try {
		const home = await realpath(await mkdtemp(join(temp, 'skill-eval-home-')))
		return { ...(await fillStage(planned, skillPlaces, directory)), home }
	} catch (error) {
		await rm(directory, { recursive: true, force: true })
		throw error
	}
}

/** A directory that cannot be removed (a read-only module cache) says nothing about the run. */
export async function removeStage({ directory, home }: Stage): Promise<void> {
	for (const place of [directory, home]) await rm(place, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

async function fillStage({ suite, evaluation, arm }: PlannedRun, skillPlaces: string[], directory: string) {
	const fixtures = suite.fixtures.get(evaluation.id) ?? []
	for (const { declared, path } of fixtures) await copyTree(path, join(directory, declared), () => true)
	const outputs = join(directory, 'outputs')
	await mkdir(outputs)
	const skillPath = await placeArm(suite, arm, skillPlaces, directory)
	return {
		directory,
		outputs,
		task: {
			skill: suite.skill,
			skillPath,
			prompt: evaluation.prompt,
			files: fixtures.map(({ declared }) => declared),
			template: suite.wording?.text,
		},
	}
}

async function placeArm(suite: Suite, arm: Arm, places: string[], directory: string): Promise<string | undefined> {
	const { skillDir, oldSkill } = suite
	if (arm === 'without_skill' || skillDir === undefined) return undefined
	if (arm === 'with_skill') return placeSkill(suite, { from: skillDir, hidden: findHidden(suite) }, places, directory)
	if (!oldSkill) throw new Error('the base commit has no such skill')
	// Beside the directory, so that nothing of base but the skill is in it.
	const base = await realpath(await mkdtemp(`${directory}-base-`))
	try {
		const from = await writeOldSkill(oldSkill, base)
		const hidden = findHidden(suite).map((path) => join(from, relative(skillDir, path)))
		return await placeSkill(suite, { from, hidden }, places, directory)
	} finally {
		await rm(base, { recursive: true, force: true })
	}
}

/** Where the agent looks for skills, and nowhere else. Out: the first of these places. */
async function placeSkill(
	{ skill }: Suite,
	{ from, hidden: all }: { from: string; hidden: string[] },
	places: string[],
	directory: string,
): Promise<string> {
	const name = (skill.split(':').at(-1) ?? skill).replaceAll(/[^A-Za-z0-9._-]+/g, '-')
	const hidden = new Set(all.filter((path) => !isInside(from, path)))
	const isAllowed = (path: string) => !hidden.has(path) && !(dirname(path) === from && NEVER_STAGED.has(basename(path)))
	for (const place of places) await copyTree(from, join(directory, place, name), isAllowed)
	return `${places[0]}/${name}`
}

/** Whatever holds answers, where a skill's directory is that of its evals or the whole repository: evals, results of this and other suites, baselines. */
function findHidden({ file, evalsDir, workspace, runsDir, baseline }: Suite): string[] {
	const results = [dirname(workspace), workspace, runsDir, join(dirname(workspace), 'result.json')]
	const past =
		baseline === undefined ? [] : [baseline, ...(basename(dirname(baseline)) === 'baselines' ? [dirname(baseline)] : [])]
	return [evalsDir, join(evalsDir, basename(file)), ...results, ...past]
}

/** Regular files and directories only: a link could lead the agent out of its directory. */
async function copyTree(from: string, to: string, isAllowed: (path: string) => boolean): Promise<void> {
	await mkdir(dirname(to), { recursive: true })
	const filter = async (path: string) => {
		const stat = await lstat(path)
		return (stat.isFile() || stat.isDirectory()) && isAllowed(path)
	}
	await cp(from, to, { recursive: true, filter })
}
