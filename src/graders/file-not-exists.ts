import * as z from 'zod'
import type { Grade, Outputs } from '../model.ts'
import { countOf, describeFiles, nameKind } from './excerpt.ts'
import type { PathGrader } from './grader.ts'
import { faultOfPath, lookUp, pathOption, readPath } from './output-path.ts'
import { describeBlocker } from './target.ts'

const options = z.strictObject({ path: pathOption.optional() })

/** Passes if nothing at all is at the path; a path behind a link is an error. */
export const fileNotExists: PathGrader<z.infer<typeof options>> = {
	name: 'file-not-exists',
	description: 'Neither a file nor a link nor a directory with files is at a path in `outputs/`.',
	kind: 'path',
	options,
	fault: faultOfPath,
	grade: (options, target, outputs) => gradeAbsentPath(readPath(options, target), outputs),
}

function gradeAbsentPath(path: string, outputs: Outputs): Grade {
	const label = `outputs/${path}`
	const place = lookUp(path, outputs.files)
	switch (place.kind) {
		case 'nothing':
			return { outcome: 'pass', evidence: `${label} does not exist; outputs/ has ${describeFiles(outputs.files)}` }
		case 'file':
			return { outcome: 'fail', evidence: `${label} exists, ${countOf(place.file.bytes, 'byte')}` }
		case 'directory':
			return { outcome: 'fail', evidence: `${label} exists, ${countOf(place.files.length, 'file')} below` }
		case 'blocked':
			return place.entry.path === path.replace(/\/$/, '')
				? { outcome: 'fail', evidence: `${label} exists, a ${nameKind(place.entry)}` }
				: { outcome: 'error', evidence: describeBlocker(place.entry) }
	}
}
