import { describe, expect, it } from 'vitest'
import {
	benjaminiHochberg,
	clusteredError,
	fisher,
	holm,
	mean,
	pairedDifference,
	passAtK,
	passHatK,
	populationDeviation,
	round,
	sampleDeviation,
	signTest,
	wilson,
} from './stats.ts'

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

/** Values computed by another program, to the digits given. */
describe('rates and their uncertainty', () => {
	it.each([
		[0, 1, 0, 0.7935],
		[1, 1, 0.2065, 1],
		[2, 3, 0.2077, 0.9385],
		[3, 3, 0.4385, 1],
		[4, 5, 0.3755, 0.9638],
		[5, 5, 0.5655, 1],
		[9, 10, 0.5958, 0.9821],
		[10, 10, 0.7225, 1],
		[18, 20, 0.699, 0.9721],
		[45, 50, 0.7864, 0.9565],
	])('wilson of %d/%d is %d to %d', (hits, n, low, high) => {
		const interval = wilson(hits, n)
		expect(interval?.[0]).toBeCloseTo(low, 4)
		expect(interval?.[1]).toBeCloseTo(high, 4)
	})

	it('knows nothing of no runs, of more hits than runs, and of what is no number', () => {
		expect([wilson(0, 0), wilson(2, 1), wilson(Number.NaN, 3), wilson(-1, 3)]).toEqual(Array(4).fill(undefined))
	})

	it('tells "at least once in k" from "every time in k"', () => {
		expect(passAtK(2, 5, 3)).toBeCloseTo(0.9, 10)
		expect(passHatK(2, 5, 3)).toBe(0)
		expect(passHatK(4, 5, 3)).toBeCloseTo(0.4, 10)
		expect(passHatK(3, 5, 1)).toBeCloseTo(0.6, 10)
		expect([passAtK(2, 2, 3), passHatK(2, 2, 3), passHatK(1, 1, 0)]).toEqual([undefined, undefined, undefined])
	})

	it('counts assertions of one eval as what they are: not independent', () => {
		const groups = [
			[1, 1, 1],
			[1, 1, 0],
			[0, 0, 0],
			[1, 1, 1, 1],
		]
		expect(mean(groups.flat())).toBeCloseTo(0.692308, 6)
		expect(clusteredError(groups)).toBeCloseTo(0.229679, 6)
		expect([clusteredError([[1, 0, 1]]), clusteredError([])]).toEqual([undefined, undefined])
	})

	it('takes differences of pairs', () => {
		const paired = pairedDifference([-1 / 3, 0, 0, -0.25, 0, 0.1])
		expect(paired?.mean).toBeCloseTo(-0.080556, 6)
		expect(paired?.error).toBeCloseTo(0.069444, 6)
		expect([pairedDifference([]), pairedDifference([0.5])]).toEqual([undefined, { mean: 0.5, error: undefined }])
	})
})

describe('tests of significance', () => {
	it.each([
		[5, 0, 0.031],
		[4, 0, 0.0625],
		[7, 1, 0.035],
		[6, 1, 0.0625],
		[8, 2, 0.055],
		[9, 2, 0.033],
		[0, 0, 1],
	])('sign test of %d against %d is %d', (losses, wins, p) => {
		expect(Math.abs((signTest(losses, wins) ?? Number.NaN) - p)).toBeLessThan(0.0006)
	})

	it.each([
		[0, 3, 3, 3, 0.05],
		[1, 3, 3, 3, 0.2],
		[0, 5, 5, 5, 0.004],
		[1, 5, 5, 5, 0.024],
		[0, 3, 5, 5, 0.018],
		[0, 3, 10, 10, 0.0035],
		[1, 3, 10, 10, 0.038],
		[0, 1, 19, 19, 0.05],
		[3, 3, 3, 3, 1],
	])('fisher of %d/%d against %d/%d is %d', (a, n, b, m, p) => {
		expect(Math.abs((fisher(a, n, b, m) ?? Number.NaN) - p)).toBeLessThan(0.0006)
	})

	it('claims nothing without runs on both sides', () => {
		expect([fisher(0, 0, 3, 3), fisher(0, 3, 0, 0), fisher(4, 3, 3, 3), signTest(-1, 2)]).toEqual(Array(4).fill(undefined))
	})

	it('adjusts for the number of tests, in the order given', () => {
		const close = (values: number[], expected: number[]) => expect(values.map((value) => round(value, 4))).toEqual(expected)
		close(holm([0.01, 0.04, 0.03, 0.2]), [0.04, 0.09, 0.09, 0.2])
		close(benjaminiHochberg([0.01, 0.04, 0.03, 0.2]), [0.04, 0.0533, 0.0533, 0.2])
		expect([holm([]), holm([0.9, 0.9])]).toEqual([[], [1, 1]])
	})
})
