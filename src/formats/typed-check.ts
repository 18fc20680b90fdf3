import type { Target } from '../definition.ts'

/** A check of another tool's vocabulary, in the words of our graders. */
export type MappedCheck = { grader: string; options: Record<string, unknown>; target?: Target; text?: string }

type Fields = Record<string, unknown>
type Rule = { needs: string[]; may?: string[]; map: (fields: Fields) => MappedCheck }

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
const texts = (value: unknown) =>
	Array.isArray(value) && value.every((each) => typeof each === 'string') ? (value as string[]) : undefined
const inFile = (path: unknown): Target => ({ source: 'file', path: stripOutputs(text(path) ?? '') })
const stripOutputs = (path: string) => path.replace(/^(\.\/)?(outputs\/)?/, '')
const listOf = ({ values, terms, substrings }: Fields) => texts(values) ?? texts(terms) ?? texts(substrings)

const contains: Rule = { needs: ['value'], map: ({ value }) => ({ grader: 'contains', options: { value } }) }
const containsAll: Rule = {
	needs: ['values|terms'],
	map: (fields) => ({ grader: 'contains', options: { values: listOf(fields) } }),
}
const notContains: Rule = {
	needs: ['value|values|terms'],
	map: (fields) => ({ grader: 'not-contains', options: { values: listOf(fields) ?? [text(fields.value)] } }),
}
const regex: Rule = { needs: ['pattern'], may: ['flags', 'target'], map: mapPattern }
const path: Rule = {
	needs: ['path|file'],
	map: (fields) => ({ grader: 'file-exists', options: { path: stripOutputs(text(fields.path ?? fields.file) ?? '') } }),
}

/** By type, with `-` for `_`. A type is a check only with the fields it needs; the same word is prose in other repositories. */
const RULES: Record<string, Rule> = {
	contains,
	'string-contains': contains,
	'contains-all': containsAll,
	'contains-any': {
		needs: ['values|terms'],
		map: (fields) => ({ grader: 'regex', options: { pattern: `(?:${listOf(fields)?.map(escapePattern).join('|')})` } }),
	},
	'not-contains': notContains,
	'not-contains-any': notContains,
	regex,
	'regex-match': regex,
	'string-match': regex,
	'not-regex': { ...regex, map: (fields) => ({ ...mapPattern(fields), grader: 'not-regex' }) },
	'file-exists': path,
	'file-not-exists': { ...path, map: (fields) => ({ ...path.map(fields), grader: 'file-not-exists' }) },
	'file-contains': { needs: ['path|file', 'pattern|value'], may: ['flags'], map: mapFileContains },
	'file-not-contains': { needs: ['path|file', 'pattern|value'], may: ['flags'], map: mapFileNotContains },
	'string-contains-in-file': { needs: ['file', 'value'], map: mapFileContains },
	'substring-in-file': { needs: ['file', 'substring|substrings'], may: ['min_count'], map: mapSubstring },
	'llm-judge': { needs: ['criterion'], map: ({ criterion }) => ({ grader: 'judge', options: {}, text: text(criterion) ?? '' }) },
}

/** Fields that say how to check something: one that is not understood must not quietly lose its effect. */
export const CHECK_FIELDS = new Set([
	...[
		'pattern',
		'patterns',
		'flags',
		'value',
		'values',
		'terms',
		'path',
		'file',
		'substring',
		'substrings',
		'min_count',
		'criterion',
	],
	...[
		'cmd',
		'command',
		'run',
		'expect_exit',
		'expect_substring',
		'expected',
		'schema',
		'threshold',
		'contains',
		'regex',
		'matches',
		'equals',
	],
])

/** The check that a type and its fields come to; undefined for a type that is not known, or lacks what it needs, or has more than is understood. */
export function mapCheck(type: string, fields: Fields): MappedCheck | undefined {
	const rule = Object.hasOwn(RULES, normaliseType(type)) ? RULES[normaliseType(type)] : undefined
	if (!rule) return undefined
	const present = Object.keys(fields).filter((key) => CHECK_FIELDS.has(key) || key === 'target')
	const allowed = new Set([...rule.needs.flatMap((need) => need.split('|')), ...(rule.may ?? [])])
	const complete = rule.needs.every((need) =>
		need.split('|').some((key) => text(fields[key]) !== undefined || texts(fields[key]) !== undefined),
	)
	return complete && present.every((key) => allowed.has(key)) ? rule.map(fields) : undefined
}

export function normaliseType(type: string): string {
	return type.trim().toLowerCase().replaceAll('_', '-')
}

/** `target` in this family is `assistant-text` or an object with `file`. */
function mapPattern(fields: Fields): MappedCheck {
	const { pattern, flags, target } = fields
	const aim =
		typeof target === 'object' && target !== null
			? inFile((target as Fields).file)
			: target === 'assistant-text'
				? ({ source: 'last-message' } as const)
				: undefined
	// JavaScript's `g` and `u` change nothing about whether something is found.
	const kept = text(flags)?.replace(/[gu]/g, '')
	return { grader: 'regex', options: { pattern, ...(kept ? { flags: kept } : {}) }, ...(aim ? { target: aim } : {}) }
}

function mapFileContains(fields: Fields): MappedCheck {
	const target = inFile(fields.path ?? fields.file)
	if (fields.pattern !== undefined) return { ...mapPattern({ pattern: fields.pattern, flags: fields.flags }), target }
	return { grader: 'contains', options: { value: fields.value }, target }
}

function mapFileNotContains(fields: Fields): MappedCheck {
	const mapped = mapFileContains(fields)
	return { ...mapped, grader: mapped.grader === 'regex' ? 'not-regex' : 'not-contains' }
}

function mapSubstring(fields: Fields): MappedCheck {
	const values = listOf(fields) ?? [text(fields.substring) ?? '']
	const count = fields.min_count
	return {
		grader: 'contains',
		options: { values, ...(count === undefined ? {} : { 'min-count': count }) },
		target: inFile(fields.file),
	}
}

function escapePattern(value: string): string {
	return value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
