import type { Provenance, Reason } from '../decision.ts'
import { renderBlobLink } from './address.ts'
import type { Detail } from './detail.ts'
import { renderEvidence } from './failed-assertions.ts'
import { clip, code, details, inline, plural, pre } from './markdown.ts'
import { icon } from './words.ts'

/** A message of ours may hold foreign words of any length. */
const SENTENCE_CHARACTERS = 600
/** Of reasons that stand nowhere else so many more are named. */
const MAX_NAMED = 40

/** What blocks, before any table: the first in full, the others named if no suite below tells of them. */
export function renderReasons(reasons: Reason[], detail: Detail, provenance: Provenance, isListedBelow: boolean): string[] {
	const shown = reasons.slice(0, detail.leading).map((reason) => renderReason(reason, detail, provenance))
	const rest = reasons.slice(detail.leading)
	if (rest.length === 0) return shown
	const summary = `and ${plural(rest.length, 'more reason')}`
	if (isListedBelow || !detail.notes) return [...shown, `${summary}${isListedBelow ? ', listed below' : ''}`]
	const named = rest.slice(0, MAX_NAMED).map((reason) => `- ${renderFacts(reason, provenance)}`)
	const unnamed = rest.length > MAX_NAMED ? [`- and ${rest.length - MAX_NAMED} more`] : []
	return [...shown, details(summary, [...named, ...unnamed].join('\n'))]
}

function renderReason(reason: Reason, { leadingCharacters }: Detail, provenance: Provenance): string {
	const lines = [`${icon(reason.verdict)} ${renderFacts(reason, provenance)}`, ...renderQuotes(reason, leadingCharacters)]
	if (reason.hint !== undefined) lines.push(`→ ${inline(clip(reason.hint, SENTENCE_CHARACTERS))}`)
	return lines.join('\n')
}

/** An assertion and its evidence, or the sentences that it has in base and head. */
function renderQuotes({ quotes, weakening }: Reason, characters: number): string[] {
	const [first, ...evidence] = quotes
	if (first === undefined) return []
	if (!weakening) return [pre(clip(first, characters)), ...evidence.flatMap((quote) => renderEvidence(quote, characters))]
	const labels = quotes.length > 1 ? ['**Before**', '**Now**'] : []
	return quotes.flatMap((quote, at) => [...labels.slice(at, at + 1), pre(clip(quote, characters))])
}

/** Where, what and in which file, on one line. */
export function renderFacts(reason: Reason, provenance: Provenance): string {
	const where = reason.where === '' ? '' : `**${inline(reason.where)}**`
	const facts = [where, inline(clip(reason.sentence, SENTENCE_CHARACTERS)), renderPlace(reason, provenance)]
	return facts.filter((fact) => fact !== '').join(' · ')
}

function renderPlace({ file, line }: Reason, { blobUrl }: Provenance): string {
	if (file === undefined) return ''
	const label = code(line === undefined ? file : `${file}:${line}`)
	return blobUrl === undefined ? label : renderBlobLink(label, blobUrl, file, line)
}
