/** metadata.evals blocks through the built program: their own lines in the pull request, sessions that were recorded, and everything that must not turn green. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FIELDS } from '../src/formats/artifact/entry.ts'
import { LIMIT_MS, runGate } from './execution-support.ts'
import { makePullRequestEvent } from './github/events.ts'
import { startGitHub } from './github/server.ts'
import { runAction, runCommand } from './support/program.ts'
import { makeTree, type Tree, type TreeFile } from './support/tree.ts'

const line = (event: object) => `${JSON.stringify({ session_id: 's', ...event })}\n`
const say = (text: string) => line({ type: 'assistant', message: { id: text, content: [{ type: 'text', text }] } })
const use = (id: string, name: string, input: object) =>
	line({ type: 'assistant', message: { id, content: [{ type: 'tool_use', id, name, input }] } }) +
	line({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] } })
const end = line({
	type: 'result',
	subtype: 'success',
	is_error: false,
	result: 'done',
	num_turns: 1,
	usage: { input_tokens: 9, output_tokens: 1 },
})
const loaded = use('t1', 'Skill', { skill: 'notes' })
const session = (...events: string[]) => line({ type: 'system', subtype: 'init' }) + events.join('') + end

/** A skill `notes` with this block, indented as it stands below `metadata:`. */
const skill = (block: string) => `---\nname: notes\ndescription: writes notes\nmetadata:\n${block}---\nWrite notes.\n`
const EVALS = {
	skill_name: 'notes',
	evals: [
		{ id: 1, prompt: 'Write.', assertions: [{ text: 'Notes are there', grader: 'file-exists', options: { path: 'notes.md' } }] },
	],
}
const BLOCK = `  evals:
    - id: used-bash
      grader: tool-usage
      options: { tool: Bash }
    - id: no-edits
      severity: warning
      grader: file-access
      options: { path: "src/**", expect: not-accessed }
`

function makeRepository(block: string, record: string, more: Record<string, TreeFile> = {}): Tree {
	return makeTree({
		'skills/notes/SKILL.md': skill(block),
		'skills/notes/evals/evals.json': EVALS,
		'record.jsonl': record,
		'agent.mjs': `import { readFileSync, writeFileSync } from 'node:fs'
writeFileSync('outputs/notes.md', 'notes')
process.stdout.write(readFileSync(process.argv[2]))`,
		...more,
	})
}

const agentOf = (tree: Tree) => ['node', tree.path('agent.mjs'), tree.path('record.jsonl')]
const FLAGS = ['--evals', 'skills/notes/evals/evals.json']

async function run(block: string, record: string, flags: string[] = [], more: Record<string, TreeFile> = {}) {
	await using tree = makeRepository(block, record, more)
	const { exitCode, result, stderr } = await runGate(tree, agentOf(tree), { flags: [...FLAGS, ...flags] })
	return { exitCode, result, stderr, rows: rowsOf(result) }
}

type Rows = { id?: string; outcome: string; evidence: string }[]
function rowsOf(result: unknown): Record<string, string> {
	const { suites } = result as { suites: { evals: { assertions: Rows }[] }[] }
	const rows = suites.flatMap(({ evals }) => evals.flatMap(({ assertions }) => assertions))
	return Object.fromEntries(rows.map(({ id, outcome }) => [id ?? 'own', outcome]))
}

