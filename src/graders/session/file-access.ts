import * as z from 'zod'
import type { Grade } from '../../model.ts'
import type { Fact, FileAccess } from '../../transcript.ts'
import { countOf, listNames } from '../excerpt.ts'
import type { SessionGrader } from '../grader.ts'
import { concludeAbsence } from './absence.ts'
import { compileGlob } from './path-glob.ts'
import type { View } from './view.ts'
import { globText, when } from './when.ts'

const options = z.strictObject({
	path: globText,
	op: z.enum(['read', 'write', 'edit']).optional(),
	expect: z.enum(['accessed', 'not-accessed']).default('accessed'),
	when,
})

type Options = z.infer<typeof options>

/** By the file tools of the agent, sub-agents included; what a shell command reads or writes nobody records. */
export const fileAccess: SessionGrader<Options> = {
	name: 'file-access',
	description: 'A file that fits a glob was read, written or edited with a file tool, or was not.',
	kind: 'session',
	options,
	when: (options) => options.when,
	grade: gradeAccess,
}

function gradeAccess({ path, op, expect }: Options, view: View): Grade {
	const fits = compileGlob(path)
	// An attempt is enough to break a ban, and not enough to fulfil a demand.
	const isDone = ({ result }: FileAccess) => expect === 'not-accessed' || result === undefined || result === 'ok'
	const hits = view.fileAccesses.filter((access) => (op === undefined || access.op === op) && isDone(access) && fits(access.path))
	const shown = `a file that fits ${JSON.stringify(path)}`
	if (hits.length > 0) {
		const places = listNames(hits.map(({ at, op: done, path: found }) => `#${at} ${done} ${found}`))
		const evidence = `${shown} was accessed ${countOf(hits.length, 'time')}: ${places}`
		return expect === 'accessed' ? { outcome: 'pass', evidence } : { outcome: 'fail', evidence: `${evidence}; it must not be` }
	}
	const needs: Fact[] = op === 'read' ? ['file-reads'] : op === undefined ? ['file-reads', 'file-writes'] : ['file-writes']
	const evidence = `no ${op === undefined ? 'access' : op} of ${shown} in ${view.label}`
	return concludeAbsence(view, needs, true, { outcome: expect === 'accessed' ? 'fail' : 'pass', evidence })
}
