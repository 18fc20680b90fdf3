import type { Grade, OutputFile, Outputs, Target } from '../model.ts'
import { countOf, describeFiles, nameKind } from './excerpt.ts'
import type { Subject } from './grader.ts'

/** What a target points to, or the grade where that cannot be read. A file that is not there gives a subject without files. */
export function resolveTarget(target: Target, outputs: Outputs): { subject: Subject } | { grade: Grade } {
	switch (target.source) {
		case 'outputs':
			return { subject: { source: 'outputs', label: 'outputs/', files: outputs.files } }
		case 'last-message':
			return resolveMessage(outputs.lastMessage)
		case 'file':
			return resolveFile(target.path, outputs.files)
	}
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
	return subject.source === 'last-message' ? subject.label : `outputs/${file.path}`
}

/** A subject with its size: `outputs/ (2 text files, 345 bytes: a.md, b.md)`, `outputs/a.md (12 bytes)`. */
export function describeSubject(subject: Subject): string {
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
	const bytes = new TextEncoder().encode(text).length
	const file: OutputFile = { path: 'last message', kind: 'text', bytes, text, cut: false }
	return { subject: { source: 'last-message', label: 'the last message', files: [file] } }
}

function resolveFile(path: string, files: readonly OutputFile[]): { subject: Subject } | { grade: Grade } {
	const blocker = findBlocker(path, files)
	if (blocker) return { grade: { outcome: 'error', evidence: describeBlocker(blocker) } }
	const found = files.filter((file) => file.path === path)
	return { subject: { source: 'file', label: `outputs/${path}`, files: found } }
}
