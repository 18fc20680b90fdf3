import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, opendir, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import type { Problem } from '../definition.ts'

/** No real file of these formats comes near; a larger one is an accident or an attack. */
const MAX_JSON_BYTES = 5 * 1024 * 1024

/** Of one directory of results; no real one comes near. */
const MAX_ENTRIES = 2000

export type TextFile = { status: 'read'; text: string } | { status: 'missing' } | { status: 'refused'; reason: string }

/**
 * The text of a regular file inside `within`, at most 5 MB, strict UTF-8 (a byte-order mark is dropped).
 * Links are followed only if they end inside; a FIFO or device never blocks. Nothing is thrown for what is wrong with the file.
 */
export async function readText(path: string, within: string): Promise<TextFile> {
	const real = await realpath(path).catch((error: NodeJS.ErrnoException) => error)
	if (real instanceof Error) return isMissing(real) ? { status: 'missing' } : { status: 'refused', reason: describeError(real) }
	const root = await realpath(within).catch(() => undefined)
	if (root === undefined) return { status: 'missing' }
	if (!isInside(real, root)) return { status: 'refused', reason: 'it is a link that leaves its directory' }
	let file: FileHandle | undefined
	try {
		file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
		const { size } = await file.stat().then((stat) => (stat.isFile() ? stat : { size: undefined }))
		if (size === undefined) return { status: 'refused', reason: 'it is not a regular file' }
		if (size > MAX_JSON_BYTES) return { status: 'refused', reason: `it has ${size} bytes; at most ${MAX_JSON_BYTES} are read` }
		return { status: 'read', text: new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile()) }
	} catch (error) {
		if (error instanceof TypeError) return { status: 'refused', reason: 'it is not valid UTF-8' }
		return { status: 'refused', reason: describeError(error) }
	} finally {
		await file?.close()
	}
}

/** The problem that a file which could not be read is. */
export function unreadable(
	code: string,
	file: string,
	read: Exclude<TextFile, { status: 'read' }>,
	severity: Problem['severity'] = 'error',
): Problem {
	const name = file.split('/').at(-1)
	const message = read.status === 'missing' ? `${name} is missing` : `${name} cannot be read: ${read.reason}`
	return { code, severity, file, message }
}

/** Two writes at once, to one file by two ways, must not meet in one temporary file. */
let writes = 0

/** Writes by a temporary file, fsync and rename, so that a crash leaves the old or the new file and a planted link is replaced, not followed. */
export async function writeText(path: string, text: string): Promise<void> {
	await mkdir(dirname(path), { recursive: true })
	const temporary = `${path}.${process.pid}-${++writes}.tmp`
	await rm(temporary, { force: true })
	const file = await open(temporary, 'wx')
	try {
		await file.writeFile(text)
		await file.sync()
	} finally {
		await file.close()
	}
	await rename(temporary, path)
}

/** Names in a directory, in a stable order; none if it does not exist. */
export async function listNames(directory: string): Promise<string[]> {
	const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
		if (isMissing(error)) return []
		throw error
	})
	return names.sort()
}

export type Entry = { name: string; kind: 'directory' | 'link' | 'other' }
export type Entries = { entries: Entry[]; refused?: string | undefined }

/** What a directory that others fill holds, in a stable order; nothing if it does not exist. `refused` says why it cannot be told. */
export async function listEntries(directory: string): Promise<Entries> {
	const entries: Entry[] = []
	try {
		for await (const entry of await opendir(directory)) {
			if (entries.length === MAX_ENTRIES) return { entries: [], refused: `it holds more than ${MAX_ENTRIES} entries` }
			const kind = entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : 'other'
			entries.push({ name: entry.name, kind })
		}
	} catch (error) {
		if (!isMissing(error)) return { entries: [], refused: describeError(error) }
	}
	return { entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** Something is there, a link that leads nowhere too. */
export function exists(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		() => false,
	)
}

/** A regular file, or a link to one. */
export function isFile(path: string): Promise<boolean> {
	return stat(path).then(
		(found) => found.isFile(),
		() => false,
	)
}

export async function isDirectory(path: string): Promise<boolean> {
	return lstat(path).then(
		(stat) => stat.isDirectory(),
		() => false,
	)
}

/** Both absolute; a directory is inside itself. */
export function isInside(path: string, directory: string): boolean {
	const way = relative(directory, path)
	return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith(sep) && !/^[A-Za-z]:/.test(way))
}

/** How people see a path: relative to the working directory where it lies inside, with `/`. */
export function showPath(path: string, cwd: string): string {
	const shown = isInside(path, cwd) ? relative(cwd, path) || '.' : path
	return sep === '/' ? shown : shown.replaceAll(sep, '/')
}

export function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** Of a file system error the code and what it means, without the path. */
export function describeError(error: unknown): string {
	if (!(error instanceof Error)) return String(error)
	return error.message.replace(/,? (open|opendir|lstat|stat|realpath|scandir|read|mkdir|rename|copyfile) '.*$/, '')
}
