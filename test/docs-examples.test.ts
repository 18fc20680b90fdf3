/** What the examples of docs/ and the smoke workflow show is tried with the built program. */
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runAction, runCommand } from './support/program.ts'
import { makeTree } from './support/tree.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The fenced blocks of a document, by language, in order. */
function blocks(document: string, language: string): string[] {
	const all = [...read(document).matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)]
	return all.flatMap(([, name, text = '']) => (name === language ? [text] : []))
}

describe('the smoke workflow', () => {
	type Step = { id?: string; uses?: string; run?: string; with?: Record<string, string>; env?: Record<string, string> }
	const workflow = parse(read('.github/workflows/smoke.yml')) as { jobs: { smoke: { steps: Step[] } } }
	const { steps } = workflow.jobs.smoke
	const expression = (name: string) => `\${{ ${name} }}`

	it('has three cases', () => {
		expect(steps.filter(({ uses }) => uses === './').map(({ id }) => id)).toEqual(['green', 'red', 'empty'])
	})

	it.each(['green', 'red', 'empty'])('%s ends as the step after it wants', async (id) => {
		await using tree = makeTree()
		cpSync(join(ROOT, 'fixtures'), tree.path('fixtures'), { recursive: true, verbatimSymlinks: true })
		const at = steps.findIndex((step) => step.id === id)
		const fill = (value: string) => value.replaceAll(expression('github.workspace'), tree.dir)
		const given = Object.entries(steps[at]?.with ?? {}).map(([name, value]) => [name, fill(value)])
		const { exitCode, outputs, stdout } = await runAction({ cwd: tree.dir, inputs: Object.fromEntries(given) })

		const values = new Map([[expression(`steps.${id}.outcome`), exitCode === 0 ? 'success' : 'failure']])
		for (const [name, value] of Object.entries(outputs)) values.set(expression(`steps.${id}.outputs.${name}`), value)
		const { run, env = {} } = steps[at + 1] ?? {}
		const [, shown = '', wanted] = /^test "(.*)" = '(.*)'$/.exec(run ?? '') ?? []
		const measured = shown.replaceAll(/\$([A-Z]+)/g, (_all, variable: string) => values.get(env[variable] ?? '') ?? '?')
		expect(measured, stdout).toBe(wanted)
	})
})

describe('docs/graders.md', () => {
	async function validate(assertions: unknown[]) {
		await using tree = makeTree({ 'evals.json': { skill_name: 'x', evals: [{ id: 1, prompt: 'x', assertions }] } })
		const { exitCode, stdout } = await runCommand(['validate', 'evals.json', '--json'], { cwd: tree.dir })
		const problems = JSON.parse(stdout).problems as { pointer: string; message: string }[]
		return { exitCode, problems }
	}

	it('has a row, a section and an example for every grader, and each example is accepted', async () => {
		const assertions = blocks('docs/graders.md', 'json').map((text) => JSON.parse(text))
		expect(await validate(assertions)).toEqual({ exitCode: 0, problems: [] })
		const sections = [...read('docs/graders.md').matchAll(/^## ([a-z-]+)$/gm)].map(([, name]) => name)
		const rows = [...read('docs/graders.md').matchAll(/^\| `([a-z-]+)` \| .* \| .* \|$/gm)].map(([, name]) => name)
		expect(sections).toEqual(rows)
		expect([...new Set(assertions.map(({ grader }) => grader))].sort()).toEqual(rows.sort())
	})

	it('calls patterns impossible that are refused', async () => {
		const table = read('docs/graders.md').split('| Not possible | Instead |')[1] ?? ''
		const cells = [...table.matchAll(/^\|(.*?)\|.*\|$/gm)].map(([, cell = '']) => cell)
		const patterns = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, pattern]) => pattern))
		expect(patterns.length).toBeGreaterThan(5)
		const { problems } = await validate(patterns.map((pattern) => ({ text: 'x', grader: 'regex', options: { pattern } })))
		const refused = patterns.map((_pattern, at) => `/evals/0/assertions/${at}/options/pattern`)
		expect(problems.map(({ pointer }) => pointer)).toEqual(refused)
	})
})

