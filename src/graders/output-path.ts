import * as z from 'zod'
import type { Target } from '../definition.ts'
import type { OutputFile } from '../model.ts'
import type { Fault } from './grader.ts'
import { findBlocker } from './target.ts'

/** What is at a path below `outputs/`. Directories without files cannot be seen. */
export type Place =
	| { kind: 'nothing' }
	| { kind: 'file'; file: OutputFile }
	| { kind: 'directory'; files: OutputFile[] }
	| { kind: 'blocked'; entry: OutputFile }

/** The option that names a path below `outputs/`; a leading `outputs/` or `./` is left out, a `/` at the end means a directory. */
export const pathOption = z
	.string()
	.transform(stripPrefix)
	.superRefine((path, context) => {
		const fault = explainPath(path)
		if (fault !== undefined) context.addIssue({ code: 'custom', message: fault, params: { hint: PATH_HINT } })
	})

const PATH_HINT = 'name it relative to outputs/ with /, for example report.md or data/'

/** The path comes from the option or from the target, exactly one of them. */
export function faultOfPath(options: { path?: string | undefined }, target: Target): Fault | undefined {
	const hint = 'give "path" as an option, or a file as target'
	if (target.source === 'outputs')
		return options.path === undefined ? { pointer: '', message: '"path" is missing', hint } : undefined
	if (target.source !== 'file') {
		const named = target.source === 'last-message' ? 'the last message' : `the target ${JSON.stringify(target.source)}`
		return { pointer: '/target', message: `${named} has no path`, hint }
	}
	if (options.path !== undefined)
		return { pointer: '/options/path', message: 'both the option "path" and the target name a file', hint }
	const fault = explainPath(target.path)
	return fault === undefined ? undefined : { pointer: '/target', message: fault, hint: PATH_HINT }
}

/** The path that options and target name; throws where `faultOfPath` finds a fault. */
export function readPath(options: { path?: string | undefined }, target: Target): string {
	const fault = faultOfPath(options, target)
	const path = options.path ?? (target.source === 'file' ? target.path : undefined)
	if (fault || path === undefined) throw new Error(fault?.message ?? 'no path is given')
	return path
}

/** Looks a path up; what is a link, or lies behind one, is `blocked`. */
export function lookUp(path: string, files: readonly OutputFile[]): Place {
	const name = path.replace(/\/$/, '')
	const entry = findBlocker(name, files)
	if (entry) return { kind: 'blocked', entry }
	const file = files.find((candidate) => candidate.path === name)
	if (file) return { kind: 'file', file }
	const below = files.filter((candidate) => candidate.path.startsWith(`${name}/`))
	return below.length > 0 ? { kind: 'directory', files: below } : { kind: 'nothing' }
}

function stripPrefix(path: string): string {
	return path.replace(/^(\.\/)?(outputs\/)?/, '')
}

/** A path that no file can have would make a check for absence pass always. */
function explainPath(path: string): string | undefined {
	if (path === '') return 'the path is empty'
	if (/[\\:\0]/.test(path) || path.startsWith('/')) return `the path ${JSON.stringify(path)} is not a relative path with /`
	const parts = path.replace(/\/$/, '').split('/')
	const odd = parts.find((part) => part === '' || part === '.' || part === '..')
	return odd === undefined ? undefined : `the path ${JSON.stringify(path)} has a part that is empty, "." or ".."`
}
