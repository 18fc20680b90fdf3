/** The examples of docs/formats.md are read as the page says. Its refusals are generated from the code (scripts/refusals.mjs). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkGraders } from '../src/core/check-definitions.ts'
import { parseEvals } from '../src/formats/evals.ts'
import { parseGrading } from '../src/formats/grading.ts'
import { parsePolicy } from '../src/formats/policy.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/formats.md'), 'utf8')

/** The first code block of a language below a heading. */
function example(heading: string, language: string): string {
	const section = page.split(/^#+ /m).find((part) => part.startsWith(heading))
	const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section ?? '')?.[1]
	if (block === undefined) throw new Error(`docs/formats.md has no example of ${language} under "${heading}"`)
	return block
}

const errors = (problems: { severity: string }[]) => problems.filter(({ severity }) => severity === 'error')

describe('docs/formats.md', () => {
	it.each([
		['run-evals, agentskills.io', 'run-evals'],
		['skill-creator v2', 'skill-creator'],
		['Evalify', 'evalify'],
		['eval_metadata.json', 'eval_metadata'],
	])('%s is read as %s', (heading, format) => {
		const { value, problems } = parseEvals(example(heading, 'json'), 'example', 'reporter')
		expect(errors(problems)).toEqual([])
		expect(value).toMatchObject({ format, evals: [{ id: '1', assertions: [{ grader: 'judge' }] }] })
	})

	it('every form of an assertion can be used', () => {
		const assertions = JSON.parse(example('Assertions', 'json'))
		const { value, problems } = parseEvals(
			JSON.stringify({ skill_name: 'reporter', evals: [{ id: 1, prompt: 'p', assertions }] }),
			'example',
			'x',
		)
		expect(errors([...problems, ...checkGraders(value!)])).toEqual([])
		expect(value?.evals[0]?.assertions.map(({ grader }) => grader)).toEqual(['judge', 'judge', 'judge', 'contains', 'regex'])
	})

	it('the grading and the policy too', () => {
		expect(parseGrading(example('grading.json', 'json'), 'example')).toMatchObject({
			value: { rows: [{ outcome: 'pass' }] },
			problems: [],
		})
		expect(parsePolicy(example('Severities by policy', 'yaml'), 'example')).toMatchObject({
			value: { severities: { length: 3 } },
			problems: [],
		})
	})
})
