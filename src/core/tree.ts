/** The files of one commit by path, as git lists them. A module is a submodule: its files are not in this repository. */
export type Tree = Map<string, TreeEntry>
export type TreeEntry = {
	kind: 'file' | 'link' | 'module'
	id: string
	/** A file that may be executed. */
	isProgram?: boolean | undefined
	/** Of a link: where it leads, as it is written. */
	target?: string | undefined
}

const KINDS: Record<string, TreeEntry['kind']> = { '100': 'file', '120': 'link', '160': 'module' }
/** As the kernel does; a circle ends here. */
const MAX_LINKS = 40

/** Reads `git ls-tree -r -z`; undefined if a line is not understood, because a file that is left out would look new. */
export function parseTree(text: string): Tree | undefined {
	const tree: Tree = new Map()
	for (const line of text.split('\0')) {
		if (line === '') continue
		const [, mode = '', rights, id, path] = /^(\d{3})(\d{3}) (?:blob|commit) ([0-9a-f]{40,64})\t([\s\S]+)$/.exec(line) ?? []
		const kind = KINDS[mode]
		if (!kind || !id || !path) return undefined
		tree.set(path, rights === '755' ? { kind, id, isProgram: true } : { kind, id })
	}
	return tree
}

/** The path with every link on the way followed inside the tree. Undefined where a link leaves the tree or goes in circles. */
export function followLinks(tree: Tree, path: string): string | undefined {
	const rest = path.split('/')
	const done: string[] = []
	for (let links = 0; rest.length > 0; ) {
		const part = rest.shift()
		if (part === '' || part === '.') continue
		if (part === '..') {
			if (done.pop() === undefined) return undefined
			continue
		}
		done.push(part ?? '')
		const entry = tree.get(done.join('/'))
		if (entry?.kind !== 'link') continue
		if (entry.target === undefined || entry.target.startsWith('/') || ++links > MAX_LINKS) return undefined
		done.pop()
		rest.unshift(...entry.target.split('/'))
	}
	return done.join('/')
}

/** What is at a path and below it, links on the way followed, as one text to compare; empty if nothing is there. A part of a submodule is as old as the submodule. */
export function describeContent(tree: Tree, path: string): string {
	const real = followLinks(tree, path)
	if (real === undefined) return 'leaves the tree'
	const lines: string[] = []
	for (const [at, { kind, id }] of tree) {
		const isHere = at === real || at.startsWith(`${real}/`) || (kind === 'module' && real.startsWith(`${at}/`))
		if (isHere) lines.push(`${kind} ${id} ${at.slice(real.length)}`)
	}
	return lines.sort().join('\n')
}