describe('a skill with a block and an evals file', () => {
	it('has its rules behind the own assertions, and each blocking failure on its own line of SKILL.md in the pull request', async () => {
		await using github = await startGitHub()
		await using tree = makeRepository(BLOCK, session(loaded, use('t2', 'Edit', { file_path: 'src/a.ts' }), say('done')))
		const inputs = { 'agent-command': JSON.stringify(agentOf(tree)), workspace: 'results/{skill}' }
		const { exitCode, commands, stdout } = await runAction({
			cwd: tree.dir,
			github,
			event: makePullRequestEvent(github),
			inputs,
			limitMs: LIMIT_MS,
		})
		expect(exitCode, stdout).toBe(1)
		const places = commands
			.filter(({ name }) => name === 'error' || name === 'warning')
			.map(({ name, properties: { file, line: at } }) => `${name} ${file}:${at}`)
		expect(places).toEqual(['error skills/notes/SKILL.md:6'])
		const [comment] = await github.comments()
		expect(comment?.body).toContain('1 of 3 assertions passed')
		expect(comment?.body).toContain('Bash')
	})

	it('passes where the rules are kept', async () => {
		const { exitCode, rows, stderr } = await run(BLOCK, session(loaded, use('t2', 'Bash', { command: 'ls' }), say('done')))
		expect(rows, stderr).toEqual({ own: 'pass', 'used-bash': 'pass', 'no-edits': 'pass' })
		expect(exitCode).toBe(0)
	})

	it('counts nothing that happened before the skill was loaded, or after another one was', async () => {
		const other = use('t9', 'Skill', { skill: 'other' })
		const bash = use('t2', 'Bash', { command: 'ls' })
		expect((await run(BLOCK, session(bash, loaded, other, say('done')))).rows['used-bash']).toBe('fail')
		expect((await run(BLOCK, session(loaded, other, use('t3', 'Bash', {}), say('done')))).rows['used-bash']).toBe('fail')
	})

	it('skips the rules of a skill that was never loaded, with the reason, and counts no pass', async () => {
		const { rows, result } = await run(BLOCK, session(use('t2', 'Bash', {}), say('done')))
		expect(rows).toEqual({ own: 'pass', 'used-bash': 'skipped', 'no-edits': 'skipped' })
		expect(result.counts.all).toMatchObject({ expected: 1, passed: 1 })
		const evidence = result.suites[0]?.evals[0]?.assertions.map((row) => row.evidence)
		expect(evidence?.[1]).toContain('the skill "notes" was never invoked in this session')
	})

	it('an agent without a record that can be read leaves the rules unmeasured, however green the rest is', async () => {
		for (const record of ['I did everything.\n', '{"type":"unknown"}\n', '']) {
			const { exitCode, rows } = await run(BLOCK, record)
			expect(rows).toEqual({ own: 'pass', 'used-bash': 'error', 'no-edits': 'error' })
			expect(exitCode).toBe(2)
		}
	})

	it('a record that cannot tell is no proof that nothing was done', async () => {
		const codex =
			'{"type":"thread.started","thread_id":"t"}\n{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}\n'
		const rules = BLOCK.replace('- id: used-bash\n      grader: tool-usage\n      options: { tool: Bash }\n    ', '')
		const { rows } = await run(rules.replace('severity: warning', 'severity: error'), codex)
		expect(rows['no-edits']).toBe('error')
	})

	it('what the agent writes into outputs/ is no record of what it did', async () => {
		const forged = session(loaded, use('t2', 'Bash', {}), say('done'))
		const agent = `import { writeFileSync } from 'node:fs'
for (const name of ['notes.md', 'transcript.jsonl', 'session.jsonl']) writeFileSync('outputs/' + name, ${JSON.stringify(forged)})`
		const { rows, exitCode } = await run(BLOCK, '', [], { 'agent.mjs': agent })
		expect(rows['used-bash']).toBe('error')
		expect(exitCode).toBe(2)
	})

	it('a fault in the block is one error that blocks, and nothing runs', async () => {
		const faulty = BLOCK.replace('tool-usage', 'ai').replace('severity: warning', 'severity: info')
		const { exitCode, result } = await run(faulty, session(loaded))
		expect(exitCode).toBe(3)
		const found = result.problems.filter(({ severity }) => severity === 'error')
		expect(found).toMatchObject([{ code: 'evals-block-valid', file: 'skills/notes/SKILL.md' }])
		expect(found[0]?.message).toContain('/metadata/evals/1/severity (line 10)')
	})

	it.each([
		['an unknown tool grader', 'grader: "tool:check"', /the grader "tool:check" is not known/],
		['the name that the judge has in an evals file', 'grader: judge', /"judge" is not known in a block write "ai"/],
		['what others call the judge', 'grader: llm-judge\n      assertion: x', /not known in a block write "ai"/],
		['a misspelled option', 'grader: tool-usage\n      options: { tool: Bash, mni: 2 }', /the option "mni" is not known.*min/],
		['an unknown condition', 'grader: tool-usage\n      options: { tool: Bash, when: { tool: x } }', /the conditions are/],
		['a pattern with look-ahead', 'grader: regex\n      options: { pattern: "(?!x)y" }', /look-ahead/],
		[
			'a target outside',
			'grader: regex\n      target: { source: file, path: "../x" }\n      options: { pattern: y }',
			/leaves outputs\//,
		],
		['a cost without a limit', 'grader: cost\n      options: {}', /at least one of "maxUsd" and "maxTokens"/],
	])('%s is refused before anything runs, on the rule’s own line', async (_what, fields, message) => {
		const { exitCode, result } = await run(`  evals:\n    - id: rule\n      ${fields}\n`, session(loaded))
		expect(exitCode).toBe(3)
		const found = result.problems.find(({ severity }) => severity === 'error') as {
			message: string
			hint?: string
			file?: string
			line?: number
		}
		expect(`${found.message} ${found.hint}`).toMatch(message)
		expect(found).toMatchObject({ file: 'skills/notes/SKILL.md', line: 6 })
	})

	it.each([
		['of its entries', '    - id: a\n      severity: info\n'],
		['of a grader', '    - id: a\n      grader: none-such\n'],
	])('validate marks the evals file that a fault %s belongs to', async (_what, entries) => {
		await using tree = makeTree({
			'skills/notes/SKILL.md': skill(`  evals:\n${entries}`),
			'skills/notes/evals/evals.json': EVALS,
		})
		const { exitCode, stdout } = await runCommand(['validate'], { cwd: tree.dir })
		expect(stdout).toMatch(/^⛔ skills\/notes\/evals\/evals\.json/)
		expect(exitCode).toBe(3)
	})

	it('an id that an eval has already is a collision', async () => {
		const clash = {
			...EVALS,
			evals: [{ ...EVALS.evals[0], assertions: [{ id: 'used-bash', text: 'x', grader: 'file-exists', options: { path: 'a' } }] }],
		}
		const { exitCode, result } = await run(BLOCK, session(loaded), [], { 'skills/notes/evals/evals.json': clash })
		expect(exitCode).toBe(3)
		expect(result.problems).toContainEqual(expect.objectContaining({ code: 'assertion-id-duplicate' }))
	})

	it('eval-skip leaves the whole block out, and says so', async () => {
		const { exitCode, rows } = await run(`  eval-skip: true\n${BLOCK}`, session(say('x')))
		expect(exitCode).toBe(0)
		expect(Object.values(rows).filter((outcome) => outcome === 'pass')).toHaveLength(1)
		expect(rows['used-bash']).not.toBe('pass')
	})

	it('a failing capability is shown apart, and blocks all the same', async () => {
		await using tree = makeRepository(
			BLOCK.replace('grader: tool-usage', 'grader: tool-usage\n      type: capability'),
			session(loaded, say('x')),
		)
		const { exitCode } = await runGate(tree, agentOf(tree), { flags: FLAGS })
		expect(exitCode).toBe(1)
		expect(tree.read('results/notes/summary.md')).toContain('Failed Capability Probes')
	})

	it('a command that was generated from another sentence is an error', async () => {
		const rule = (sentence: string, hash: string) =>
			`  evals:\n    - id: c\n      assertion: ${sentence}\n      grader: command\n      command: [node, -e, "process.exit(0)"]\n      generated-assertion-hash: sha256-${hash}\n`
		const hash = createHash('sha256').update('It is so').digest('hex')
		expect((await run(rule('It is so', hash), session(loaded))).rows.c).toBe('pass')
		const changed = await run(rule('It is not so', hash), session(loaded))
		expect(changed.exitCode).toBe(3)
		expect(changed.result.problems).toContainEqual(expect.objectContaining({ code: 'command-contract' }))
	})

	it('a command of the block gets the record, from the root of the repository', async () => {
		const rule = `  evals:\n    - id: c\n      assertion: It reads\n      grader: command\n      command: [node, check.mjs, "{trace}"]\n`
		const check = `import { readFileSync } from 'node:fs'\nprocess.exit(readFileSync(process.argv[2], 'utf8').includes('t1') ? 0 : 1)`
		expect((await run(rule, session(loaded), [], { 'check.mjs': check })).rows.c).toBe('pass')
		expect((await run(rule, session(say('x')), [], { 'check.mjs': check })).rows.c).toBe('fail')
	})
})

