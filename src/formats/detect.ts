import type { DefinitionFormat } from '../definition.ts'
import { describeValue, isObject, type Path } from './json.ts'

/** Where the evals of a document are, and what its content says it is. */
export type Detected = { format: DefinitionFormat; items: unknown[]; path: Path; root: Record<string, unknown> }
export type Refused = { code: string; why: string; hint: string }

/**
 * What a document is, by its content, most specific first (Evalify's order): skill-creator v2, run-evals, Evalify; and eval_metadata.json
 * of skill-creator's workspaces. What looks like another kind of file is refused by name.
 */
export function detectFormat(document: unknown): Detected | Refused {
	if (Array.isArray(document)) return detectArray(document)
	if (!isObject(document)) return refuse('evals-shape', `it holds ${describeValue(document)}`)
	const { evals } = document
	if (Array.isArray(evals)) {
		if (evals.length > 0 && evals.every(isTriggerEval)) return TRIGGER
		return { format: formatOf(evals, document.skill_name !== undefined), items: evals, path: ['evals'], root: document }
	}
	if (evals !== undefined) return refuse('evals-shape', `"evals" is ${describeValue(evals)}, not a list`)
	if ('prompt' in document && ('eval_id' in document || 'eval_name' in document)) {
		return { format: 'eval_metadata', items: [document], path: [], root: {} }
	}
	const other = ['cases', 'test_cases', 'tests', 'suites'].find((key) => Array.isArray(document[key]))
	if (other !== undefined)
		return refuse('evals-shape', `it has "${other}" and no "evals"`, `if these are evals, call the list "evals"`)
	if ('query' in document && 'expected_behavior' in document) {
		return refuse(
			'evals-shape',
			'it is one eval with "query" and "expected_behavior"',
			'write it as an item of "evals" with "prompt" and "assertions"',
		)
	}
	return refuse('evals-shape', `it has no "evals" (found: ${Object.keys(document).slice(0, 8).join(', ') || 'no key at all'})`)
}

function detectArray(items: unknown[]): Detected | Refused {
	if (items.length > 0 && items.every(isTriggerEval)) return TRIGGER
	if (items.every((item) => isObject(item) && ('prompt' in item || 'assertions' in item || 'expectations' in item))) {
		return { format: formatOf(items, false), items, path: [], root: {} }
	}
	return refuse('evals-shape', 'it is a list of something else')
}

function formatOf(items: unknown[], isWrapped: boolean): DefinitionFormat {
	const has = (item: unknown, key: string) => isObject(item) && item[key] !== undefined
	if (items.some((item) => has(item, 'assertions'))) return 'run-evals'
	if (isWrapped || items.some((item) => ['id', 'expected_output', 'files'].every((key) => has(item, key)))) return 'skill-creator'
	return 'evalify'
}

/** `{query, should_trigger}`: whether a skill is chosen, not what it does. */
function isTriggerEval(item: unknown): boolean {
	return isObject(item) && 'should_trigger' in item && !('assertions' in item) && !('expectations' in item)
}

const TRIGGER: Refused = {
	code: 'trigger-evals',
	why: 'these are trigger evals (should_trigger), not behaviour evals: there is no output to grade',
	hint: 'leave the file out of the input "evals"',
}

function refuse(code: string, what: string, hint = 'write an object with "skill_name" and "evals", a list of evals'): Refused {
	return { code, why: `this is not an evals file: ${what}`, hint }
}
