import type { Decision, Reason } from '../decision.ts'
import { clip, plural, showInvisible } from './markdown.ts'

/** The runner keeps ten of a kind for each step; the tenth says how many more there are. */
const MAX_ANNOTATIONS = 9
/** The runner cuts a message at 4,096 UTF-16 units, of which a code point takes two; the rest is for what the log's writer adds. */
const MESSAGE_CHARACTERS = 1800

export type Annotation = { message: string; title: string; file?: string | undefined; line?: number | undefined }

/** One annotation a blocking reason, most serious first, at the place it is about. Texts are plain; the writer escapes them. */
export function renderAnnotations({ verdict, title, reasons }: Decision): Annotation[] {
	const shown = reasons.slice(0, MAX_ANNOTATIONS).map(toAnnotation)
	const rest = reasons.length - shown.length
	if (rest <= 0) return shown
	return [
		...shown,
		{ title: `Skill evals: ${verdict}`, message: `${plural(rest, 'more reason')}: see the summary of this job. ${title}` },
	]
}

/** Every blocking reason that has a place in the repository, for a check run, which has room for them. */
export function renderPlacedAnnotations({ reasons }: Decision): (Annotation & { file: string; line: number })[] {
	return reasons.flatMap((reason) => {
		const { file, line } = reason
		// GitHub refuses the whole request for one path outside of the repository.
		if (file === undefined || /^(\/|[A-Za-z]:|\.\.(\/|$))/.test(file)) return []
		return [{ ...toAnnotation(reason), file, line: line ?? 1 }]
	})
}

function toAnnotation({ where, sentence, quotes, hint, file, line }: Reason): Annotation {
	const message = [sentence, ...quotes, ...(hint === undefined ? [] : [`→ ${hint}`])].join('\n')
	return {
		title: clip(showInvisible(`Skill evals: ${where === '' ? 'gate' : where}`), 200),
		message: clip(showInvisible(message), MESSAGE_CHARACTERS),
		file,
		line,
	}
}
