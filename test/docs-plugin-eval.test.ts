/** docs/plugin-eval.md: its workflow is short and uses inputs that exist, and its case is one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parsePluginCase } from '../src/formats/plugin-eval/case.ts'
import { INPUT_NAMES, parseInputs } from '../src/inputs.ts'
import { namesPluginResults } from '../src/io/plugin-results.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/plugin-eval.md'), 'utf8')
const [workflow = '', definition = '', tags = ''] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
	([, block = '']) => block,
)

it('has a workflow of less than 25 lines, whose inputs are read as a report on results', () => {
	expect(workflow.trim().split('\n').length).toBeLessThan(25)
	const steps: { with?: Record<string, string> }[] = parse(workflow).jobs.evals.steps
	const given = steps.at(-1)?.with ?? {}
	expect(Object.keys(given).filter((name) => !(INPUT_NAMES as string[]).includes(name))).toEqual([])
	expect(namesPluginResults(parseInputs((name) => given[name]))).toBe(true)
})

it('shows a case and a tag that give severities', () => {
	const files = { dir: 'evals/lunch', shown: 'evals/lunch', graders: [] }
	const { value, problems } = parsePluginCase({ ...files, caseYaml: definition })
	expect(problems).toEqual([])
	expect(['price', 'tone'].map((name) => value?.severityOf(name))).toEqual(['error', 'warning'])
	const tagged = parsePluginCase({ ...files, caseYaml: `${definition.replace(/^x-gate.*\n.*\n/m, '')}${tags}` })
	expect(tagged.value?.severityOf('price')).toBe('warning')
})