describe('a run as the other pages show it', () => {
	const [staged = '', prompt = ''] = blocks('docs/agent-command.md', '')
	const [report = ''] = blocks('docs/agent-command.md', 'json')
	const [request = '', answer = ''] = blocks('docs/judge.md', 'json')
	const files = blocks('docs/workspace.md', 'json').map((text) => JSON.parse(text))

	const EVALS = {
		skill_name: 'weather',
		evals: [
			{
				id: 1,
				name: 'one city',
				prompt: 'Write a weather report of files/today.txt.',
				expected_output: 'A report.',
				files: ['files/today.txt'],
				assertions: [
					{ id: 'city', text: 'The report names the city', grader: 'contains', options: { value: 'Berlin' } },
					'The report says whether it is warm',
				],
			},
		],
	}
	/** It leaves what it saw at the path in its first argument. */
	const AGENT = `const fs = require('fs')
const seen = { prompt: fs.readFileSync(0, 'utf8'), names: fs.readdirSync('.', { recursive: true }), variables: Object.keys(process.env) }
fs.writeFileSync(process.argv[2], JSON.stringify(seen))
fs.writeFileSync('outputs/report.md', 'Berlin: 21 degrees, warm.\\n')
fs.writeFileSync(process.env.SKILL_EVAL_REPORT, ${JSON.stringify(report)})`
	const JUDGE = `const fs = require('fs')
const request = JSON.parse(fs.readFileSync(0, 'utf8'))
fs.writeFileSync('request.json', JSON.stringify(request))
const { results } = ${answer}
// The example shows the false assertion in the second place; it may stand in the first.
const isFalse = ({ text }) => text !== 'The report says whether it is warm'
console.log(JSON.stringify({ results: request.assertions.map((asked) => ({ ...results[isFalse(asked) ? 1 : 0], n: asked.n })) }))`

	it('gives agent and judge what they are said to get, and leaves the files that are shown', async () => {
		await using tree = makeTree({
			'skills/weather/SKILL.md': '---\nname: weather\n---\n',
			'skills/weather/evals/evals.json': EVALS,
			'skills/weather/evals/files/today.txt': 'Berlin 21',
			'agent.cjs': AGENT,
			'judge.cjs': JUDGE,
		})
		const agent = JSON.stringify(['node', tree.path('agent.cjs'), tree.path('seen.json')])
		const flags = ['--agent-command', agent, '--judge', 'command', '--judge-command', '["node", "judge.cjs"]']
		const { exitCode, stderr } = await runCommand(['run', ...flags, '--workspace', '{skill}'], { cwd: tree.dir })
		expect(exitCode, stderr).toBe(0)

		const seen = tree.json('seen.json') as { prompt: string; names: string[]; variables: string[] }
		expect(seen.prompt).toBe(prompt)
		const places = staged.split('\n').flatMap((line) => line.split(' ')[0] || [])
		expect(places.filter((place) => !seen.names.includes(place.replace(/\/$/, '')))).toEqual([])
		const named = [...read('docs/agent-command.md').matchAll(/`([A-Z_]{2,})`/g)].map(([, name]) => name)
		expect(seen.variables.filter((name) => !named.includes(name))).toEqual([])

		const { rules, nonce, assertions, ...asked } = tree.json('request.json') as {
			rules: string[]
			nonce: string
			assertions: { text: string }[]
		}
		const { rules: shownRules, nonce: shownNonce, assertions: shownAssertions, ...shownAsked } = JSON.parse(request)
		expect(asked).toEqual(shownAsked)
		expect(nonce).toMatch(/^[0-9a-f]{24}$/)
		expect(shownNonce).toMatch(/^[0-9a-f]{24}$/)
		expect(assertions).toHaveLength(shownAssertions.length)
		expect(assertions.map(({ text }) => text)).toContain(shownAssertions[0].text)
		expect([rules[0], rules.length]).toEqual([shownRules[0], 7])

		const written = ['eval-1/grading.json', 'eval-1/timing.json', 'benchmark.json', 'feedback.json'].map(
			(file) => `weather/${file}`,
		)
		const paths = [...written, 'weather.runs/eval-1/eval_metadata.json', 'result.json']
		expect(files).toHaveLength(paths.length)
		for (const [at, path] of paths.entries()) {
			expect(leavesOf(tree.json(path)), path).toEqual(expect.objectContaining(leavesOf(files[at])))
		}
		const listing = blocks('docs/workspace.md', '')[0] ?? ''
		expect(listing).toContain('result.json')
		expect(pathsOf(listing).filter((path) => !existsSync(tree.path(path)))).toEqual([])
	})
})

/** Every scalar of a JSON value by its pointer, so that a shortened example can be compared; of a time only that it is a number. */
function leavesOf(value: unknown, pointer = ''): Record<string, unknown> {
	if (/duration/.test(pointer)) return { [pointer]: typeof value }
	if (typeof value !== 'object' || value === null) return { [pointer]: value }
	return Object.assign({}, ...Object.entries(value).map(([key, part]) => leavesOf(part, `${pointer}/${key}`)))
}

/** The paths that an indented listing of directories shows. */
function pathsOf(listing: string): string[] {
	const above: { depth: number; path: string }[] = []
	return listing.split('\n').flatMap((line) => {
		const [, indent = '', name] = /^( *)(\S+)/.exec(line) ?? []
		if (name === undefined) return []
		while ((above.at(-1)?.depth ?? -1) >= indent.length) above.pop()
		const path = `${above.at(-1)?.path ?? ''}${name}`
		if (name.endsWith('/')) above.push({ depth: indent.length, path })
		return [path]
	})
}
