import { dirname, join } from 'node:path'
import type { Suite } from '../definition.ts'
import type { Execution } from '../model.ts'
import { readTranscript } from '../transcripts/read-transcript.ts'
import type { Sidecar } from '../transcripts/reader.ts'
import { exists, listNames, readText, showPath } from './files.ts'

/** A session with more sub-agents than this was not recorded by any agent that we know. */
const MAX_SIDECARS = 500

/**
 * Where a recorded session of an eval may lie, first come first served. Never in `outputs/`: what the agent itself wrote there is no record
 * of what it did.
 */
function placesOf({ workspace, runsDir }: Suite, id: string): string[] {
	const own = join(workspace, `eval-${id}`)
	const run = join(own, 'with_skill', 'run-1')
	const kept = join(runsDir, `eval-${id}`, 'with_skill', 'run-1')
	return [own, run, kept].flatMap((place) => ['transcript.jsonl', 'session.jsonl'].map((name) => join(place, name)))
}

/** The session that something else recorded in the workspace, if there is one; what cannot be read is said. */
export async function readSession(
	suite: Suite,
	id: string,
	prompt: string,
	cwd: string,
): Promise<Pick<Execution, 'transcript' | 'transcriptFile' | 'problems'>> {
	for (const path of placesOf(suite, id)) {
		if (!(await exists(path))) continue
		const read = await readText(path, dirname(path))
		const say = (message: string, hint?: string) => {
			const problem = { code: 'transcript', severity: 'warning' as const, file: showPath(path, cwd), message, hint }
			return { transcriptFile: path, problems: [problem] }
		}
		if (read.status !== 'read')
			return say(`the transcript cannot be read: ${read.status === 'refused' ? read.reason : 'it is gone'}`)
		const told = readTranscript(read.text, { prompt: prompt === '' ? undefined : prompt, sidecars: await readSidecars(path) })
		if ('problem' in told) return say(`the transcript cannot be used: ${told.problem}`)
		const problems = told.transcript.notices.map((message) => ({
			code: 'transcript',
			severity: 'notice' as const,
			file: showPath(path, cwd),
			message,
		}))
		return { transcript: told.transcript, transcriptFile: path, problems }
	}
	return { problems: [] }
}

/** Claude Code keeps a sub-agent's record beside the session: `<session>/subagents/agent-<id>.jsonl`, with a `.meta.json`. */
async function readSidecars(path: string): Promise<Sidecar[]> {
	const directory = join(path.replace(/\.jsonl$/, ''), 'subagents')
	const names = (await listNames(directory)).filter((name) => /^agent-[\w-]+\.jsonl$/.test(name)).slice(0, MAX_SIDECARS)
	const sidecars: Sidecar[] = []
	for (const name of names.sort()) {
		const read = await readText(join(directory, name), directory)
		const meta = await readText(join(directory, name.replace(/\.jsonl$/, '.meta.json')), directory)
		if (read.status !== 'read') continue
		sidecars.push({ name, text: read.text, meta: meta.status === 'read' ? meta.text : undefined })
	}
	return sidecars
}
