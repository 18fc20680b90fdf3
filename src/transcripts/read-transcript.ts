import { type Event, parseEvents } from '../agents/lines.ts'
import type { Transcript } from '../transcript.ts'
import { claudeSession } from './claude-session.ts'
import { claudeStream } from './claude-stream.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import type { Reader, TranscriptOptions } from './reader.ts'

/** Every kind of record that is known. The most particular come first: the first that recognises any event reads all of them. */
const READERS: Reader[] = [claudeSession, claudeStream, codex, opencode, copilot, pi, gemini]

/**
 * What an agent printed or kept, whichever agent it was; the content decides, no name.
 * Out: the transcript, or why there is none. Lines that are no JSON object are left out and counted.
 */
export function readTranscript(text: string, options: TranscriptOptions = {}): { transcript: Transcript } | { problem: string } {
	const events = parseDocument(text)
	if (events.length === 0) return { problem: 'it holds no JSON object, neither in its lines nor as a whole' }
	const reader = findReader(events)
	if (!reader)
		return { problem: 'it is no record of an agent that is known (Claude Code, Codex, Gemini CLI, Copilot, OpenCode, pi)' }
	const transcript = reader.read(events, text, options)
	const skipped = countUnreadable(text)
	const notice = skipped === 0 ? [] : [`${describeLines(skipped)} left out`]
	return { transcript: { ...transcript, notices: [...transcript.notices, ...notice] } }
}

/** An event decides, not a reader: what one kind of record repeats inside another must not win over the first line that is clear. */
function findReader(events: Event[]): Reader | undefined {
	for (const event of events) {
		const reader = READERS.find(({ recognises }) => recognises(event))
		if (reader) return reader
	}
	return undefined
}

/** A line each, or one document over several lines. */
function parseDocument(text: string): Event[] {
	const events = parseEvents(text)
	return events.length > 0 ? events : parseEvents(text.replace(/\n/g, ' '))
}

function countUnreadable(text: string): number {
	return text.split('\n').filter((line) => {
		if (line.trim() === '') return false
		try {
			JSON.parse(line)
			return false
		} catch {
			return true
		}
	}).length
}

function describeLines(count: number): string {
	return count === 1
		? '1 line of the transcript could not be read and is'
		: `${count} lines of the transcript could not be read and are`
}