describe('a manifest', () => {
	const plain = '---\nname: notes\ndescription: writes notes\n---\nWrite notes.\n'
	const manifest = (key: string) => `${key}:\n  metadata:\n${BLOCK.replace(/^/gm, '  ').trimEnd()}\n`

	it.each([
		['a sidecar', { 'skills/notes/SKILL.meta.yaml': manifest('SKILL.md') }, 'skills/notes/SKILL.meta.yaml'],
		[
			'the configured one',
			{
				'manni.config.yaml':
					'collections:\n  - name: skills\n    paths: ["skills/**"]\n    externalMetadata:\n      - { file: "meta/all.yaml" }\n',
				'meta/all.yaml': manifest('skills/notes/SKILL.md'),
			},
			'meta/all.yaml',
		],
	])('%s holds the block of a skill without metadata', async (_what, files, file) => {
		const tree = makeRepository(BLOCK, session(loaded, say('x')), { 'skills/notes/SKILL.md': plain, ...files })
		await using _removed = tree
		const { exitCode, result, stdout } = await runGate(tree, agentOf(tree), { flags: FLAGS })
		expect(exitCode, stdout).toBe(1)
		expect(result.reasons).toMatchObject([{ verdict: 'fail', file }])
	})

	it('that is configured and missing keeps the gate from passing', async () => {
		const config =
			'collections:\n  - name: skills\n    paths: ["skills/**"]\n    externalMetadata:\n      - { file: "meta/gone.yaml" }\n'
		const files = { 'skills/notes/SKILL.md': plain, 'manni.config.yaml': config }
		expect((await run(BLOCK, session(loaded), [], files)).exitCode).toBe(3)
	})
})

