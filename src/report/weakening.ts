import type { Provenance, Weakened } from '../decision.ts'
import type { Detail } from './detail.ts'
import { clip, code, details, inline, plural } from './markdown.ts'
import { renderFacts } from './reasons.ts'

/** So many are open, and so many more folded. */
const MAX_SHOWN = 10
const MAX_FOLDED = 40
const QUOTE_CHARACTERS = 200

/** What is asked less than before and does not block, with the reason: whoever merges must not overlook it. What blocks stands among the reasons. */
export function renderWeakening(weakened: Weakened | undefined, detail: Detail, provenance: Provenance): string | undefined {
	if (!weakened || weakened.blocks || weakened.found.length === 0) return undefined
	const why = weakened.because === undefined ? '' : `: ${inline(clip(weakened.because, QUOTE_CHARACTERS))}`
	const title = `⚠️ **This change asks less than its base** in ${plural(weakened.found.length, 'place')}, which does not block${why}.`
	if (!detail.notes) return title
	const lines = weakened.found.map((reason) => {
		const quotes = reason.quotes.map((quote) => code(clip(quote, QUOTE_CHARACTERS))).join(' → ')
		return `- ${renderFacts(reason, provenance)}${quotes === '' ? '' : ` · ${quotes}`}`
	})
	const rest = lines.length > MAX_SHOWN + MAX_FOLDED ? [`- and ${lines.length - MAX_SHOWN - MAX_FOLDED} more`] : []
	const folded = [...lines.slice(MAX_SHOWN, MAX_SHOWN + MAX_FOLDED), ...rest]
	const more = folded.length > 0 ? `\n\n${details(`and ${lines.length - MAX_SHOWN} more`, folded.join('\n'))}` : ''
	return `${title}\n\n${lines.slice(0, MAX_SHOWN).join('\n')}${more}`
}
