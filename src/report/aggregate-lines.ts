import type { Aggregate, Comparison, Delta, Mean, Means } from '../model.ts'
import { code, group, plural } from './markdown.ts'

/** The line that run-evals' readers parse, and below it what its numbers are; a metric that nothing measured is not in it. */
export function renderAggregate({ passRate, tokens, seconds }: Aggregate, allPassed: boolean): string | undefined {
	const parts = [
		passRate && `**Pass rate:** ${formatRate(passRate.mean, allPassed)}`,
		tokens && `**Tokens:** ${group(tokens.mean)}`,
		seconds && `**Duration:** ${formatSeconds(seconds.mean)}`,
	].filter((part) => part !== undefined)
	return parts.length > 0 ? `${parts.join(' · ')}${describeMeans([passRate, tokens, seconds])}` : undefined
}

/** Only where weights differ from 1, on a line of its own. */
export function renderWeighted(rate: number | undefined): string | undefined {
	return rate === undefined ? undefined : `**Weighted pass rate:** ${formatRate(rate, rate === 1)}`
}

/** Each is a mean over evals, never a total. On a line of its own, because the one above is parsed. */
function describeMeans(means: (Mean | undefined)[]): string {
	const [first = 0, ...others] = new Set(means.flatMap((mean) => (mean ? [mean.n] : [])))
	if (others.length > 0) return '\n(means over the evals that measured them)'
	return first > 1 ? `\n(means over ${plural(first, 'eval')})` : ''
}

/** The baseline's means, and the signed differences with their direction: for a rate more is better, for tokens and time less. */
export function renderBaseline({ label, aggregate, delta }: Comparison): string {
	const { means, change } = describeDifference(aggregate, delta)
	return `**Baseline** (${formatLabel(label)}): ${means}${change === '' ? '' : ` · **change** ${change}`}`
}

/** Other means beside ours: themselves, and what ours differ by; each in one line of text. */
export function describeDifference({ passRate, tokens, seconds }: Means, delta: Delta): { means: string; change: string } {
	const parts = [
		passRate && formatRate(passRate.mean, passRate.mean === 1),
		tokens && `${group(tokens.mean)} tokens`,
		seconds && formatSeconds(seconds.mean),
	].filter((part) => part !== undefined)
	const changes = [
		delta.passRate === undefined ? undefined : formatPoints(delta.passRate),
		delta.tokens === undefined ? undefined : formatRatio(delta.tokens, 'tokens'),
		delta.seconds === undefined ? undefined : formatRatio(delta.seconds, 'time'),
	].filter((part) => part !== undefined)
	return { means: parts.join(' · ') || 'nothing measured', change: changes.join(' · ') }
}

/** A directory's name. run-evals' form is a code span; what could end one is shown another way. */
export function formatLabel(label: string): string {
	return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(label) ? `\`${label}\`` : code(label)
}

/** Rounded down, and 100% only if every single assertion passed. */
function formatRate(rate: number, allPassed: boolean): string {
	const floor = Math.floor(rate * 100 + 1e-9)
	if (floor >= 100) return allPassed ? '100%' : '99%'
	return floor === 0 && rate > 0 ? '<1%' : `${floor}%`
}

function formatSeconds(seconds: number): string {
	return seconds < 9.95 ? `${seconds.toFixed(1)}s` : `${group(Math.round(seconds))}s`
}

function formatPoints(difference: number): string {
	const points = Math.round(difference * 100)
	if (points === 0) return '±0 points'
	return `${sign(points)}${Math.abs(points)} point${Math.abs(points) === 1 ? '' : 's'} (${points > 0 ? 'better' : 'worse'})`
}

function formatRatio(ratio: number, noun: string): string {
	const percents = Math.round(ratio * 100)
	if (percents === 0) return `±0% ${noun}`
	return `${sign(percents)}${group(Math.abs(percents))}% ${noun} (${percents > 0 ? 'worse' : 'better'})`
}

function sign(value: number): string {
	return value > 0 ? '+' : '−'
}
