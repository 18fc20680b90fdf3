import type { Event } from '../agents/lines.ts'
import type { Transcript, TranscriptFormat } from '../transcript.ts'

/** A sub-agent's record beside a session: its file's name, its text, and that of its `.meta.json`. */
export type Sidecar = { name: string; text: string; meta?: string | undefined }

/** `prompt` is what the caller gave the agent; most records do not repeat it. */
export type TranscriptOptions = { prompt?: string | undefined; sidecars?: Sidecar[] | undefined }

/** One kind of record. `recognises` needs one event that no other kind has. */
export type Reader = {
	format: TranscriptFormat
	recognises: (event: Event) => boolean
	read: (events: Event[], text: string, options: TranscriptOptions) => Transcript
}
