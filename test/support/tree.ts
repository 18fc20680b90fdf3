import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Text, an object to be written as JSON, or a symbolic link. */
export type TreeFile = string | object | { link: string }

export type Tree = AsyncDisposable & {
	dir: string
	path: (...parts: string[]) => string
	read: (file: string) => string
	json: (file: string) => unknown
	write: (files: Record<string, TreeFile>) => void
	remove: () => void
}

/** Files in a fresh directory: `await using tree = makeTree({ 'skills/x/SKILL.md': '…' })` removes it again. */
export function makeTree(files: Record<string, TreeFile> = {}): Tree {
	// The real path: a program that reports its own cwd reports that one.
	const dir = realpathSync(mkdtempSync(join(tmpdir(), 'skill-eval-gate-')))
	const path = (...parts: string[]) => join(dir, ...parts)
	const read = (file: string) => readFileSync(path(file), 'utf8')
	const remove = () => rmSync(dir, { recursive: true, force: true })
	const tree: Tree = {
		...{ dir, path, read, remove },
		json: (file) => JSON.parse(read(file)),
		write: (more) => {
			for (const [file, content] of Object.entries(more)) writeTreeFile(path(file), content)
		},
		[Symbol.asyncDispose]: async () => remove(),
	}
	tree.write(files)
	return tree
}

function writeTreeFile(path: string, content: TreeFile): void {
	mkdirSync(dirname(path), { recursive: true })
	if (typeof content === 'string') writeFileSync(path, content)
	else if (isLink(content)) symlinkSync(content.link, path)
	else writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}

function isLink(content: object): content is { link: string } {
	return Object.keys(content).join() === 'link' && typeof (content as { link: unknown }).link === 'string'
}
