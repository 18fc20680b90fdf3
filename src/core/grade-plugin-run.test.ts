import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PluginCase, PluginRow, PluginRun } from '../formats/plugin-eval/result.ts'
import { gradePluginRow } from './grade-plugin-run.ts'

const explanation = fc.constantFrom(
	...[
		'matched',
		'skipped: cost ceiling',
		'grader threw: x does not exist',
		'grader threw: judge call failed',
		'judge votes: PASS',
	],
)
const row: fc.Arbitrary<PluginRow> = fc.record({
	name: fc.constantFrom('price', 'price', 'price', 'other'),
	passed: fc.boolean(),
	weight: fc.constant(1),
	explanation,
	withOnly: fc.boolean(),
	scored: fc.boolean(),
	judgeVotes: fc.option(fc.array(fc.boolean(), { maxLength: 3 }), { nil: undefined }),
})
const run: fc.Arbitrary<PluginRun> = fc.record({
	score: fc.constant(1),
	passed: fc.constant(true),
	turns: fc.constantFrom(0, 1, 3),
	error: fc.constantFrom(null, null, null, 'timed out after 5s', 'exit 1: API Error', 'interrupted'),
	skippedPaidGraders: fc.constantFrom(false, false, true),
	aborted: fc.constantFrom(undefined, undefined, undefined, { server: 's', tool: 't', reason: 'it broke' }),
	graders: fc.array(row, { maxLength: 2 }),
})
const type = fc.constantFrom('regex', 'llm', 'baseline', 'tool_used')

describe('one grader in one run', () => {
	it('never passes unless the run is whole, and its one row says so without a contradiction', () => {
		let passes = 0
		fc.assert(
			fc.property(run, type, (each, kind) => {
				const grader = { name: 'price', type: kind, weight: 1, config: {} }
				const item = { graders: [grader], advisories: [] } as unknown as PluginCase
				if (gradePluginRow(grader, item, each).outcome !== 'pass') return
				passes += 1
				const rows = each.graders.filter(({ name }) => name === 'price')
				expect([each.error, each.skippedPaidGraders, each.aborted, each.turns > 0]).toEqual([null, false, undefined, true])
				expect(rows.map(({ passed }) => passed)).toEqual([true])
				expect(rows[0]?.explanation).not.toMatch(/^(skipped|grader threw)/)
				if (kind === 'llm' || kind === 'baseline') {
					const yes = rows[0]?.judgeVotes?.filter((vote) => vote).length ?? 0
					expect(yes * 2).toBeGreaterThan(rows[0]?.judgeVotes?.length ?? Number.POSITIVE_INFINITY)
				}
			}),
			{ numRuns: 5000 },
		)
		expect(passes).toBeGreaterThan(20)
	})
})
