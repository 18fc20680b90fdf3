import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { OutputFile } from '../model.ts'

/** Of one file so much text is graded; what lies beyond is said and never counts as absent. */
const MAX_TEXT_BYTES = 1024 * 1024
/** Limits for a whole outputs/, directories included: an agent that writes more did something else than its task. */
const MAX_ENTRIES = 2000
const MAX_TOTAL_BYTES = 200 * 1024 * 1024
const MAX_DEPTH_LEVELS = 20

export type OutputsRead = { files: OutputFile[]; refused?: string | undefined }

/**
 * Everything below `outputs/`, read once, sorted by path. Links and special files are listed, never followed or opened.
 * In: the way to it from `root`, which is a path without links. Throws if it does not exist. `refused` says in one sentence that the directory is beyond the limits; nothing of it can be graded then.
 */
export async function readOutputs(way: string, root: string): Promise<OutputsRead> {
	const directory = join(root, way)
	// An agent could have put a link in its place or above it, and everything behind it would be read and shown.
	if ((await realpath(directory)) !== directory) return { files: [], refused: `${way} is a link, or is reached by one` }
	const found: Found = { paths: [], entries: 0 }
	const refused = await walk(directory, '', 0, found)
	if (refused !== undefined) return { files: [], refused }
	const files: OutputFile[] = []
	let total = 0
	for (const path of found.paths.sort()) {
		const file = await readOutput(directory, path)
		total += file.bytes
		if (total > MAX_TOTAL_BYTES) return { files: [], refused: `outputs/ holds more than ${MAX_TOTAL_BYTES / 1024 / 1024} MB` }
		files.push(file)
	}
	return { files }
}

type Found = { paths: string[]; entries: number }

/** Adds everything below to what was found, or says why it is too much. */
async function walk(root: string, prefix: string, depth: number, found: Found): Promise<string | undefined> {
	if (depth > MAX_DEPTH_LEVELS) return `outputs/ is more than ${MAX_DEPTH_LEVELS} levels deep`
	for (const entry of await readdir(join(root, prefix), { withFileTypes: true })) {
		const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
		if (++found.entries > MAX_ENTRIES) return `outputs/ holds more than ${MAX_ENTRIES} files and directories`
		// So Node shows bytes that are no UTF-8; by that name the file cannot be opened.
		if (path.includes('\ufffd')) return 'outputs/ holds a file whose name is not UTF-8 text'
		if (!entry.isDirectory()) found.paths.push(path)
		const refused = entry.isDirectory() ? await walk(root, path, depth + 1, found) : undefined
		if (refused !== undefined) return refused
	}
	return undefined
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
