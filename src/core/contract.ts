import type { AssertionDefinition, EvalDefinition, Severity, SuiteDefinition } from '../definition.ts'
import { normaliseText } from './bind.ts'

/** One way in which head asks less than base, or in which nobody can tell that it asks as much. */
export type Weakening = {
	/** `verify-pr eval-3 assertion 6`; names are untrusted text. */
	where: string
	/** Our own words. */
	sentence: string
	/** Untrusted: the sentences of the assertion in base and head, where there are any. */
	quotes: string[]
	file: string
	/** In head where it is still there; absent for what was removed. */
	line?: number | undefined
}

type Found = Pick<Weakening, 'sentence'> & Partial<Pick<Weakening, 'quotes'>>

const RANK: Record<Severity, number> = { error: 2, warning: 1, notice: 0 }

/**
 * What the definitions of head ask less than those of base; severities are those after the policy.
 * A change that is not certainly neutral or stricter counts: whether another pattern or sentence is softer cannot be computed.
 * Suites are paired by file, evals by id, assertions by id or else by sentence, so that order and layout do not matter.
 */
export function findWeakenings(base: SuiteDefinition[], head: SuiteDefinition[]): Weakening[] {
	return base.flatMap((suite) => {
		const now = head.find(({ file }) => file === suite.file)
		if (!now) return [{ where: suite.skill, sentence: 'the evals file is removed', quotes: [], file: suite.file }]
		const renamed: Weakening[] =
			now.skill === suite.skill
				? []
				: [{ where: suite.skill, sentence: 'the evals belong to another skill', quotes: [now.skill], file: suite.file }]
		return [...renamed, ...compareEvals(suite, now)]
	})
}

function compareEvals(base: SuiteDefinition, head: SuiteDefinition): Weakening[] {
	return pair(base.evals, head.evals, ({ id }) => id).flatMap(([before, after]) => {
		const where = `${base.skill} eval-${before.id}`
		if (!after) return [{ where, sentence: 'the eval is removed', quotes: [], file: base.file }]
		const own = compareInput(before, after).map((found) => ({ where, quotes: [], file: base.file, line: after.line, ...found }))
		return [...own, ...compareAssertions(base, before, after)]
	})
}

function compareInput(before: EvalDefinition, after: EvalDefinition): Found[] {
	return [
		...changed('the prompt is changed', before.prompt, after.prompt),
		...changed('the expected output is changed', before.expectedOutput, after.expectedOutput),
		...changed('the list of input files is changed', before.files, after.files),
	]
}

function compareAssertions(suite: SuiteDefinition, base: EvalDefinition, head: EvalDefinition): Weakening[] {
	return pair(base.assertions, head.assertions, assertionKey).flatMap(([before, after]) => {
		const where = `${suite.skill} eval-${base.id} assertion ${before.index}`
		const file = after?.file ?? before.file ?? suite.file
		if (!after) return [{ where, sentence: 'the assertion is removed', quotes: [before.text], file }]
		return compareAssertion(before, after).map((found) => ({
			where,
			quotes: [after.text],
			file,
			line: after.line ?? head.line,
			...found,
		}))
	})
}

function compareAssertion(before: AssertionDefinition, after: AssertionDefinition): Found[] {
	const found: Found[] = []
	if (before.text !== after.text) found.push({ sentence: 'the sentence is changed', quotes: [before.text, after.text] })
	if (!(RANK[after.severity] >= RANK[before.severity]))
		found.push({ sentence: `the severity is lowered from ${before.severity} to ${after.severity}` })
	if (after.skip && !before.skip) found.push({ sentence: 'the assertion is skipped now' })
	// Written so that a weight which is no number counts.
	if (!(after.weight >= before.weight)) found.push({ sentence: 'the weight is lowered' })
	if (before.authors?.some((author) => !after.authors?.includes(author)))
		found.push({ sentence: 'the record of which model wrote it is removed' })
	return [
		...found,
		...changed('the type is changed', before.type, after.type),
		...changed('another grader decides it', before.grader, after.grader),
		...changed("the grader's options are changed", before.options, after.options),
		...changed('the grader looks at something else', before.target, after.target),
		...changed("the judge's instructions are changed", [before.hint, before.judge], [after.hint, after.judge]),
		...changed('it counts for another artifact', before.scope, after.scope),
	]
}

function assertionKey({ id, text }: AssertionDefinition): string {
	return id === undefined ? `text ${normaliseText(text)}` : `id ${id}`
}

/** Each of base with its own partner of head: two that are alike in base need two in head. */
function pair<T>(base: T[], head: T[], key: (item: T) => string): [T, T | undefined][] {
	const left = [...head]
	return base.map((before) => {
		const at = left.findIndex((after) => key(after) === key(before))
		return [before, at < 0 ? undefined : left.splice(at, 1)[0]]
	})
}

function changed(sentence: string, before: unknown, after: unknown): Found[] {
	return canonical(before) === canonical(after) ? [] : [{ sentence }]
}

/** The order of keys says nothing; an absent key and an undefined one are the same. */
function canonical(value: unknown): string {
	return (
		JSON.stringify(value, (_, inner) =>
			inner !== null && typeof inner === 'object' && !Array.isArray(inner)
				? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
				: inner,
		) ?? 'absent'
	)
}
