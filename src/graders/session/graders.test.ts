import { describe, expect, test } from 'vitest'
import type { Scope, Target } from '../../definition.ts'
import type { Grade } from '../../model.ts'
import type { Fact, Transcript, TranscriptFormat } from '../../transcript.ts'
import type { Subjects } from '../grader.ts'
import { checkAssertion, planGrade } from '../registry.ts'
import { aim, define, faultsOf } from '../testing.ts'
import { type Step, transcribe, withoutFacts } from './testing.ts'

type Given = { scope?: Scope; target?: Target; subjects?: Partial<Subjects> }

function grade(grader: string, options: object, transcript: Transcript | undefined, given: Given = {}): Grade {
	const target = given.target ?? { source: 'transcript' }
	const faults = checkAssertion(grader, options, target)
	if (faults.length > 0) throw new Error(`the test gives options that are refused: ${JSON.stringify(faults)}`)
	const definition = { ...define(grader, options as Record<string, unknown>), target, scope: given.scope }
	const plan = planGrade(definition, { outputs: { files: [] }, transcript, ...given.subjects })
	if (!('grade' in plan)) throw new Error('the grader asks for a process')
	return plan.grade
}

const STEPS: Step[] = [
	{ prompt: 'Fix src/app.ts' },
	{ tool: 'Read', input: { file_path: 'src/app.ts' } },
	{ file: '/repo/src/app.ts' },
	{ tool: 'Bash', input: { command: 'npm test' } },
	{ says: 'It crashes.' },
	{ spawns: 'reviewer', as: 'b' },
	{ tool: 'Bash', input: { command: 'git push' }, on: 'b' },
	{ skill: 'kit:fix' },
	{ tool: 'Edit' },
	{ file: '/repo/src/app.ts', op: 'edit' },
	{ prompt: 'And document it' },
	{ says: '{"done": true}' },
]
const FULL = transcribe(STEPS, { usage: { input: 900, output: 100 }, costUsd: 0.25 })

const NONE: [string, object][] = [
	['tool-usage', { tool: 'Zap', expect: 'not-used' }],
	['tool-usage', { tool: 'Zap', min: 0, max: 2 }],
	['tool-usage', { tool: 'Zap' }],
	['tool-order', { before: 'Zap', after: 'Zip' }],
	['tool-order', { before: 'Read', after: 'Zip' }],
	['skill-invoked', { skill: 'zap', expect: 'not-used' }],
	['skill-invoked', { skill: 'zap' }],
	['file-access', { path: 'zap', expect: 'not-accessed' }],
	['file-access', { path: 'zap' }],
	['turn-count', { max: 99 }],
	['turn-count', { min: 99 }],
	['cost', { maxTokens: 1e9 }],
	['cost', { maxUsd: 1e9 }],
	['regex', { pattern: 'zap', expect: 'no-match' }],
	['regex', { pattern: 'zap' }],
]
const ALL_FACTS: Fact[] = [
	'tool-calls',
	'skill-invocations',
	'file-reads',
	'file-writes',
	'prompts',
	'turns',
	'texts',
	'tokens',
	'cost',
]

describe('what is not there proves nothing', () => {
	test.each(NONE)('%s %j without a transcript is an error', (grader, options) => {
		expect(grade(grader, options, undefined).outcome).toBe('error')
	})

	test.each(NONE)('%s %j where the record cannot tell is an error', (grader, options) => {
		const quiet = withoutFacts(transcribe(STEPS), ...ALL_FACTS)
		expect(grade(grader, options, quiet)).toMatchObject({
			outcome: 'error',
			evidence: expect.stringMatching(/Quiet does not record/),
		})
	})

	test.each(NONE.filter(([name]) => name !== 'cost'))('%s %j of a skill that was never invoked is skipped', (grader, options) => {
		const scope: Scope = { kind: 'skill', name: 'absent' }
		expect(grade(grader, options, FULL, { scope })).toEqual({
			outcome: 'skipped',
			evidence: 'the skill "absent" was never invoked in this session',
		})
	})

	test.each(NONE.filter(([name]) => name !== 'cost'))('%s %j is skipped while its trigger is not met', (grader, options) => {
		const when = { 'tool-used': 'Nope' }
		expect(grade(grader, { ...options, when }, FULL)).toEqual({
			outcome: 'skipped',
			evidence: 'the trigger was not met in the whole session: the tool "Nope" was never used',
		})
	})
})

