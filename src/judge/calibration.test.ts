import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calibrate, judgeCalibration, type Labelled } from './calibration.ts'

const times = (count: number, expected: boolean, judged: boolean | undefined): Labelled[] =>
	Array.from({ length: count }, () => ({ expected, judged }))

test('agreement, kappa and rates of a table with known answers', () => {
	const { agreement, kappa, falsePass, falseFail } = calibrate([
		...times(20, true, true),
		...times(5, true, false),
		...times(10, false, true),
		...times(15, false, false),
	])
	expect(agreement).toMatchObject({ count: 35, of: 50, rate: 0.7 })
	expect(kappa).toBeCloseTo(0.4, 12)
	expect(falsePass).toMatchObject({ count: 10, of: 25, rate: 0.4 })
	expect(falseFail.rate).toBeCloseTo(0.2, 12)
	// Wilson of 10 in 25, as tables give it.
	expect([falsePass.low, falsePass.high].map((each) => each?.toFixed(4))).toEqual(['0.2340', '0.5926'])
})

test('nothing measured has no rate and never passes', () => {
	const none = calibrate(times(3, false, undefined))
	expect(none).toMatchObject({ labels: 3, unmeasured: 3, agreement: { count: 0, of: 0 } })
	expect(none.falsePass.rate).toBeUndefined()
	expect(judgeCalibration(none, {})).toBe('incomplete')
	expect(judgeCalibration(calibrate([]), {})).toBe('incomplete')
})

test('a limit that no label can measure is not kept', () => {
	expect(judgeCalibration(calibrate(times(9, true, true)), { 'false-pass': 0.5 })).toBe('incomplete')
	expect(judgeCalibration(calibrate(times(9, true, true)), { 'false-fail': 0 })).toBe('pass')
})

test('above a limit it never passes, and at it it does', () => {
	const calibration = calibrate([...times(1, false, true), ...times(9, false, false)])
	expect(judgeCalibration(calibration, { 'false-pass': 0.1 })).toBe('pass')
	expect(judgeCalibration(calibration, { 'false-pass': 0.09 })).toBe('fail')
	expect(judgeCalibration(calibration, { 'false-pass': Number.NaN })).toBe('fail')
})

test('every interval holds its rate and stays within 0 and 1', () => {
	const label = fc.record({ expected: fc.boolean(), judged: fc.option(fc.boolean(), { nil: undefined }) })
	fc.assert(
		fc.property(fc.array(label), (labels) => {
			const { agreement, falsePass, falseFail } = calibrate(labels)
			for (const { rate, low = 0, high = 1, of } of [agreement, falsePass, falseFail]) {
				if (of === 0) expect(rate).toBeUndefined()
				else expect(0 <= low && low <= (rate ?? -1) && (rate ?? 2) <= high && high <= 1).toBe(true)
			}
		}),
	)
})
