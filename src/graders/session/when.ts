import * as z from 'zod'
import { shorten } from '../excerpt.ts'
import { compilePattern } from '../pattern.ts'
import { explainForeignTool } from './absence.ts'
import { compileGlob, MAX_GLOB_CHARACTERS } from './path-glob.ts'
import type { View } from './view.ts'

/** A pattern inside options, without flags. */
export const patternText = z.string().superRefine((text, context) => {
	const compiled = compilePattern(text)
	if (!compiled.ok) context.addIssue({ code: 'custom', message: compiled.message, params: { hint: compiled.hint } })
})

/** A glob of paths. */
export const globText = z
	.string()
	.min(1, 'must not be empty')
	.max(MAX_GLOB_CHARACTERS, `must be at most ${MAX_GLOB_CHARACTERS} characters long`)

const conditions = {
	'file-access': globText.optional(),
	'tool-used': z.string().min(1, 'must not be empty').optional(),
	'prompt-matches': patternText.optional(),
	'command-matches': patternText.optional(),
	'turn-count-above': z.int().min(0, 'must be at least 0').optional(),
}

/** Conditions that must all hold in the window before an assertion counts; a set of none would look like a limit and be none. */
export const when = z
	.strictObject(conditions, {
		error: (issue) =>
			issue.code === 'unrecognized_keys' ? `the conditions are ${Object.keys(conditions).join(', ')}` : undefined,
	})
	.refine((given) => Object.keys(given).length > 0, {
		error: `"when" needs at least one of ${Object.keys(conditions).join(', ')}`,
		when: ({ issues }) => issues.length === 0,
	})
	.optional()

export type When = z.infer<typeof when>

/** Why the conditions do not hold, undefined if they do. `isKnown: false`: this record cannot tell. */
export function explainUnarmed(given: When, view: View): { reason: string; isKnown: boolean } | undefined {
	if (!given) return undefined
	const unmet = (Object.keys(conditions) as (keyof typeof conditions)[]).flatMap((name) => {
		const fault = given[name] === undefined ? undefined : CHECKS[name](given, view)
		return fault ?? []
	})
	return unmet[0]
}

type Unmet = { reason: string; isKnown: boolean } | undefined

const CHECKS: Record<keyof typeof conditions, (given: NonNullable<When>, view: View) => Unmet> = {
	'file-access': (given, view) => {
		const fits = compileGlob(given['file-access'] ?? '')
		if (view.fileAccesses.some(({ path, result }) => result !== 'denied' && fits(path))) return undefined
		const reason = `no file that fits ${quoteShort(given['file-access'])} was accessed`
		return { reason, isKnown: !view.unrecorded.includes('file-reads') && !view.unrecorded.includes('file-writes') }
	},
	'tool-used': (given, view) => {
		const tool = given['tool-used'] ?? ''
		if (view.toolCalls.some(({ name }) => name === tool)) return undefined
		const foreign = explainForeignTool(view, tool)
		if (foreign !== undefined) return { reason: foreign, isKnown: false }
		return { reason: `the tool ${quoteShort(tool)} was never used`, isKnown: !view.unrecorded.includes('tool-calls') }
	},
	'prompt-matches': (given, view) => {
		if (
			matchesAny(
				given['prompt-matches'],
				view.prompts.map(({ text }) => text),
			)
		)
			return undefined
		return { reason: `no prompt matches ${slashed(given['prompt-matches'])}`, isKnown: !view.unrecorded.includes('prompts') }
	},
	'command-matches': (given, view) => {
		if (matchesAny(given['command-matches'], view.toolCalls.flatMap(readCommand))) return undefined
		const reason = `no shell command matches ${slashed(given['command-matches'])}`
		return { reason, isKnown: !view.unrecorded.includes('tool-calls') }
	},
	'turn-count-above': (given, view) => {
		const above = given['turn-count-above'] ?? 0
		if (view.turns > above) return undefined
		return { reason: `${view.turns} turns are not more than ${above}`, isKnown: !view.unrecorded.includes('turns') }
	},
}

/** The names that agents give their shell. */
const SHELLS = new Set(['bash', 'shell', 'run_shell_command', 'exec_command', 'command_execution', 'exec', 'local_shell'])

function readCommand({ name, input }: View['toolCalls'][number]): string[] {
	if (!SHELLS.has(name.toLowerCase()) || typeof input !== 'object' || input === null || !('command' in input)) return []
	const { command } = input
	return typeof command === 'string'
		? [command]
		: Array.isArray(command)
			? [command.filter((part) => typeof part === 'string').join(' ')]
			: []
}

function matchesAny(source: string | undefined, texts: string[]): boolean {
	const compiled = compilePattern(source ?? '')
	return compiled.ok && texts.some((text) => compiled.find(text) !== undefined)
}

function slashed(source: string | undefined): string {
	return `/${shorten(source ?? '', 80)}/`
}

function quoteShort(text: string | undefined): string {
	return JSON.stringify(shorten(text ?? '', 80))
}
