import { describe, expect, it } from 'vitest'
import { parseGrading } from './grading.ts'

const read = (timing: unknown) => parseGrading(JSON.stringify({ expectations: [], timing }), 'grading.json').value?.timing

describe("a grading's own timing", () => {
	it.each([
		[{ total_duration_seconds: 26, executor_duration_seconds: 20 }, 26_000],
		[{ executor_duration_seconds: 12.5, grader_duration_seconds: 99 }, 12_500],
		[{ total_duration_seconds: null, executor_duration_seconds: 20 }, 20_000],
		[{ grader_duration_seconds: 99 }, undefined],
		[{}, undefined],
	])('%j is %s ms', (timing, durationMs) => {
		expect(read(timing)?.value).toEqual({ durationMs })
	})

	it.each([{ total_duration_seconds: 0 }, { total_duration_seconds: '26' }, { executor_duration_seconds: -1 }, null, [], 26])(
		'%j is unknown, with a notice and its place',
		(timing) => {
			const found = read(timing)
			expect(found?.value).toEqual({})
			expect(found?.problems).toMatchObject([{ severity: 'notice', pointer: expect.stringMatching(/^\/timing/) }])
		},
	)

	it('is absent where there is none', () => {
		expect(read(undefined)).toBeUndefined()
	})
})
