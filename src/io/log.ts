import { showInvisible } from '../report/markdown.ts'

/** What people see while the program runs: progress and problems, on standard error locally, in the job's log as an Action. */
export type Log = { info: (line: string) => void }

/** What the runner, which compares by culture, and a reader do not see. */
const UNSEEN = String.raw`[^\p{L}\p{N}\p{P}\p{S}\p{Z}]*`
const BRACKET_COMMAND = new RegExp(`#${UNSEEN}#(?=${UNSEEN}\\[)`, 'gu')
const COLON_COMMAND = /^[^\p{L}\p{N}\p{P}\p{S}]*:/u

/**
 * Makes a text harmless in a job's log, where the runner obeys `::cmd::` at a line's beginning and `##[cmd]` anywhere in it,
 * and where a lone CR starts a line too. Control characters go, because terminals obey them; what cannot be seen is shown.
 */
export function neutralise(text: string): string {
	return text
		.split(/\r\n|\r|\n|\u2028|\u2029|\u0085|\v|\f/)
		.map((line) => showInvisible(line.replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, '')))
		.map((line) => line.replace(BRACKET_COMMAND, '# #'))
		.map((line) => (COLON_COMMAND.test(line) ? `| ${line}` : line))
		.join('\n')
}

/** Writes neutralised lines to a stream. */
export function createLog(stream: NodeJS.WritableStream): Log {
	return { info: (line) => void stream.write(`${neutralise(line)}\n`) }
}
