import type { ToolCall } from '../../transcript.ts'
import { shorten } from '../excerpt.ts'

/** The beginning of a long input says enough. */
const INPUT_CHARACTERS = 120

/** One call as evidence: `#14 Bash {"command":"npm test"}`. The number orders the transcript; name and input are untrusted. */
export function describeCall({ at, name, input }: ToolCall): string {
	return `#${at} ${name} ${shorten(writeInput(input), INPUT_CHARACTERS)}`
}

/** The input as the text that patterns run on; it came from JSON, and is never undefined here. */
export function writeInput(input: unknown): string {
	return JSON.stringify(input) ?? ''
}
