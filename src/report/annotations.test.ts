import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileText } from '../../test/support/hostile.ts'
import { makeEval, makeResult, makeSuite } from '../../test/support/model.ts'
import { neutralise } from '../io/log.ts'
import { renderAnnotations } from './annotations.ts'

const failing = (count: number, more = {}) =>
	makeResult([makeSuite('s', [makeEval('1', Array(count).fill({ outcome: 'fail', ...more }))])])

describe('annotations', () => {
	it('are one a reason, at its place, with what was asked and what was seen', () => {
		expect(renderAnnotations(failing(1).decision)).toEqual([
			{
				title: 'Skill evals: s eval-1 assertion 1',
				message: 'fails\nassertion 1\nevidence 1',
				file: 'evals/s/evals.json',
				line: 11,
			},
		])
	})

	it('end with a hint, and are about the gate where no eval is named', () => {
		expect(renderAnnotations(makeResult([]).decision)).toEqual([
			{
				title: 'Skill evals: gate',
				message: expect.stringMatching(/^there is no assertion .*\n→ add one, or set allow-empty/),
				file: undefined,
				line: undefined,
			},
		])
	})

	it.each([
		[0, 0],
		[9, 9],
		[10, 10],
		[11, 10],
		[500, 10],
	])('of %i reasons are %i', (reasons, expected) => {
		const { decision } = failing(reasons)
		const annotations = renderAnnotations(reasons === 0 ? { ...decision, reasons: [] } : decision)
		expect(annotations).toHaveLength(expected)
		if (reasons <= 9) return
		expect(annotations.at(-1)).toEqual({
			title: 'Skill evals: fail',
			message: expect.stringMatching(
				new RegExp(`^${reasons - 9} more reasons?: see the summary of this job\\. ${reasons} failed assertions block`),
			),
		})
	})

	it.each(['😀', '\u{e0041}', '::\n', '##[', '\u202e', '"<&'])(
		'fit what the runner keeps, also if they are full of %j',
		(part) => {
			for (const { message, title } of renderAnnotations(failing(1, { evidence: part.repeat(5000) }).decision)) {
				expect(neutralise(message).length).toBeLessThanOrEqual(4096)
				expect(title.length).toBeLessThanOrEqual(1024)
			}
		},
	)

	it('fit with any text, whole characters only', () => {
		fc.assert(
			fc.property(fc.array(hostileText), (texts) => {
				const [annotation] = renderAnnotations(failing(1, { text: texts.join(''), evidence: texts.join('').repeat(20) }).decision)
				expect(neutralise(annotation!.message).length).toBeLessThanOrEqual(4096)
				expect(annotation!.message.isWellFormed()).toBe(true)
			}),
		)
	})
})
