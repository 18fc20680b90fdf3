import { link } from './markdown.ts'

/** A link to a line of a file of the tested commit. The path is foreign text: each part is encoded. */
export function renderBlobLink(label: string, blobUrl: string, file: string, line: number | undefined): string {
	const path = file.split('/').map(encodePart).join('/')
	return link(label, `${blobUrl}${path}${line === undefined ? '' : `#L${line}`}`)
}

/** encodeURIComponent throws on lone surrogates. */
function encodePart(part: string): string {
	return encodeURIComponent(part.toWellFormed())
}
