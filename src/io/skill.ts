import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { glob } from 'tinyglobby'
import type { Problem, Suite } from '../definition.ts'
import type { Inputs } from '../inputs.ts'
import { showPath } from './files.ts'

/** A directory that the user named must hold a skill; what a known agent did without the skill would say nothing about the skill, and without a skill there is none to leave out. */
export async function checkSkill({ skill, skillDir, file }: Suite, inputs: Inputs, cwd: string): Promise<Problem[]> {
	const isKnown = inputs.agent !== 'command' && inputs.agent !== 'none'
	const isNeeded = inputs.skill !== undefined || isKnown || inputs.arms.length > 1
	if (inputs.mode !== 'run' || !isNeeded) return []
	if (skillDir !== undefined && (await hasSkill(skillDir))) return []
	const where = skillDir === undefined ? '' : ` in ${showPath(skillDir, cwd)}`
	const message = `there is no SKILL.md of the skill ${JSON.stringify(skill)}${where}`
	return [
		{
			code: 'skill-missing',
			severity: 'error',
			file,
			message,
			hint: 'name its directory with the input "skill", such as skills/{skill}',
		},
	]
}

/**
 * The directory with the SKILL.md that evals in `evalsDir` belong to: beside or above them, else by name in the layouts that repositories use.
 * Undefined if there is none, or more than one plugin has a skill of that name.
 */
export async function findSkill(skill: string, evalsDir: string, root: string): Promise<string | undefined> {
	const beside = basename(evalsDir) === 'evals' ? [dirname(evalsDir), evalsDir] : [evalsDir]
	const ownNames = [...new Set([skill.split(':').at(-1) ?? skill, basename(evalsDir)])]
	const named = ownNames.flatMap((name) => ['skills', '.claude/skills', '.agents/skills'].map((place) => join(root, place, name)))
	for (const directory of [...beside, ...named]) {
		if (await hasSkill(directory)) return directory
	}
	const inPlugins = await glob('plugins/*/skills/*/SKILL.md', { cwd: root, absolute: true, followSymbolicLinks: false })
	const matches = inPlugins.map((path) => dirname(path)).filter((directory) => ownNames.includes(basename(directory)))
	if (matches.length > 0) return matches.length === 1 ? matches[0] : undefined
	return (await hasSkill(root)) ? root : undefined
}

function hasSkill(directory: string): Promise<boolean> {
	return stat(join(directory, 'SKILL.md')).then(
		(found) => found.isFile(),
		() => false,
	)
}
