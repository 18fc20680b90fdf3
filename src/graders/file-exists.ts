import * as z from 'zod'
import type { Grade, OutputFile, Outputs } from '../model.ts'
import { countOf, describeFiles } from './excerpt.ts'
import type { PathGrader } from './grader.ts'
import { faultOfPath, lookUp, pathOption, readPath } from './output-path.ts'
import { describeBlocker, findBlocker } from './target.ts'

const options = z.strictObject({ path: pathOption.optional(), 'min-bytes': z.int().min(0, 'must not be negative').default(0) })

/** Passes if a regular file, or a directory with files, is at the path and has `min-bytes` or more. */
export const fileExists: PathGrader<z.infer<typeof options>> = {
	name: 'file-exists',
	description: 'A file, or a directory with files below it, is in `outputs/`, with at least `min-bytes` bytes.',
	kind: 'path',
	options,
	fault: faultOfPath,
	grade: (options, target, outputs) => gradeExistence(readPath(options, target), options['min-bytes'], outputs),
}

function gradeExistence(path: string, minBytes: number, outputs: Outputs): Grade {
	const label = `outputs/${path}`
	const place = lookUp(path, outputs.files)
	switch (place.kind) {
		case 'blocked':
			return { outcome: 'error', evidence: describeBlocker(place.entry) }
		case 'nothing':
			return { outcome: 'fail', evidence: `${label} does not exist; outputs/ has ${describeFiles(outputs.files)}` }
		case 'file':
			if (path.endsWith('/')) return { outcome: 'fail', evidence: `${label} is a file, not a directory` }
			return gradeSize(label, place.file.bytes, '', minBytes)
		case 'directory':
			return gradeDirectory(label.replace(/\/?$/, '/'), place.files, minBytes)
	}
}

function gradeDirectory(label: string, below: readonly OutputFile[], minBytes: number): Grade {
	const files = below.filter((file) => !findBlocker(file.path, below))
	if (files.length === 0) return { outcome: 'error', evidence: `${label} holds nothing that is read: ${describeFiles(below)}` }
	const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
	return gradeSize(label, bytes, `${countOf(files.length, 'file')} below, `, minBytes)
}

function gradeSize(label: string, bytes: number, detail: string, minBytes: number): Grade {
	const evidence = `${label} exists, ${detail}${countOf(bytes, 'byte')}`
	// Written so that NaN fails.
	return bytes >= minBytes
		? { outcome: 'pass', evidence }
		: { outcome: 'fail', evidence: `${evidence}, expected at least ${minBytes}` }
}
