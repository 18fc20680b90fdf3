/** Statistics over plain numbers. An empty list has no mean: undefined, never 0. */

export function mean(values: number[]): number | undefined {
	return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Of a whole population (divides by n), as run-evals does. */
export function populationDeviation(values: number[]): number | undefined {
	return deviation(values, values.length)
}

/** Of a sample (divides by n - 1; 0 for one value), as skill-creator does. */
export function sampleDeviation(values: number[]): number | undefined {
	return values.length === 1 ? 0 : deviation(values, values.length - 1)
}

function deviation(values: number[], divisor: number): number | undefined {
	const middle = mean(values)
	if (middle === undefined) return undefined
	return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / divisor)
}

/** Half away from zero, on the shortest decimal that the number prints as: 1.005 becomes 1.01. */
export function round(value: number, decimals: number): number {
	const shifted = Number(`${Math.abs(value)}e${decimals}`)
	// A number so small that it prints with an exponent cannot be shifted this way; it rounds to 0.
	if (Number.isNaN(shifted)) return 0
	return Math.sign(value) * Number(`${Math.round(shifted)}e-${decimals}`)
}

/** 97.5 % quantile of the normal distribution: two-sided 95 %. */
const Z = 1.959963984540054

/** Two-sided 95 % interval of a rate (Wilson 1927), which stays in 0 to 1 and has a width at 0 of n, too. Undefined for no observation. */
export function wilson(hits: number, n: number): [low: number, high: number] | undefined {
	if (!isCount(hits, n) || n === 0) return undefined
	const rate = hits / n
	const scale = 1 + Z ** 2 / n
	const centre = (rate + Z ** 2 / (2 * n)) / scale
	const half = (Z * Math.sqrt((rate * (1 - rate)) / n + Z ** 2 / (4 * n ** 2))) / scale
	// The ends are exact at 0 and 1; computed, they miss them by a rounding.
	return [hits === 0 ? 0 : centre - half, hits === n ? 1 : centre + half]
}

/** The chance that at least one of k runs passes, from c passes in n (Chen 2021, unbiased). Undefined where n < k. */
export function passAtK(c: number, n: number, k: number): number | undefined {
	if (!isCount(c, n) || !isCount(k, n) || k === 0) return undefined
	return 1 - choose(n - c, k) / choose(n, k)
}

/** The chance that all of k runs pass, from c passes in n (tau-bench). Undefined where n < k. */
export function passHatK(c: number, n: number, k: number): number | undefined {
	if (!isCount(c, n) || !isCount(k, n) || k === 0) return undefined
	return choose(c, k) / choose(n, k)
}

/** Standard error of the mean of all values, where those of one group hang together; with the factor C/(C-1) for few groups. Undefined below two groups. */
export function clusteredError(groups: number[][]): number | undefined {
	const filled = groups.filter((group) => group.length > 0)
	const values = filled.flat()
	const middle = mean(values)
	if (middle === undefined || filled.length < 2) return undefined
	const squares = filled.map((group) => group.reduce((sum, value) => sum + value - middle, 0) ** 2)
	return Math.sqrt((filled.length / (filled.length - 1)) * squares.reduce((a, b) => a + b, 0)) / values.length
}

/** Mean and standard error of differences of pairs; the error is undefined below two pairs. */
export function pairedDifference(differences: number[]): { mean: number; error: number | undefined } | undefined {
	const middle = mean(differences)
	if (middle === undefined) return undefined
	const spread = differences.length < 2 ? undefined : sampleDeviation(differences)
	return { mean: middle, error: spread === undefined ? undefined : spread / Math.sqrt(differences.length) }
}

/** Below so many discordant pairs the sign test cannot reach 5 %. */
export const MIN_DISCORDANT = 5

/** Exact one-sided sign test: the chance of at least so many losses among the pairs that differ, if neither side is worse. */
export function signTest(losses: number, wins: number): number | undefined {
	const n = losses + wins
	if (!isCount(losses, n) || !isCount(wins, n)) return undefined
	let ways = 0
	for (let j = losses; j <= n; j++) ways += choose(n, j)
	return ways / 2 ** n
}

/**
 * Fisher's exact test, one-sided: the chance of so few passes now, or fewer, if now and before have the same rate.
 * In: passes of runs now, passes of runs before. Undefined for what are no counts, or without runs on one side.
 */
export function fisher(passesNow: number, now: number, passesBefore: number, before: number): number | undefined {
	if (!isCount(passesNow, now) || !isCount(passesBefore, before) || now === 0 || before === 0) return undefined
	const passes = passesNow + passesBefore
	let ways = 0
	for (let k = Math.max(0, passes - before); k <= passesNow; k++) ways += choose(now, k) * choose(before, passes - k)
	return Math.min(1, ways / choose(now + before, passes))
}

/** P values adjusted for their number (Holm 1979), in the order given. */
export function holm(values: number[]): number[] {
	return adjust(values, (value, rank) => value * (values.length - rank), 'up')
}

/** P values adjusted for the share of false discoveries (Benjamini and Hochberg 1995), in the order given. */
export function benjaminiHochberg(values: number[]): number[] {
	return adjust(values, (value, rank) => (value * values.length) / (rank + 1), 'down')
}

/** Each adjusted value must not be on the wrong side of its neighbour: holm takes the largest so far, the other the smallest of what follows. */
function adjust(values: number[], scale: (value: number, rank: number) => number, direction: 'up' | 'down'): number[] {
	const order = values.map((value, at) => ({ value, at })).sort((a, b) => a.value - b.value)
	const scaled = order.map(({ value, at }, rank) => ({ at, value: Math.min(1, scale(value, rank)) }))
	if (direction === 'down') scaled.reverse()
	const adjusted: number[] = []
	let last = direction === 'up' ? 0 : 1
	for (const { value, at } of scaled) {
		last = direction === 'up' ? Math.max(last, value) : Math.min(last, value)
		adjusted[at] = last
	}
	return adjusted
}

/** Binomial coefficient; exact up to what a double holds, and far beyond what runs of an eval number. */
function choose(n: number, k: number): number {
	if (k < 0 || k > n) return 0
	let ways = 1
	for (let i = 1; i <= Math.min(k, n - k); i++) ways = (ways * (n - i + 1)) / i
	return ways
}

function isCount(hits: number, n: number): boolean {
	return Number.isInteger(hits) && Number.isInteger(n) && hits >= 0 && hits <= n
}