test.each<[string, object, Grade['outcome'], RegExp]>([
	['tool-usage', { tool: 'Read' }, 'pass', /"Read" was used 1 time in the whole session: #1 Read/],
	['tool-usage', { tool: 'reed' }, 'fail', /"reed" was used 0 times .* used were Read, Bash, Edit/],
	['tool-usage', { tool: 'Bash', expect: 'not-used' }, 'fail', /#3 Bash {"command":"npm test"}, and must not be/],
	['tool-usage', { tool: 'Write', expect: 'not-used' }, 'pass', /0 times/],
	['tool-usage', { tool: 'Bash', max: 1 }, 'pass', /1 time /],
	['tool-usage', { tool: 'Bash', max: 1, includeSidechains: true }, 'fail', /2 times .*at most 1 allowed/],
	['tool-usage', { tool: 'Bash', min: 2 }, 'fail', /at least 2 required/],
	['tool-usage', { tool: 'Bash', min: 2, includeSidechains: true }, 'pass', /2 times/],
	['tool-usage', { tool: 'Bash', expect: 'not-used', max: 0 }, 'fail', /must not be/],
	['tool-order', { before: 'Read', after: 'Edit' }, 'pass', /#1 Read .*#8 Edit/],
	['tool-order', { before: 'Edit', after: 'Read' }, 'fail', /only used after/],
	['tool-order', { before: 'Zap', after: 'Read' }, 'fail', /without the tool "Zap" before it/],
	['tool-order', { before: 'Read', after: 'Zap' }, 'fail', /never used/],
	['tool-order', { before: 'Zip', after: 'Zap' }, 'pass', /neither/],
	['tool-order', { before: 'Bash', after: 'Edit', beforeInputMatch: 'npm (test|run)' }, 'pass', /#3/],
	['tool-order', { before: 'Bash', after: 'Edit', beforeInputMatch: 'git push' }, 'fail', /matches \/git push\//],
	['tool-order', { before: 'Bash', after: 'Edit', beforeInputMatch: 'git push', includeSidechains: true }, 'pass', /#6/],
	['skill-invoked', { skill: 'kit:fix' }, 'pass', /by the skill tool at #7/],
	['skill-invoked', { skill: 'fix' }, 'fail', /never invoked .* invoked were kit:fix/],
	['skill-invoked', { skill: 'kit:fix', expect: 'not-used' }, 'fail', /must not be/],
	['skill-invoked', { skill: 'fix', expect: 'not-used' }, 'pass', /never invoked/],
	['file-access', { path: 'src/**' }, 'pass', /2 times: #2 read \/repo\/src\/app.ts/],
	['file-access', { path: 'src/*.ts', op: 'edit' }, 'pass', /#9 edit/],
	['file-access', { path: 'src/*.ts', op: 'write' }, 'fail', /no write of/],
	['file-access', { path: 'src/**', expect: 'not-accessed' }, 'fail', /must not be/],
	['file-access', { path: 'docs/**', expect: 'not-accessed' }, 'pass', /no access/],
	['turn-count', { max: 2 }, 'pass', /2 turns/],
	['turn-count', { max: 1 }, 'fail', /at most 1/],
	['turn-count', { min: 3 }, 'fail', /at least 3/],
	['cost', { maxTokens: 1000 }, 'pass', /1,000 tokens/],
	['cost', { maxTokens: 999 }, 'fail', /at most 999/],
	['cost', { maxUsd: 0.2, maxTokens: 1e6 }, 'fail', /\$0\.2500; at most \$0\.2/],
	['regex', { pattern: 'crash' }, 'pass', /#4:1: It crashes/],
	['regex', { pattern: 'Fix src' }, 'fail', /matches nothing in what the assistant said/],
	['regex', { pattern: 'Fix src', on: 'user' }, 'pass', /#0:1/],
	['regex', { pattern: 'document', on: 'all' }, 'pass', /#10/],
	['regex', { pattern: 'crash', expect: 'no-match' }, 'fail', /It crashes/],
	['regex', { pattern: 'sorry', expect: 'no-match' }, 'pass', /2 texts/],
	['json-output', { schema: { type: 'object', required: ['done'] } }, 'pass', /valid/],
	['json-output', { schema: { type: 'object', required: ['gone'] } }, 'fail', /gone/],
	['not-contains', { value: 'sorry' }, 'pass', /2 texts/],
	['human', {}, 'error', /human review/],
])('%s %j: %s', (grader, options, outcome, evidence) => {
	const given = grader === 'human' ? { target: aim('outputs') } : {}
	expect(grade(grader, options, FULL, given)).toEqual({ outcome, evidence: expect.stringMatching(evidence) })
})

describe('what was refused was tried and not done', () => {
	const refused = transcribe([
		{ tool: 'Bash', result: 'denied' },
		{ skill: 'fix', result: 'denied' },
		{ file: 'a.md', op: 'write', result: 'failed' },
		{ tool: 'Edit' },
	])
	test.each<[string, object, Grade['outcome']]>([
		['tool-usage', { tool: 'Bash' }, 'fail'],
		['tool-usage', { tool: 'Bash', max: 3 }, 'fail'],
		['tool-usage', { tool: 'Bash', min: 0, max: 0, expect: 'not-used' }, 'fail'],
		['tool-usage', { tool: 'Bash', expect: 'not-used' }, 'fail'],
		['skill-invoked', { skill: 'fix' }, 'fail'],
		['skill-invoked', { skill: 'fix', expect: 'not-used' }, 'fail'],
		['file-access', { path: 'a.md' }, 'fail'],
		['file-access', { path: 'a.md', expect: 'not-accessed' }, 'fail'],
	])('%s %j', (grader, options, outcome) => expect(grade(grader, options, refused).outcome).toBe(outcome))

	test('a skill that was refused governs nothing', () => {
		const scope: Scope = { kind: 'skill', name: 'fix' }
		expect(grade('tool-usage', { tool: 'Edit' }, refused, { scope }).outcome).toBe('skipped')
	})
})

test('what is there counts, whatever the record cannot tell', () => {
	const quiet = withoutFacts(FULL, ...ALL_FACTS)
	for (const [grader, options] of [
		['tool-usage', { tool: 'Read' }],
		['skill-invoked', { skill: 'kit:fix' }],
		['file-access', { path: 'src/**' }],
		['regex', { pattern: 'crash' }],
	] as const) {
		expect(grade(grader, options, quiet).outcome).toBe('pass')
	}
	expect(grade('tool-usage', { tool: 'Bash', expect: 'not-used' }, quiet).outcome).toBe('fail')
})

test('a sub-agent of which nothing was recorded could have done anything', () => {
	const lost = transcribe([{ spawns: 'worker' }, { tool: 'Read' }])
	const options = { tool: 'Bash', expect: 'not-used' }
	expect(grade('tool-usage', options, lost).outcome).toBe('pass')
	expect(grade('tool-usage', { ...options, includeSidechains: true }, lost)).toMatchObject({
		outcome: 'error',
		evidence: expect.stringMatching(/sub-agent/),
	})
	expect(grade('file-access', { path: 'secrets/**', expect: 'not-accessed' }, lost).outcome).toBe('error')
})

test('on an agent everything in its branch is its own chain', () => {
	const scope: Scope = { kind: 'agent', name: 'reviewer' }
	expect(grade('tool-usage', { tool: 'Bash', expect: 'not-used' }, FULL, { scope }).outcome).toBe('fail')
})

test('cost: one limit that cannot be checked is not measured, unless another is exceeded', () => {
	const free = transcribe(STEPS, { usage: { input: 5, output: 5 } })
	expect(grade('cost', { maxUsd: 1, maxTokens: 10 }, free)).toEqual({
		outcome: 'error',
		evidence: 'Claude Code does not record what the session cost',
	})
	expect(grade('cost', { maxUsd: 1, maxTokens: 9 }, free).outcome).toBe('fail')
	expect(grade('cost', { maxTokens: 10 }, undefined, { subjects: { totalTokens: 10 } }).outcome).toBe('pass')
	expect(grade('cost', { maxTokens: 10 }, undefined, { subjects: { totalTokens: Number.NaN } }).outcome).toBe('error')
})

test('a check for what was not said is skipped where nothing was said', () => {
	const silent = transcribe([{ skill: 'fix' }, { tool: 'Edit' }])
	expect(grade('regex', { pattern: 'x', expect: 'no-match' }, silent)).toMatchObject({ outcome: 'skipped' })
	expect(grade('not-contains', { value: 'x' }, silent)).toMatchObject({ outcome: 'skipped' })
	expect(grade('regex', { pattern: 'x' }, silent)).toMatchObject({ outcome: 'fail' })
})

test.each<[Target, Partial<Subjects>, string, Grade['outcome']]>([
	[{ source: 'artifact' }, { artifact: '# Steps' }, 'Steps', 'pass'],
	[{ source: 'artifact' }, {}, 'Steps', 'error'],
	[{ source: 'files' }, {}, '^/repo/src/app.ts$', 'pass'],
	[
		{ source: 'files' },
		{ outputs: { files: [{ path: 'a.md', kind: 'text', bytes: 1, text: 'x', cut: false }] } },
		'outputs/a',
		'pass',
	],
	[{ source: 'files' }, { transcript: undefined }, 'x', 'fail'],
	[{ source: 'last-message' }, {}, 'done', 'pass'],
	[{ source: 'last-message' }, { outputs: { files: [], lastMessage: 'bye' } }, '^bye$', 'pass'],
	[{ source: 'file', path: 'gone.md' }, {}, 'x', 'fail'],
])('target %j with %j', (target, subjects, pattern, outcome) => {
	expect(grade('regex', { pattern, flags: 'm' }, FULL, { target, subjects }).outcome).toBe(outcome)
})

describe('when', () => {
	const armed = (when: object, transcript = FULL) => grade('tool-usage', { tool: 'Read', when }, transcript).outcome
	test.each<[object, Grade['outcome']]>([
		[{ 'file-access': 'src/**' }, 'pass'],
		[{ 'file-access': 'docs/**' }, 'skipped'],
		[{ 'tool-used': 'Edit' }, 'pass'],
		[{ 'prompt-matches': 'Fix' }, 'pass'],
		[{ 'prompt-matches': 'crash' }, 'skipped'],
		[{ 'command-matches': '^npm' }, 'pass'],
		[{ 'command-matches': '^yarn' }, 'skipped'],
		[{ 'turn-count-above': 1 }, 'pass'],
		[{ 'turn-count-above': 2 }, 'skipped'],
		[{ 'tool-used': 'Edit', 'turn-count-above': 9 }, 'skipped'],
	])('%j', (when, outcome) => {
		expect(armed(when)).toBe(outcome)
		// Nothing is known to be unmet by a record that does not hold it.
		if (outcome === 'skipped') expect(armed(when, withoutFacts(FULL, ...ALL_FACTS))).toBe('error')
	})
})

test.each<[string, object, string]>([
	['tool-usage', {}, '/options/tool "tool" is missing'],
	['tool-usage', { tool: '' }, '/options/tool "tool" must not be empty'],
	['tool-usage', { tool: 3 }, '/options/tool "tool" must be a string, not the number 3'],
	['tool-usage', { tool: 'a', expect: 'use' }, '/options/expect'],
	['tool-usage', { tool: 'a', min: 1.5 }, '/options/min'],
	['tool-usage', { tool: 'a', min: -1 }, '/options/min "min" must be at least 0'],
	['tool-usage', { tool: 'a', min: 3, max: 2 }, '/options/max "max" must be at least "min"'],
	['tool-usage', { tool: 'a', min: 1, expect: 'not-used' }, '/options/min "min" cannot be reached with "expect": "not-used"'],
	['tool-usage', { tool: 'a', max: 0 }, '/options/max a "max" of 0 cannot be kept with "expect": "used"; write "not-used"'],
	['tool-usage', { tool: 'a', min: 0 }, '/options/min a "min" of 0 without a "max" cannot fail'],
	['tool-usage', { tool: 'a', includeSidechains: 'yes' }, '/options/includeSidechains'],
	['tool-usage', { tool: 'a', maximum: 1 }, '/options/maximum the option "maximum" is not known'],
	['tool-usage', { tool: 'a', when: {} }, '/options/when "when" needs at least one of file-access, tool-used'],
	['tool-usage', { tool: 'a', when: [] }, '/options/when "when" must be an object, not a list'],
	['tool-usage', { tool: 'a', when: { 'prompt-match': 'x' } }, '/options/when/prompt-match'],
	['tool-usage', { tool: 'a', when: { 'prompt-matches': '(' } }, '/options/when/prompt-matches'],
	['tool-usage', { tool: 'a', when: { 'prompt-matches': '(?=a)' } }, '/options/when/prompt-matches look-ahead'],
	['tool-usage', { tool: 'a', when: { 'turn-count-above': -1 } }, '/options/when/turn-count-above'],
	['tool-order', { before: 'a' }, '/options/after "after" is missing'],
	['tool-order', { before: 'a', after: 'b', beforeInputMatch: '[' }, '/options/beforeInputMatch'],
	['skill-invoked', {}, '/options/skill "skill" is missing'],
	['skill-invoked', { skill: 'a', expect: 'invoked' }, '/options/expect'],
	['file-access', {}, '/options/path "path" is missing'],
	['file-access', { path: 'a', op: 'delete' }, '/options/op'],
	['file-access', { path: 'a', expect: 'used' }, '/options/expect'],
	['file-access', { path: '*'.repeat(501) }, '/options/path "path" must be at most 500 characters long'],
	['turn-count', {}, '/options at least one of "min" and "max" is needed'],
	['turn-count', { min: 0 }, '/options/min a "min" of 0 without a "max" cannot fail'],
	['turn-count', { min: 2, max: 1 }, '/options/max "max" must be at least "min"'],
	['cost', {}, '/options at least one of "maxUsd" and "maxTokens" is needed'],
	['cost', { maxUsd: -1 }, '/options/maxUsd'],
	['cost', { maxUsd: '1' }, '/options/maxUsd'],
	['cost', { maxUsd: 1, when: { 'tool-used': 'a' } }, '/options/when the option "when" is not known'],
	['json-output', {}, '/options/schema'],
	['json-output', { schema: {}, when: { 'tool-used': 'a' } }, '/options/when the option "when" is not known'],
	['regex', { pattern: 'a', on: 'system' }, '/options/on'],
	['regex', { pattern: 'a', expect: 'matches' }, '/options/expect'],
	['regex', { pattern: 'a', flags: 'x' }, '/options/flags'],
	['regex', { pattern: '(a)\\1' }, '/options/pattern back-references'],
	['human', { who: 'me' }, '/options/who'],
])('%s refuses %j', (grader, options, fault) => {
	const faults = faultsOf(grader, options)
	expect(faults).toHaveLength(1)
	expect(faults[0]).toContain(fault)
})

test.each(['last-message', 'files', 'artifact'] as const)('target %s is refused by what reads the transcript', (source) => {
	for (const [grader, options] of NONE.filter(([name]) => name !== 'regex')) {
		expect(checkAssertion(grader, options, { source })).toMatchObject([{ pointer: '/target' }])
	}
})

describe('a tool that another program calls otherwise', () => {
	// The session did each of these things, under the name that its own program gives it.
	const FOREIGN: [format: TranscriptFormat, did: string, asked: string][] = [
		['codex', 'command_execution', 'Bash'],
		['gemini', 'run_shell_command', 'Bash'],
		['opencode', 'bash', 'Bash'],
		['pi', 'write', 'Write'],
		['copilot', 'create', 'Write'],
		['claude-stream', 'Bash', 'run_shell_command'],
		['claude-session', 'Bash', 'bash'],
	]
	const of = (format: TranscriptFormat, tool: string) => transcribe([{ prompt: 'x' }, { tool }], { format, agent: 'It' })

	test.each(FOREIGN)('in a record of %s, which did %s, nothing passes because %s is not there', (format, did, asked) => {
		const evidence = expect.stringMatching(/It has no tool .*so that its absence proves nothing/)
		const unknown = { outcome: 'error', evidence }
		expect(grade('tool-usage', { tool: asked, expect: 'not-used' }, of(format, did))).toEqual(unknown)
		expect(grade('tool-usage', { tool: asked, min: 0, max: 3 }, of(format, did))).toEqual(unknown)
		expect(grade('tool-order', { before: asked, after: 'Zap' }, of(format, did))).toEqual(unknown)
		expect(grade('tool-order', { before: 'Zap', after: asked }, of(format, did))).toEqual(unknown)
		const when = { 'tool-used': asked }
		expect(grade('tool-usage', { tool: 'Zap', expect: 'not-used', when }, of(format, did)).outcome).toBe('error')
		// The own name, and one that nobody knows, can be concluded from.
		expect(grade('tool-usage', { tool: did, expect: 'not-used' }, of(format, did)).outcome).toBe('fail')
		expect(grade('tool-usage', { tool: 'mcp__x__y', expect: 'not-used' }, of(format, did)).outcome).toBe('pass')
	})

	test('counts where it was used all the same', () => {
		expect(grade('tool-usage', { tool: 'Bash', max: 1 }, of('codex', 'Bash')).outcome).toBe('pass')
	})
})
