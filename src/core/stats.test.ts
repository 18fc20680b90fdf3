import { describe, expect, it } from 'vitest'
import { mean, populationDeviation, round, sampleDeviation } from './stats.ts'

describe('statistics', () => {
	it('knows no mean of nothing', () => {
		expect([mean([]), populationDeviation([]), sampleDeviation([])]).toEqual([undefined, undefined, undefined])
	})

	it('tells the two deviations apart', () => {
		expect(populationDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBe(2)
		expect(sampleDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2.13809, 5)
		expect([populationDeviation([3]), sampleDeviation([3])]).toEqual([0, 0])
	})

	it.each([
		[1.005, 2, 1.01],
		[0.125, 2, 0.13],
		[2.5, 0, 3],
		[-2.5, 0, -3],
		[1e-9, 4, 0],
		[66_327.333, 2, 66_327.33],
		[0, 2, 0],
	])('round(%d, %d) = %d', (value, decimals, expected) => {
		expect(round(value, decimals)).toBe(expected)
	})
})
