import type { EvalResult, OtherSkill, Outcome } from '../model.ts'
import { aggregateEvals, passRate } from './aggregate.ts'
import { countOutcomes } from './collect.ts'
import { subtractMeans } from './compare.ts'

/** One eval in both arms, and the outcomes of the assertions that both of them measured. */
type Pair = { own: EvalResult; other: EvalResult; rows: { own: Outcome; other: Outcome }[] }

/**
 * The evals with the skill against the same ones in another arm, bound by id.
 * Only what both arms measured is compared: an eval that broke there does not make the skill look good.
 */
export function compareArms(withSkill: EvalResult[], { arm, evals }: Pick<OtherSkill, 'arm' | 'evals'>): OtherSkill {
	const pairs = withSkill.flatMap((own) => {
		const other = evals.find(({ id }) => id === own.id)
		return other && isMeasured(own) && isMeasured(other) ? [{ own, other, rows: pairRows(own, other) }] : []
	})
	const ids = (some: Pair[]) => some.map(({ own }) => own.id)
	const rows = pairs.flatMap((pair) => pair.rows)
	return {
		arm,
		evals,
		aggregate: aggregateEvals(evals.map(({ assertions, timing }) => ({ rate: passRate(countOutcomes(assertions)), timing }))),
		delta: subtractMeans(aggregatePairs(pairs, 'own'), aggregatePairs(pairs, 'other')),
		noSignal: ids(pairs.filter(passesBoth)),
		worse: ids(pairs.filter((pair) => countPassed(pair, 'own') < countPassed(pair, 'other'))),
		notMeasured: evals.filter((evaluation) => !isMeasured(evaluation)).map(({ id }) => id),
		shared: { passed: rows.filter(({ own, other }) => own === 'pass' && other === 'pass').length, measured: rows.length },
	}
}

function pairRows(own: EvalResult, other: EvalResult): Pair['rows'] {
	const outcomes = own.assertions.map(({ outcome }, at) => ({ own: outcome, other: other.assertions[at]?.outcome ?? 'error' }))
	return outcomes.filter((row) => [row.own, row.other].every((outcome) => outcome === 'pass' || outcome === 'fail'))
}

/** An eval with one assertion that was not measured could have any rate. */
function isMeasured({ assertions }: EvalResult): boolean {
	const { expected, errors } = countOutcomes(assertions)
	return expected > 0 && errors === 0
}

/** A rule that had nothing to judge in the other arm is a difference. */
function passesBoth({ own, other }: Pair): boolean {
	const isPassed = (outcome: Outcome | undefined) => outcome === 'pass'
	return own.assertions.every(
		({ outcome }, at) => outcome === 'skipped' || (isPassed(outcome) && isPassed(other.assertions[at]?.outcome)),
	)
}

function countPassed({ rows }: Pair, side: 'own' | 'other'): number {
	return rows.filter((row) => row[side] === 'pass').length
}

function aggregatePairs(pairs: Pair[], side: 'own' | 'other') {
	const rate = (pair: Pair) => (pair.rows.length === 0 ? undefined : countPassed(pair, side) / pair.rows.length)
	return aggregateEvals(pairs.map((pair) => ({ rate: rate(pair), timing: pair[side].timing })))
}
