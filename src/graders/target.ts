import type { Target } from '../definition.ts'
import type { Grade, OutputFile } from '../model.ts'
import { countOf, describeFiles, nameKind } from './excerpt.ts'
import type { Subject, Subjects } from './grader.ts'
import type { View } from './session/view.ts'

/** What a target points to, or the grade where that cannot be read. A file that is not there gives a subject without files. */
export function resolveTarget(target: Target, subjects: Subjects): { subject: Subject } | { grade: Grade } {
	const { outputs, transcript, artifact } = subjects
	switch (target.source) {
		case 'outputs':
			return { subject: { source: 'outputs', label: 'outputs/', files: outputs.files } }
		case 'transcript':
		case 'last-message':
			return resolveMessage(outputs.lastMessage ?? transcript?.texts.findLast(({ branch }) => branch === undefined)?.text)
		case 'file':
			return resolveFile(target.path, outputs.files)
		case 'files':
			return resolveWritten(subjects)
		case 'artifact':
			return artifact === undefined
				? { grade: { outcome: 'error', evidence: 'this assertion belongs to no artifact whose text could be looked at' } }
				: { subject: { source: 'artifact', label: 'the artifact', files: [toText('artifact', artifact)] } }
	}
}

/** What was said in a window, one text each. */
export function resolveTexts(view: View, on: 'assistant' | 'user' | 'all'): Subject {
	const said = { assistant: view.texts, user: view.prompts, all: [...view.prompts, ...view.texts] }[on]
	const files = said.toSorted((a, b) => a.at - b.at).map(({ at, text }) => toText(`#${at}`, text))
	const who = { assistant: 'what the assistant said', user: 'what the user said', all: 'what was said' }[on]
	return { source: 'transcript', label: `${who} in ${view.label}`, files }
}

/** The link or special file at a path or above it: what lies behind it was not read. */
export function findBlocker(path: string, files: readonly OutputFile[]): OutputFile | undefined {
	return files.find((file) => {
		const readable = file.kind === 'text' || file.kind === 'binary'
		return !readable && (file.path === path || path.startsWith(`${file.path}/`))
	})
}

/** `outputs/x is a symbolic link, which is not read` */
export function describeBlocker(blocker: OutputFile): string {
	return `outputs/${blocker.path} is a ${nameKind(blocker)}, which is not read`
}

/** How evidence names one file of a subject: `outputs/report.md`, or `the last message`. */
export function nameFile(subject: Subject, file: OutputFile): string {
	if (subject.source === 'transcript') return file.path
	return subject.source === 'outputs' || subject.source === 'file' ? `outputs/${file.path}` : subject.label
}

/** A subject with its size: `outputs/ (2 text files, 345 bytes: a.md, b.md)`, `outputs/a.md (12 bytes)`. */
export function describeSubject(subject: Subject): string {
	if (subject.source === 'transcript') return `${subject.label} (${countOf(subject.files.length, 'text')})`
	const only = subject.source === 'outputs' ? undefined : subject.files[0]
	return `${subject.label} (${only ? countOf(only.bytes, 'byte') : describeFiles(subject.files)})`
}

/** The sentence for a subject without any file. */
export function describeNothing(subject: Subject): string {
	return subject.source === 'file' ? `${subject.label} does not exist` : `${subject.label} is empty`
}

function resolveMessage(text: string | undefined): { subject: Subject } | { grade: Grade } {
	// A blank message says nothing: a negative check on it must not pass.
	if (text === undefined || text.trim() === '') {
		return { grade: { outcome: 'error', evidence: 'the agent left no final message' } }
	}
	return { subject: { source: 'last-message', label: 'the last message', files: [toText('last message', text)] } }
}

/** What the session wrote: the paths that its file tools name, and what is in `outputs/`, which a shell may have written. */
function resolveWritten({ outputs, transcript }: Subjects): { subject: Subject } {
	const named = (transcript?.fileAccesses ?? []).filter(({ op }) => op !== 'read').map(({ path }) => path)
	const left = outputs.files
		.map(({ path }) => `outputs/${path}`)
		.filter((path) => !named.some((name) => name.endsWith(`/${path}`)))
	const paths = [...new Set([...named, ...left])]
	const files = paths.length > 0 ? [toText('list of written files', paths.join('\n'))] : []
	return { subject: { source: 'files', label: 'the list of written files', files } }
}

function toText(path: string, text: string): OutputFile {
	return { path, kind: 'text', bytes: new TextEncoder().encode(text).length, text, cut: false }
}

function resolveFile(path: string, files: readonly OutputFile[]): { subject: Subject } | { grade: Grade } {
	const blocker = findBlocker(path, files)
	if (blocker) return { grade: { outcome: 'error', evidence: describeBlocker(blocker) } }
	const found = files.filter((file) => file.path === path)
	return { subject: { source: 'file', label: `outputs/${path}`, files: found } }
}
