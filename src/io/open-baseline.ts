import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseBaselinePlace } from '../core/baseline-place.ts'
import type { Problem, Suite } from '../definition.ts'
import { type BaselineRead, readBaseline } from './baseline.ts'
import { writeBaselineTree } from './git/baseline-tree.ts'
import { resolveRef } from './git/resolve-ref.ts'
import type { Places } from './suites.ts'

/**
 * The suite's baseline from wherever it is. What a commit holds is written into a directory of its own first and read as any other baseline.
 * That the commit has none yet is a notice; that it could not be asked, or that what is there cannot be read, is an error.
 */
export async function openBaseline(suite: Suite, { cwd, temp }: Places): Promise<BaselineRead> {
	const place = suite.baseline === undefined ? undefined : parseBaselinePlace(suite.baseline)
	if (place === undefined || place.kind === 'directory') return readBaseline(suite, cwd)
	const shown = `${place.ref}:${place.path}`
	const resolved = await resolveRef(cwd, place.ref)
	if (!('sha' in resolved)) {
		const reason = 'missing' in resolved ? resolved.missing : resolved.refused
		return { problems: [refuse(suite, shown, reason, 'hint' in resolved ? resolved.hint : undefined)] }
	}
	const scratch = await realpath(await mkdtemp(join(temp, 'skill-eval-baseline-')))
	try {
		const written = await writeBaselineTree(cwd, resolved.sha, place.path, scratch)
		if (written.status === 'missing') return { problems: [sayNone(suite, shown)] }
		if (written.status === 'refused') return { problems: [refuse(suite, shown, written.reason)] }
		const read = await readBaseline({ ...suite, baseline: written.directory }, cwd)
		const show = (file: string) => file.replace(written.directory, () => `${place.ref}:${written.path}`)
		return { ...read, problems: read.problems.map((each) => ({ ...each, file: each.file && show(each.file) })) }
	} finally {
		await rm(scratch, { recursive: true, force: true })
	}
}

function sayNone({ skill }: Suite, file: string): Problem {
	return { code: 'baseline-none', severity: 'notice', file, message: `there is no baseline of ${skill} yet` }
}

function refuse({ skill }: Suite, file: string, reason: string, hint?: string): Problem {
	const message = `the baseline of ${skill} cannot be read: ${reason}`
	return {
		code: 'baseline-unreadable',
		severity: 'error',
		file,
		message,
		hint: hint ?? 'correct the input "baseline", or leave it out',
	}
}
