import type { CalibrationResult } from '../calibrate.ts'
import type { Rate } from '../judge/calibration.ts'
import { plural } from './markdown.ts'
import { toText } from './results.ts'

/** For people: rates first, then each label on which judge and person differ. Texts in it are untrusted. */
export function renderCalibration({ verdict, judge, model, limits, calibration, differing }: CalibrationResult): string {
	const { labels, unmeasured, agreement, kappa, falsePass, falseFail } = calibration
	const lines = [
		`${verdict}: ${judge}${model === undefined ? '' : ` ${model}`} on ${plural(labels, 'label')}`,
		`agreement   ${renderRate(agreement)}`,
		`kappa       ${kappa === undefined ? 'unknown: the labels or the answers are all of one kind' : kappa.toFixed(2)}`,
		`false pass  ${renderRate(falsePass)}${renderLimit(limits['false-pass'])}`,
		`false fail  ${renderRate(falseFail)}${renderLimit(limits['false-fail'])}`,
		...(unmeasured > 0 ? [`not measured ${unmeasured}`] : []),
		...differing.map(({ outputs, text, expected, outcome, evidence }) => {
			return `- ${outputs}: ${JSON.stringify(text)} should ${expected ? 'pass' : 'fail'}; the judge: ${outcome}, ${JSON.stringify(evidence)}`
		}),
	]
	return lines.map((line) => `${line}\n`).join('')
}

function renderRate({ count, of, rate, low, high }: Rate): string {
	if (rate === undefined || low === undefined || high === undefined) return 'unknown: there is no label to measure it by'
	return `${count} of ${of}, ${percent(rate)} (95 %: ${percent(low)} to ${percent(high)})`
}

function renderLimit(limit: number | undefined): string {
	return limit === undefined ? '' : `, limit ${percent(limit)}`
}

function percent(rate: number): string {
	return `${(rate * 100).toFixed(1)} %`
}

/** For machines; versioned like result.json. */
export function formatCalibration(result: CalibrationResult): string {
	return toText({ schemaVersion: 1, ...result })
}
