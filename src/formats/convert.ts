import type { DefinitionFormat, Problem } from '../definition.ts'
import { type Detected, detectFormat } from './detect.ts'
import { isObject, parseJson } from './json.ts'

export type Target = Exclude<DefinitionFormat, 'eval_metadata' | 'plugin-eval'>
export const TARGETS: Target[] = ['skill-creator', 'run-evals', 'evalify']

/** The converted text, and what the target format cannot hold. */
export type Converted = { text: string; leftOut: string[] } | { problems: Problem[] }

type Item = Record<string, unknown>

/**
 * A definition in another format of the family. To the format that it has already it comes back byte for byte.
 * Unknown fields, ids, expected outputs, files and the order of keys are kept wherever the target can hold them.
 * In: the text, its name, the target, and the skill's name for a file that gives none. The definition must have been checked.
 */
export function convertDefinition(text: string, file: string, to: Target, skill: string): Converted {
	const { value: document, problems } = parseJson(text, file)
	if (!document) return { problems }
	const detected = detectFormat(document.value)
	if (!('format' in detected))
		return { problems: [{ code: detected.code, severity: 'error', file, message: detected.why, hint: detected.hint }] }
	if (detected.format === to) return { text, leftOut: [] }
	const leftOut: string[] = []
	const converted = to === 'evalify' ? toEvalify(detected, leftOut) : toWrapper(detected, to, skill, leftOut)
	return { text: `${JSON.stringify(converted, undefined, 2)}\n`, leftOut }
}

/** A bare list of prompts and sentences, as Evalify exports. */
function toEvalify({ root, items }: Detected, leftOut: string[]): Item[] {
	for (const key of Object.keys(root).filter((name) => name !== 'evals')) leftOut.push(key)
	return items.filter(isObject).map((item, at) => {
		for (const key of Object.keys(item).filter((name) => !['prompt', 'assertions', 'expectations'].includes(name)))
			leftOut.push(`evals[${at}].${key}`)
		return { prompt: item.prompt, expectations: toTexts(listOf(item), `evals[${at}]`, leftOut) }
	})
}

function toWrapper({ root, items, format }: Detected, to: Target, skill: string, leftOut: string[]): Item {
	const evals = items.filter(isObject).map((item, at) => {
		if (format === 'evalify') return fromEvalify(item, at, to, leftOut)
		return renameList(format === 'eval_metadata' ? fromMetadata(item) : item, at, to, leftOut)
	})
	if (!('evals' in root)) return { skill_name: skill, ...root, evals }
	const named = 'skill_name' in root || 'skill' in root ? root : { skill_name: skill, ...root }
	return { ...named, evals }
}

/** Evalify has no ids and no expected output; its own export numbers from 1 and leaves the others empty. */
function fromEvalify(item: Item, at: number, to: Target, leftOut: string[]): Item {
	const { prompt, expectations, assertions, ...rest } = item
	const list = listOf({ expectations, assertions })
	const key = to === 'skill-creator' ? 'expectations' : 'assertions'
	return {
		id: at + 1,
		prompt,
		expected_output: '',
		files: [],
		...rest,
		[key]: to === 'skill-creator' ? toTexts(list, `evals[${at}]`, leftOut) : list,
	}
}

/** eval_metadata.json calls an eval's id and name by longer names. */
function fromMetadata({ eval_id, eval_name, ...rest }: Item): Item {
	return { id: eval_id, ...(eval_name === undefined ? {} : { name: eval_name }), ...rest }
}

/** The list under the target's name, in its place. skill-creator's holds sentences only. */
function renameList(item: Item, at: number, to: Target, leftOut: string[]): Item {
	const key = to === 'skill-creator' ? 'expectations' : 'assertions'
	const list = to === 'skill-creator' ? toTexts(listOf(item), `evals[${at}]`, leftOut) : listOf(item)
	const first = 'assertions' in item ? 'assertions' : 'expectations'
	const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
		if (name === first) return [[key, list]]
		return name === 'assertions' || name === 'expectations' ? [] : [[name, value]]
	})
	return Object.fromEntries(entries)
}

function listOf(item: Item): unknown[] {
	const list = item.assertions ?? item.expectations
	return Array.isArray(list) ? list : []
}

/** An object's sentence; its other fields have no place in a list of texts. */
function toTexts(list: unknown[], where: string, leftOut: string[]): string[] {
	return list.map((element, at) => {
		if (!isObject(element)) return String(element)
		const key = ['text', 'description', 'assertion', 'expectation', 'name'].find((name) => typeof element[name] === 'string')
		const others = Object.keys(element).filter((name) => name !== key)
		if (others.length > 0) leftOut.push(`${where}.assertions[${at}]: ${others.join(', ')}`)
		return key === undefined ? JSON.stringify(element) : String(element[key])
	})
}
