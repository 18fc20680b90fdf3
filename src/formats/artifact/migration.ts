import { isObject } from '../json.ts'

/** What authors write for another thing, mostly from before version 1.0 of the vocabulary, and what to write instead. */
const FIELDS: Record<string, string> = {
	name: 'call it "id"',
	text: 'call it "assertion"',
	criteria: 'call it "assertion"',
	prompt: 'a block has no prompts: write "assertion", and put prompts into evals/evals.json',
	timeout: 'call it "timeout-ms", in milliseconds',
	level: 'call it "severity"',
}

/** For a field of an entry that is not known: its kebab-case spelling, or the name of today. */
export function hintField(key: string, known: readonly string[]): string {
	const kebab = key
		.replace(/([a-z])([A-Z])/g, '$1-$2')
		.replaceAll('_', '-')
		.toLowerCase()
	if (known.includes(kebab)) return `write "${kebab}"`
	return FIELDS[kebab] ?? 'remove it, or correct its spelling'
}

/** For a value that is not allowed. */
export function hintValue(path: readonly PropertyKey[], found: unknown): string | undefined {
	const field = path.at(-1)
	if (field === 'severity' && typeof found === 'string') return SEVERITIES[found.toLowerCase()]
	if (field === 'grader' && typeof found === 'string') return hintGrader(found.toLowerCase())
	if (field === 'evals' && isObject(found)) {
		return 'criteria' in found
			? 'write the items of "criteria" directly below "evals", and call their "name" "id"'
			: 'write a list'
	}
	if (typeof found === 'string' && /^(yes|no|on|off)$/i.test(found)) return 'in YAML 1.2 this is a text: write true or false'
	return undefined
}

const SEVERITIES: Record<string, string> = {
	info: 'write "notice"',
	error: 'write it in lower case',
	warning: 'write it in lower case',
	notice: 'write it in lower case',
	warn: 'write "warning"',
	critical: 'write "error"',
	high: 'write "error"',
}

/** A name that is no grader of a block but means one of today's; undefined if it means none. `judge` is one in an evals file only. */
export function hintGrader(name: string): string | undefined {
	const lower = name.toLowerCase()
	if (/^(llm([-_ ]?judge)?|judge|model|gpt|claude)$/.test(lower)) return 'write "ai"'
	if (/^(script|shell|bash|exec)$/.test(lower)) return 'write "command"'
	return ['ai', 'human', 'command'].includes(lower) && name !== lower ? 'write it in lower case' : undefined
}

/** For a key below `metadata` that begins with the reserved `eval-`. */
export function hintReserved(key: string): string {
	if (key.toLowerCase() === 'eval-skip') return 'write "eval-skip", in lower case'
	if (/provenance/i.test(key)) return 'it is called "meta-provenance" now'
	return 'the only key that begins so is "eval-skip"; the others are "evals" and "meta-provenance"'
}

/** Keys that look like one of ours and mean nothing: the key that was probably meant. */
export function guessKey(key: string): string | undefined {
	const plain = key.toLowerCase().replace(/[-_ ]/g, '')
	if (plain === 'evalskip' || plain === 'evalsskip' || plain === 'skipevals') return 'eval-skip'
	if ((plain === 'eval' || plain === 'evals') && key !== 'evals') return 'evals'
	return plain === 'metaprovenance' && key !== 'meta-provenance' ? 'meta-provenance' : undefined
}
