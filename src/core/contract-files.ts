import type { Weakening } from './contract.ts'
import { describeContent, type Tree } from './tree.ts'

/** A file or directory of base that decides what a definition is worth; `path` from the root of the repository. */
export type Watched = { where: string; what: string; path: string; line?: number | undefined }

/** What is watched and not the same in head, each path once, with the first that names it. Anything changed, added or removed counts: nobody can compute whether it is softer. */
export function findChangedFiles(watched: Watched[], base: Tree, head: Tree): Weakening[] {
	const first = [...new Map(watched.toReversed().map((each) => [each.path, each])).values()].toReversed()
	return first.flatMap(({ where, what, path, line }) => {
		const [before, after] = [describeContent(base, path), describeContent(head, path)]
		if (before === after) return []
		const how = before === '' ? 'added' : after === '' ? 'removed' : 'changed'
		return [{ where, sentence: `${what} is ${how}`, quotes: [], file: path, line }]
	})
}
