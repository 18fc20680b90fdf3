import type { Problem } from '../definition.ts'
import type { CaseDefinition } from '../formats/plugin-eval/case.ts'
import type { PluginCase, PluginResult } from '../formats/plugin-eval/result.ts'

/** Fields that the result repeats as they are written. */
const COMPARED = ['pattern', 'flags', 'match', 'path', 'exists', 'tool', 'min', 'max', 'criteria', 'input_match']

/**
 * Whether a case of the result is the case on disk: nothing in a result says of which commit it is, but it holds prompt and graders.
 * Out: an error for each difference, because a result of another definition measured something else; a warning for fewer runs than the case asks for.
 */
export function checkPluginCase(definition: CaseDefinition, item: PluginCase, at: number, result: PluginResult): Problem[] {
	const { dir } = item
	const place = { file: result.file, ...result.locate(['cases', at]) }
	const stale = (what: string): Problem => {
		const message = `${dir}: ${what} is not that of the plugin: the result is of another version of this case`
		return { code: 'plugin-eval-stale', severity: 'error', ...place, message, hint: 'run it again' }
	}
	const problems: Problem[] = []
	if (flatten(definition.execution.prompt) !== flatten(item.promptMarkdown)) problems.push(stale('its prompt'))
	const names = [...definition.graders, ...item.graders].map(({ name }) => name)
	for (const name of new Set(names)) {
		const declared = definition.graders.find((grader) => grader.name === name)
		const measured = item.graders.find((grader) => grader.name === name)
		if (!declared || !measured || !isSame(declared, measured)) problems.push(stale(`the grader ${JSON.stringify(name)}`))
	}
	if (item.runsPerCase < definition.runs) {
		const message = `${dir}: ${item.runsPerCase} of the ${definition.runs} runs that the case asks for`
		problems.push({ code: 'plugin-eval-runs', severity: 'warning', ...place, message })
	}
	return problems
}

/** What the case does not write has a default there; only what it writes is compared. */
function isSame(declared: CaseDefinition['graders'][number], { type, weight, config }: PluginCase['graders'][number]): boolean {
	const own: Record<string, unknown> = declared
	const isEqual = (key: string) => own[key] === undefined || flatten(String(own[key])) === flatten(String(config[key]))
	return declared.type === type && (declared.weight ?? 1) === weight && COMPARED.every(isEqual)
}

function flatten(text: string): string {
	return text.replace(/\s+/g, ' ').trim()
}
