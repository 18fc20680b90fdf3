import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Of each stream so much is kept from its beginning and from its end. */
const KEPT_BYTES = 512 * 1024

/** `isCut`: something of the middle is missing from the text. `done`: the stream has ended, however. */
export type KeptEnds = { text: () => string; isCut: () => boolean; done: Promise<void> }

/** Head and tail of a stream as it comes, so that a flood costs neither memory nor time. A character that two chunks share stays whole. */
export function keepEnds(stream: Readable, keptBytes = KEPT_BYTES): KeptEnds {
	const head: Buffer[] = []
	const tail: Buffer[] = []
	let headBytes = 0
	let tailBytes = 0
	let dropped = 0
	stream.on('data', (chunk: Buffer) => {
		const forHead = chunk.subarray(0, keptBytes - headBytes)
		const forTail = chunk.subarray(forHead.length)
		headBytes += forHead.length
		tailBytes += forTail.length
		// An empty part is not kept: it would hold the whole chunk in memory.
		if (forHead.length > 0) head.push(forHead)
		if (forTail.length > 0) tail.push(forTail)
		for (let first = tail[0]; first && tailBytes - first.length >= keptBytes; first = tail[0]) {
			tailBytes -= first.length
			dropped += first.length
			tail.shift()
		}
	})
	const done = new Promise<void>((resolve) =>
		stream
			.once('close', resolve)
			.once('end', resolve)
			.once('error', () => resolve()),
	)
	const decode = (chunks: Buffer[]) => new StringDecoder('utf8').write(Buffer.concat(chunks))
	const text = () =>
		dropped === 0 ? decode([...head, ...tail]) : `${decode(head)}\n… ${dropped} bytes left out …\n${decode(tail)}`
	return { text, isCut: () => dropped > 0, done }
}
