import type { Transcript } from '../transcript.ts'

/** A sub-agent's record beside a session: its file's name, its text, and that of its `.meta.json`. */
export type Sidecar = { name: string; text: string; meta?: string | undefined }
export type TranscriptOptions = { prompt?: string | undefined; sidecars?: Sidecar[] | undefined }

/** What an agent printed or kept, by its content; or why it is no transcript that we know. */
export function readTranscript(
	_text: string,
	_options: TranscriptOptions = {},
): { transcript: Transcript } | { problem: string } {
	return { problem: 'no format is known' }
}
