import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Scope } from '../../definition.ts'
import { type Step, transcribe, withoutFacts } from './testing.ts'
import { openView } from './view.ts'

const skill: Scope = { kind: 'skill', name: 'fix' }

/** The tools seen in a window, nested ones in brackets; or the reason why there is none. */
function seen(steps: Step[], scope?: Scope): string[] | string {
	const opened = openView(transcribe(steps), scope)
	if (!('view' in opened)) return opened.reason
	return opened.view.toolCalls.map(({ name, nested }) => (nested ? `(${name})` : name))
}

test('an evals file and project rules see the whole session', () => {
	const steps: Step[] = [{ tool: 'A' }, { skill: 'fix' }, { tool: 'B' }]
	expect(seen(steps)).toEqual(['A', 'B'])
	expect(seen(steps, { kind: 'project-rules', name: 'CLAUDE.md' })).toEqual(['A', 'B'])
	expect(seen([], undefined)).toEqual([])
})

describe('a skill', () => {
	test('sees what comes from its invocation to the next of any skill, again after each', () => {
		const steps: Step[] = [
			{ tool: 'A' },
			{ skill: 'fix' },
			{ tool: 'B' },
			{ skill: 'other' },
			{ tool: 'C' },
			{ skill: 'fix', by: 'command' },
			{ tool: 'D' },
		]
		expect(seen(steps, skill)).toEqual(['B', 'D'])
	})

	test('of a plugin is known by the name behind the first colon only', () => {
		expect(seen([{ skill: 'kit:fix' }, { tool: 'A' }], skill)).toEqual(['A'])
		expect(seen([{ skill: 'kit:fix:deep' }, { tool: 'A' }], skill)).toMatch(/never invoked/)
		expect(seen([{ skill: 'prefix' }, { tool: 'A' }], skill)).toMatch(/never invoked/)
	})

	test('is not closed by a skill that a sub-agent loads', () => {
		const steps: Step[] = [
			{ skill: 'fix' },
			{ spawns: 'reviewer', as: 'b' },
			{ skill: 'other', on: 'b' },
			{ tool: 'Read', on: 'b' },
			{ tool: 'Edit' },
		]
		expect(seen(steps, skill)).toEqual(['(Read)', 'Edit'])
	})

	test('loaded by a sub-agent sees that chain and what is below it, not the chain above', () => {
		const steps: Step[] = [
			{ spawns: 'worker', as: 'b' },
			{ skill: 'fix', on: 'b' },
			{ tool: 'Own', on: 'b' },
			{ spawns: 'helper', as: 'c', on: 'b' },
			{ tool: 'Below', on: 'c' },
			{ tool: 'Above' },
		]
		expect(seen(steps, skill)).toEqual(['Own', '(Below)'])
	})

	test('that was never invoked governs nothing', () => {
		expect(seen([{ tool: 'A' }, { skill: 'other' }], skill)).toBe('the skill "fix" was never invoked in this session')
	})

	test('of which the record cannot tell is not known to be absent', () => {
		const quiet = withoutFacts(transcribe([{ tool: 'A' }]), 'skill-invocations')
		expect(openView(quiet, skill)).toMatchObject({ isKnown: false })
		expect(openView(transcribe([{ tool: 'A' }]), skill)).toMatchObject({ isKnown: true })
	})
})

test('a slash command opens only as such, and a skill call closes it', () => {
	const command: Scope = { kind: 'slash-command', name: 'ship' }
	const steps: Step[] = [
		{ skill: 'ship' },
		{ tool: 'A' },
		{ skill: 'ship', by: 'command' },
		{ tool: 'B' },
		{ skill: 'x' },
		{ tool: 'C' },
	]
	expect(seen(steps, command)).toEqual(['B'])
	expect(seen(steps.slice(0, 2), command)).toBe('the slash command "/ship" was never invoked in this session')
})

describe('an agent', () => {
	const agent: Scope = { kind: 'agent', name: 'reviewer' }
	const steps: Step[] = [
		{ tool: 'Main' },
		{ spawns: 'reviewer', as: 'b' },
		{ tool: 'Edit', on: 'b' },
		{ spawns: 'helper', as: 'c', on: 'b' },
		{ tool: 'Deep', on: 'c' },
		{ spawns: 'writer', as: 'd' },
		{ tool: 'Other', on: 'd' },
	]

	test('sees its own branches as its own chain, and those below', () => {
		expect(seen(steps, agent)).toEqual(['Edit', '(Deep)'])
	})

	test('without a record, or never started, governs nothing, for different reasons', () => {
		expect(seen([{ spawns: 'reviewer' }], agent)).toMatch(/was started, and nothing of what it did/)
		expect(seen([], agent)).toMatch(/was never started/)
	})
})

test('rings of branches end', () => {
	const transcript = transcribe([{ tool: 'A', on: 'x' }], {
		branches: [
			{ id: 'x', at: 0, agentType: 'reviewer', parent: 'y' },
			{ id: 'y', at: 0, parent: 'x' },
			{ id: 'z', at: 0, parent: 'z' },
		],
	})
	expect(openView(transcript, { kind: 'agent', name: 'reviewer' })).toMatchObject({
		view: { toolCalls: [{ name: 'A', nested: false }] },
	})
})

test('turns: the prompts of the window; of a whole session the agent’s own count', () => {
	const steps: Step[] = [{ prompt: 'a' }, { skill: 'fix' }, { prompt: 'b' }, { prompt: 'c', on: 'x' }]
	expect(openView(transcribe(steps), skill)).toMatchObject({ view: { turns: 1 } })
	expect(openView(transcribe(steps))).toMatchObject({ view: { turns: 3 } })
	expect(openView(transcribe(steps, { turns: 7 }))).toMatchObject({ view: { turns: 7 } })
})

test('no window ever holds what is not in the transcript, or holds it twice', async () => {
	const name = fc.constantFrom('fix', 'other')
	const on = fc.constantFrom(undefined, 'b', 'c')
	const step = fc.oneof(
		fc.record({ skill: name, by: fc.constantFrom('tool' as const, 'command' as const), on }),
		fc.record({ tool: fc.constant('T'), on }),
		fc.record({ spawns: fc.constantFrom('reviewer', 'x'), as: fc.constantFrom('b', 'c', undefined), on }),
	) as fc.Arbitrary<Step>
	const kind = fc.constantFrom('skill', 'slash-command', 'agent', 'project-rules')
	const scope = fc.record({ kind, name: fc.constantFrom('fix', 'reviewer') }) as fc.Arbitrary<Scope>
	let opened = 0
	await fc.assert(
		fc.property(fc.array(step, { maxLength: 12 }), scope, (steps, of) => {
			const result = openView(transcribe(steps), of)
			if (!('view' in result)) return
			opened++
			const places = result.view.toolCalls.map(({ at }) => at)
			expect(new Set(places).size).toBe(places.length)
			for (const at of places) expect(steps[at]).toHaveProperty('tool')
		}),
	)
	expect(opened).toBeGreaterThan(10)
})