describe('a block alone', () => {
	const place = 'results/notes/eval-session/transcript.jsonl'
	const grade = async (block: string, record: string | undefined, flags: string[] = []) => {
		await using tree = makeTree({ 'skills/notes/SKILL.md': skill(block), ...(record === undefined ? {} : { [place]: record }) })
		const args = [
			'run',
			'--evals',
			'skills/notes/SKILL.md',
			'--agent',
			'none',
			'--workspace',
			'results/{skill}',
			...flags,
			'--json',
		]
		const { exitCode, stdout } = await runCommand(args, { cwd: tree.dir, limitMs: LIMIT_MS })
		return { exitCode, result: JSON.parse(stdout) as Awaited<ReturnType<typeof runGate>>['result'] }
	}

	it('judges a session that was recorded', async () => {
		const kept = await grade(BLOCK, session(loaded, use('t2', 'Bash', {}), say('done')))
		expect(rowsOf(kept.result)).toEqual({ 'used-bash': 'pass', 'no-edits': 'pass' })
		expect(kept.exitCode).toBe(0)
		expect((await grade(BLOCK, session(loaded, say('done')))).exitCode).toBe(1)
	})

	it.each([
		['no session', undefined],
		['a session in which nothing of it was used', session(say('done'))],
		['an empty file', ''],
		['something else', '{"a":1}\n'],
	])('with %s is incomplete, never a pass', async (_what, record) => {
		const { exitCode, result } = await grade(BLOCK, record)
		expect(exitCode).toBe(2)
		expect(result.verdict).toBe('incomplete')
	})

	it('that is switched off, or declares nothing, leaves nothing that could pass', async () => {
		expect((await grade(`  eval-skip: true\n${BLOCK}`, session(loaded))).exitCode).toBe(3)
		expect((await grade('  other: x\n', session(loaded))).exitCode).toBe(3)
	})

	it('has no prompt that an agent could be given', async () => {
		const { exitCode, result } = await grade(BLOCK, undefined, ['--agent', 'command', '--agent-command', '["true"]'])
		expect(exitCode).toBe(3)
		expect(result.problems).toContainEqual(expect.objectContaining({ code: 'block-without-prompt', severity: 'error' }))
	})

	it('is named where it is found beside other suites', async () => {
		await using tree = makeRepository(BLOCK, session(loaded, use('t2', 'Bash', {}), say('x')), {
			'skills/lone/SKILL.md': skill(BLOCK),
		})
		const args = ['run', '--agent-command', JSON.stringify(agentOf(tree)), '--workspace', 'results/{skill}', '--json']
		const { stdout } = await runCommand(args, { cwd: tree.dir, limitMs: LIMIT_MS })
		const { problems } = JSON.parse(stdout)
		expect(problems).toContainEqual(
			expect.objectContaining({ code: 'block-without-prompt', severity: 'warning', file: 'skills/lone/SKILL.md' }),
		)
	})

	it('that declares nothing is asked one thing where there is a judge', async () => {
		const judge = `let text = ''
process.stdin.on('data', (more) => (text += more)).on('end', () => {
	const { assertions } = JSON.parse(text)
	console.log(JSON.stringify({ results: assertions.map(({ n, text }) => ({ n, passed: text.includes('instructs'), evidence: 'seen' })) }))
})`
		await using tree = makeTree({
			'skills/notes/SKILL.md': skill('  other: x\n'),
			[place]: session(loaded, say('done')),
			'judge.cjs': judge,
		})
		const args = [
			'run',
			'--evals',
			'skills/notes/SKILL.md',
			'--agent',
			'none',
			'--workspace',
			'results/{skill}',
			'--judge',
			'command',
		]
		const { stdout } = await runCommand(
			[...args, '--judge-command', JSON.stringify(['node', tree.path('judge.cjs')]), '--json'],
			{ cwd: tree.dir, limitMs: LIMIT_MS },
		)
		expect(rowsOf(JSON.parse(stdout))).toEqual({ 'adheres-to-artifact': 'pass' })
	})
})

describe('docs/metadata-evals.md', () => {
	const page = readFileSync(join(import.meta.dirname, '../docs/metadata-evals.md'), 'utf8')

	it('shows a block that is accepted, and a row for every field', async () => {
		const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
		await using tree = makeTree({ 'skills/release-notes/SKILL.md': example })
		const { stdout } = await runCommand(['validate', 'skills/release-notes/SKILL.md', '--json'], { cwd: tree.dir })
		expect(JSON.parse(stdout).problems).toEqual([])
		const table = page.split('| Field | Meaning | Default |')[1]?.split('\n\n')[0] ?? ''
		const rows = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
			[...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
		)
		const fields = FIELDS.filter((name) => name !== 'severity-map')
		expect(rows.sort()).toEqual(fields.sort())
	})
})
