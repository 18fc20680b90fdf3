import { describe, expect, it } from 'vitest'
import { findUnknownInputs } from './input-names.ts'
import { INPUT_NAMES } from './inputs.ts'

describe('findUnknownInputs', () => {
	it('knows every input as the runner spells it', () => {
		expect(findUnknownInputs(Object.fromEntries(INPUT_NAMES.map((name) => [`INPUT_${name.toUpperCase()}`, 'x'])))).toEqual([])
	})

	it.each([
		['INPUT_BLOCK_ON', 'block-on'],
		['INPUT_BLOKC-ON', 'block-on'],
		['INPUT_FAIL-ON', 'block-on'],
		['INPUT_TOKEN', 'github-token'],
		['INPUT_MODEL', 'agent-model'],
		['INPUT_WORKSPACES', 'workspace'],
	])('%s: the right name is %s', (variable, name) => {
		expect(findUnknownInputs({ [variable]: 'x' })).toEqual([expect.stringContaining(`write "${name}"`)])
	})

	it('refuses a name that only `with:` can have set', () => {
		expect(findUnknownInputs({ 'INPUT_NO-SUCH-THING': 'x' })).toEqual([
			'there is no input "no-such-thing": remove it; README.md lists all inputs',
		])
	})

	it.each([{ INPUT_CHANNEL: 'x' }, { 'INPUT_NO-SUCH-THING': ' ' }, { BLOCK_ON: 'x' }, { INPUT_: 'x' }])(
		'leaves %j alone, which sets nothing or is the workflow’s own',
		(environment) => {
			expect(findUnknownInputs(environment)).toEqual([])
		},
	)
})
