import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { glob } from 'tinyglobby'

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
