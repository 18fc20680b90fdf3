import { cp, lstat, mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Task } from '../agents/agent.ts'
import type { PlannedRun } from '../model.ts'

/** Answers, history and tools of the repository have no place beside an agent that is being tested. */
const NEVER_STAGED = new Set(['evals', 'node_modules', '.git'])

export type Stage = { directory: string; outputs: string; task: Task }

/** A fresh directory for one run: the eval's files, the skill without its evals, an empty `outputs/`. Nothing else of the repository is in it. */
export async function stageRun({ suite, evaluation }: PlannedRun, temp: string): Promise<Stage> {
	await mkdir(temp, { recursive: true })
	// Resolved, because an agent that asks for its working directory gets the resolved path.
	const directory = await realpath(await mkdtemp(join(temp, 'skill-eval-')))
	const fixtures = suite.fixtures.get(evaluation.id) ?? []
	for (const { declared, path } of fixtures) await copyTree(path, join(directory, declared), () => true)
	const outputs = join(directory, 'outputs')
	await mkdir(outputs)
	const skillPath =
		suite.skillDir === undefined ? undefined : await placeSkill(suite.skill, suite.skillDir, suite.evalsDir, directory)
	return {
		directory,
		outputs,
		task: { skill: suite.skill, skillPath, prompt: evaluation.prompt, files: fixtures.map(({ declared }) => declared) },
	}
}

/** Where the agents of today look: `.agents/skills` (five of six) and `.claude/skills` (the sixth). */
async function placeSkill(skill: string, skillDir: string, evalsDir: string, directory: string): Promise<string> {
	const name = (skill.split(':').at(-1) ?? skill).replaceAll(/[^A-Za-z0-9._-]+/g, '-')
	const isAllowed = (path: string) => path !== evalsDir && !(dirname(path) === skillDir && NEVER_STAGED.has(basename(path)))
	for (const place of ['.agents/skills', '.claude/skills']) await copyTree(skillDir, join(directory, place, name), isAllowed)
	return `.agents/skills/${name}`
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
