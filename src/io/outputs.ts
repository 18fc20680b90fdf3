import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { OutputFile } from '../model.ts'

/** Of one file so much text is graded; what lies beyond is said and never counts as absent. */
const MAX_TEXT_BYTES = 1024 * 1024
/** Limits for a whole outputs/: an agent that writes more did something else than its task. */
const MAX_FILES = 2000
const MAX_TOTAL_BYTES = 200 * 1024 * 1024
const MAX_DEPTH_LEVELS = 20

export type OutputsRead = { files: OutputFile[]; refused?: string | undefined }

/**
 * Everything below `outputs/`, read once, sorted by path. Links and special files are listed, never followed or opened.
 * In: the way from `root` to it. Throws if it does not exist. `refused` says in one sentence that the directory is beyond the limits; nothing of it can be graded then.
 */
export async function readOutputs(way: string, root: string): Promise<OutputsRead> {
	const directory = join(root, way)
	// An agent could have put a link in its place, and everything behind it would be read and shown.
	if ((await realpath(directory)) !== join(await realpath(root), way)) return { files: [], refused: `${way} is a link` }
	const paths = await walk(directory, '', 0)
	if (typeof paths === 'string') return { files: [], refused: paths }
	const files: OutputFile[] = []
	let total = 0
	for (const path of paths.sort()) {
		const file = await readOutput(directory, path)
		total += file.bytes
		if (total > MAX_TOTAL_BYTES) return { files: [], refused: `outputs/ holds more than ${MAX_TOTAL_BYTES / 1024 / 1024} MB` }
		files.push(file)
	}
	return { files }
}

async function walk(root: string, prefix: string, depth: number): Promise<string[] | string> {
	if (depth > MAX_DEPTH_LEVELS) return `outputs/ is more than ${MAX_DEPTH_LEVELS} levels deep`
	const found: string[] = []
	for (const entry of await readdir(join(root, prefix), { withFileTypes: true })) {
		const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
		const inner = entry.isDirectory() ? await walk(root, path, depth + 1) : [path]
		if (typeof inner === 'string') return inner
		found.push(...inner)
		if (found.length > MAX_FILES) return `outputs/ holds more than ${MAX_FILES} files`
	}
	return found
}

async function readOutput(root: string, path: string): Promise<OutputFile> {
	const stat = await lstat(join(root, path))
	if (stat.isSymbolicLink()) return { path, kind: 'link', bytes: 0, cut: false }
	if (!stat.isFile()) return { path, kind: 'special', bytes: 0, cut: false }
	const file = await open(join(root, path), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
	try {
		const { size } = await file.stat()
		const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(size, MAX_TEXT_BYTES)))
		const text = decode(buffer.subarray(0, bytesRead), size > bytesRead)
		if (text === undefined) return { path, kind: 'binary', bytes: size, cut: false }
		return { path, kind: 'text', bytes: size, text, cut: size > bytesRead }
	} finally {
		await file.close()
	}
}

/** Undefined for what is not UTF-8 text. In a cut file the last character may be incomplete. */
function decode(bytes: Uint8Array, cut: boolean): string | undefined {
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut })
		return text.includes('\0') ? undefined : text
	} catch {
		return undefined
	}
}

/** Copies the regular files of one `outputs/` into another; what is not a regular file stays behind. */
export async function copyOutputs(files: OutputFile[], from: string, to: string): Promise<void> {
	await mkdir(to, { recursive: true })
	for (const { path, kind } of files) {
		if (kind !== 'text' && kind !== 'binary') continue
		await mkdir(dirname(join(to, path)), { recursive: true })
		await copyFile(join(from, path), join(to, path), constants.COPYFILE_EXCL)
	}
}
