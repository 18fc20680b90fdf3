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
