import { wilson } from '../core/stats.ts'

/** How well a judge agrees with people. */

/** What a person says of an assertion, and what the judge said; undefined = it measured nothing. */
export type Labelled = { expected: boolean; judged: boolean | undefined }

/** So many of so many, with the 95 % Wilson interval; without any there is no rate. */
export type Rate = { count: number; of: number; rate?: number | undefined; low?: number | undefined; high?: number | undefined }

export type Calibration = {
	labels: number
	unmeasured: number
	agreement: Rate
	/** Cohen's: agreement beyond chance; undefined where chance alone explains everything, as with labels of one kind. */
	kappa?: number | undefined
	/** Of what should fail, what passed. */
	falsePass: Rate
	/** Of what should pass, what failed. */
	falseFail: Rate
}

/** Rates are over what was measured; what was not is counted apart and is never an agreement. */
export function calibrate(all: Labelled[]): Calibration {
	const measured = all.filter((each): each is { expected: boolean; judged: boolean } => each.judged !== undefined)
	const count = (expected: boolean, judged: boolean) =>
		measured.filter((each) => each.expected === expected && each.judged === judged).length
	const [truePass, falseFail, falsePass, trueFail] = [
		count(true, true),
		count(true, false),
		count(false, true),
		count(false, false),
	]
	const n = measured.length
	const byChance =
		n === 0 ? 1 : ((truePass + falseFail) * (truePass + falsePass) + (falsePass + trueFail) * (falseFail + trueFail)) / n ** 2
	const observed = n === 0 ? 0 : (truePass + trueFail) / n
	return {
		labels: all.length,
		unmeasured: all.length - n,
		agreement: toRate(truePass + trueFail, n),
		kappa: byChance < 1 ? (observed - byChance) / (1 - byChance) : undefined,
		falsePass: toRate(falsePass, falsePass + trueFail),
		falseFail: toRate(falseFail, truePass + falseFail),
	}
}

function toRate(count: number, of: number): Rate {
	const interval = wilson(count, of)
	return interval ? { count, of, rate: count / of, low: interval[0], high: interval[1] } : { count, of }
}

export type Limits = { 'false-pass'?: number | undefined; 'false-fail'?: number | undefined }

/** `fail`: a rate is above its limit. `incomplete`: something was not measured, or a limit has nothing to be measured by. */
export function judgeCalibration(calibration: Calibration, limits: Limits): 'pass' | 'fail' | 'incomplete' {
	const limited = [
		[calibration.falsePass, limits['false-pass']],
		[calibration.falseFail, limits['false-fail']],
	] as const
	const isAbove = limited.some(([{ rate }, limit]) => limit !== undefined && rate !== undefined && !(rate <= limit))
	if (isAbove) return 'fail'
	const isUnknown = limited.some(([{ rate }, limit]) => limit !== undefined && rate === undefined)
	return calibration.unmeasured > 0 || calibration.labels === 0 || isUnknown ? 'incomplete' : 'pass'
}
