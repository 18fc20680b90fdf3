import type { Grade, OutputFile } from '../model.ts'
import { countOf, excerptAt, lineAt, listNames, nameKind, normalizeLines, type Span } from './excerpt.ts'
import type { Subject } from './grader.ts'
import { describeNothing, describeSubject, nameFile } from './target.ts'

/** Something to look for in a text, and the words for what was found: `"x" is in`, `"x" is not in`. */
export type Probe = { name: string; present: string; absent: string; locate: (text: string, cut: boolean) => Hit | undefined }
/** The first place, and how often it occurs where that was counted. */
export type Hit = { first: Span; count: number; counted: boolean }

type Match = Hit & { file: OutputFile; text: string }
const HITS_SHOWN = 5

/** Passes if every probe is found, each at least `minCount` times over all files; what is not found in a cut text is an error. */
export function gradePresence(subject: Subject, probes: readonly Probe[], minCount = 1): Grade {
	if (subject.files.length === 0) return { outcome: 'fail', evidence: describeNothing(subject) }
	const texts = subject.files.filter((file) => file.kind === 'text')
	if (texts.length === 0) return { outcome: 'fail', evidence: `there is no text to search in ${describeSubject(subject)}` }
	const found = probes.map((probe) => ({ probe, matches: matchAll(texts, probe) }))
	const missing = found.find(({ matches }) => !(countAll(matches) >= minCount))
	if (!missing) return { outcome: 'pass', evidence: listHits(found, subject) }
	const partial = texts.filter((file) => !isWhole(file))
	if (partial.length > 0) return { outcome: 'error', evidence: `${missing.probe.name}: ${describePartial(subject, partial)}` }
	const count = countAll(missing.matches)
	if (count === 0) return { outcome: 'fail', evidence: `${missing.probe.absent} ${describeSubject(subject)}` }
	const shortfall = `${missing.probe.name} occurs ${countOf(count, 'time')}, expected at least ${minCount}, in`
	return { outcome: 'fail', evidence: `${shortfall} ${describeSubject(subject)}` }
}

/** Passes if no probe is found and something was read whole; nothing to search, or only blank text, is never a pass. */
export function gradeAbsence(subject: Subject, probes: readonly Probe[]): Grade {
	if (subject.files.length === 0) return { outcome: 'fail', evidence: describeNothing(subject) }
	const texts = subject.files.filter((file) => file.kind === 'text')
	const others = subject.files.filter((file) => file.kind !== 'text')
	if (subject.source !== 'outputs' && others[0]) {
		return { outcome: 'error', evidence: `${subject.label} is a ${nameKind(others[0])}, which cannot be searched` }
	}
	for (const probe of probes) {
		const match = matchAll(texts, probe)[0]
		if (match) return { outcome: 'fail', evidence: `${probe.present} ${describeMatch(match, subject)}` }
	}
	const partial = texts.filter((file) => !isWhole(file))
	if (partial.length > 0) return { outcome: 'error', evidence: describePartial(subject, partial) }
	if (!texts.some((file) => file.text?.trim())) {
		return { outcome: 'fail', evidence: `there is nothing to search in ${describeSubject(subject)}` }
	}
	const names = listNames(probes.map((probe) => probe.name))
	const absent = probes.length === 1 && probes[0] ? probes[0].absent : `none of ${names} is in`
	const skipped = others.map((file) => `${file.path} (${nameKind(file)})`)
	const rest = skipped.length > 0 ? `; not searched: ${listNames(skipped)}` : ''
	return { outcome: 'pass', evidence: `${absent} ${describeSubject(subject)}${rest}` }
}

/** Whether the whole content of a text file is known. */
export function isWhole(file: OutputFile): boolean {
	return file.kind === 'text' && file.text !== undefined && file.cut === false
}

/** The sentence for text files whose content is not known to the end. */
export function describePartial(subject: Subject, files: readonly OutputFile[]): string {
	const names = listNames(files.map((file) => nameFile(subject, file)))
	return `${names} ${files.length === 1 ? 'is' : 'are'} larger than what is read, so the rest is not known`
}

function matchAll(files: readonly OutputFile[], probe: Probe): Match[] {
	return files.flatMap((file) => {
		if (file.text === undefined) return []
		const text = normalizeLines(file.text)
		const hit = probe.locate(text, file.cut)
		return hit ? [{ ...hit, file, text }] : []
	})
}

function countAll(matches: readonly Match[]): number {
	return matches.reduce((sum, match) => sum + match.count, 0)
}

function listHits(found: readonly { matches: Match[] }[], subject: Subject): string {
	const hits = found.slice(0, HITS_SHOWN).map(({ matches }) => {
		const first = matches[0]
		if (!first) return ''
		const times = first.counted ? ` (${countOf(countAll(matches), 'occurrence')})` : ''
		return `${describeMatch(first, subject)}${times}`
	})
	const rest = found.length - hits.length
	return `${hits.join('; ')}${rest > 0 ? `; and ${rest} more found` : ''}`
}

function describeMatch(match: Match, subject: Subject): string {
	const excerpt = excerptAt(match.text, match.first).trim() || '(an empty line)'
	return `${nameFile(subject, match.file)}:${lineAt(match.text, match.first.start)}: ${excerpt}`
}
