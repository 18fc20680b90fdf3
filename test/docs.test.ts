/** What action.yml, the tables, the links and the workflows say is what the code does. The examples are in docs-examples.test.ts. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fillRegion, renderDocs } from '../scripts/write-docs.mjs'
import type { Result } from '../src/decision.ts'
import { INPUT_NAMES, parseInputs } from '../src/inputs.ts'
import { toOutputs } from '../src/outputs.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** As YAML to the runner: every default is text. */
const action = parse(read('action.yml'), { schema: 'failsafe' }) as {
	inputs: Record<string, { default?: string }>
	outputs: Record<string, unknown>
	runs: { using: string; main: string }
}
type Workflow = { jobs: Record<string, { steps: { uses?: string; run?: string }[] }> }

const listFiles = (directory: string, ending: RegExp) =>
	readdirSync(join(ROOT, directory))
		.filter((name) => ending.test(name))
		.map((name) => join(directory, name))
const WORKFLOWS = listFiles('.github/workflows', /\.ya?ml$/)
const DOCUMENTS = ['.', 'docs', '.github'].flatMap((directory) => listFiles(directory, /\.md$/))

describe('action.yml', () => {
	const command = '["agent"]'
	const silent = parseInputs((name) => (name === 'agent-command' ? command : undefined))

	it('has the inputs of src/inputs.ts, in the same order', () => {
		expect(Object.keys(action.inputs)).toEqual(INPUT_NAMES)
	})

	it('has the same defaults: what it gives is read as what is taken when nothing is given', () => {
		const given = parseInputs((name) => {
			// Only a job knows its token.
			if (name === 'github-token') return undefined
			return name === 'agent-command' ? command : action.inputs[name]?.default
		})
		expect(given).toEqual({ ...silent, defaultEvals: true })
		expect(action.inputs['github-token']?.default).toMatch(/^\$\{\{ github\.token \}\}$/)
	})

	it('says every default but that of evals, whose places are many', () => {
		const isSomething = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
		const unsaid = INPUT_NAMES.filter((name) => isSomething(silent[name]) && !action.inputs[name]?.default)
		expect(unsaid).toEqual(['evals', 'agent-command'])
	})

	it('has the outputs of src/outputs.ts, and the address of the comment, which is known later', () => {
		const counts = { expected: 0, passed: 0, failed: 0, errors: 0, skipped: 0 }
		const decision = { verdict: 'pass', title: '', counts: { all: counts, error: counts } }
		const names = Object.keys(toOutputs({ decision } as Result, { summaries: [], benchmarks: [], resultJson: '' }))
		expect(Object.keys(action.outputs)).toEqual([...names, 'comment-url'])
	})

	it('starts what was built', () => {
		expect(action.runs).toEqual({ using: 'node20', main: 'dist/main.cjs' })
		expect(statSync(join(ROOT, action.runs.main)).size).toBeGreaterThan(0)
	})
})

describe('the tables', () => {
	it('are up to date: npm run docs', async () => {
		for (const [file, text] of Object.entries(await renderDocs())) expect(read(file), file).toBe(text)
	})

	it.each([
		['no marker', 'text'],
		['no end', 'a <!-- x:start --> b'],
		['the end first', '<!-- x:end --> a <!-- x:start -->'],
		['a marker twice', '<!-- x:start --><!-- x:end --><!-- x:start --><!-- x:end -->'],
	])('a document with %s is refused', (_name, text) => {
		const sentence = /^FILE\.md must have <!-- x:start --> and after it <!-- x:end -->/
		expect(() => fillRegion('FILE.md', text, 'x', 'table')).toThrow(sentence)
	})
})

describe('links', () => {
	it.each(DOCUMENTS)('of %s lead to a file, and to a heading in it', (document) => {
		const text = read(document).replace(/^```[\s\S]*?^```$/gm, '')
		const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
		const broken = targets.filter((target) => {
			if (/^https?:/.test(target)) return false
			const [path = '', anchor] = target.split('#')
			const file = path === '' ? document : join(dirname(document), path)
			if (!existsSync(join(ROOT, file))) return true
			return anchor !== undefined && !anchorsOf(read(file)).includes(anchor)
		})
		expect(broken).toEqual([])
	})

	/** As GitHub makes them: lower case, spaces as hyphens, punctuation gone. */
	function anchorsOf(markdown: string): string[] {
		const toAnchor = (heading: string) => heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
		return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading).replace(/\s/g, '-'))
	}
})

describe('workflows', () => {
	const stepsOf = (text: string) => Object.values((parse(text) as Workflow).jobs).flatMap(({ steps }) => steps)

	it.each(WORKFLOWS)('%s: every action is ours, or pinned to a commit with its version beside it', (file) => {
		const used = [...read(file).matchAll(/^\s*(?:- )?uses:\s*(.+)$/gm)].map(([, value = '']) => value.trim())
		expect(used.length).toBe(stepsOf(read(file)).filter(({ uses }) => uses).length)
		const isPinned = (value: string) => value === './' || /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(value)
		expect(used.filter((value) => !isPinned(value))).toEqual([])
	})

	it.each(WORKFLOWS)('%s: nothing is spliced into a script', (file) => {
		const scripts = stepsOf(read(file)).flatMap(({ run }) => run ?? [])
		expect(scripts.length).toBeGreaterThan(0)
		expect(scripts.filter((script) => script.includes('${{'))).toEqual([])
	})

	it.each(WORKFLOWS)('%s: no permission without a reason', (file) => {
		expect(read(file)).toMatch(/^permissions: \{\}/m)
		const granted = read(file).match(/^\s+[a-z-]+: (?:read|write)\b.*$/gm) ?? []
		expect(granted.length).toBeGreaterThan(0)
		expect(granted.filter((line) => !/: (?:read|write) # \S/.test(line))).toEqual([])
	})

	it('examples: nothing is spliced into a script, and every document with one was looked at', () => {
		const examples = DOCUMENTS.flatMap((document) => read(document).match(/^```ya?ml\n[\s\S]*?^```$/gm) ?? [])
		expect(examples.length).toBeGreaterThan(2)
		const scripts = examples.flatMap((example) => example.match(/^( *)(?:- )?run:.*(?:\n\1 +.*)*/gm) ?? [])
		expect(scripts.filter((script) => script.includes('${{'))).toEqual([])
	})
})
