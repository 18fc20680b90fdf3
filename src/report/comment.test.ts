import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileText } from '../../test/support/hostile.ts'
import { makeComparison, makeEval, makeResult, makeSuite } from '../../test/support/model.ts'
import type { Result } from '../decision.ts'
import type { Problem } from '../definition.ts'
import { renderComment, renderMarker, renderStepSummary } from './comment.ts'

const regression = makeSuite('verify-pr', [makeEval('3', ['pass', { outcome: 'fail', change: 'regression' }])], {
	comparison: makeComparison(),
})
const green = makeSuite('other', [makeEval('1', ['pass'])])

describe('the marker', () => {
	it('is the first line, the verdict the second', () => {
		const [first, second] = renderComment(makeResult([green]), 'ci.yml/evals').split('\n')
		expect(first).toBe('<!-- skill-eval-gate:1 {"key":"ci.yml/evals"} -->')
		expect(second).toBe('### ✅ 1 of 1 assertion passed · 1 of 1 eval graded')
	})

	it('gives the key back, whatever is in it, and ends where it should', () => {
		const key = fc
			.array(fc.oneof(hostileText, fc.constantFrom('-->', '--!>', '->', '--', '"', '}', '\\u002d')))
			.map((parts) => parts.join(''))
		fc.assert(
			fc.property(key, (text) => {
				const marker = renderMarker(text)
				const [, json] = /^<!-- skill-eval-gate:1 (\{"key":".*"\}) -->$/s.exec(marker) ?? []
				expect(JSON.parse(json!)).toEqual({ key: text })
				expect(json).not.toMatch(/--|[<>&\n\r]/)
				expect(renderComment(makeResult([green]), text).startsWith(`${marker}\n### `)).toBe(true)
			}),
		)
	})

	it('differs for different keys, and is not in a step summary', () => {
		expect(renderMarker('a-b')).not.toBe(renderMarker('a\\u002db'))
		expect(renderStepSummary(makeResult([green]))).not.toContain('skill-eval-gate:1')
		expect(renderStepSummary(makeResult([green]))).toMatch(/^### ✅ /)
	})
})

describe('the comment', () => {
	it('of one suite tells the reason, then that suite', () => {
		expect(renderComment(makeResult([regression]), 'k')).toBe(`<!-- skill-eval-gate:1 {"key":"k"} -->
### ❌ 1 regression blocks this merge · 1 of 2 assertions passed · 1 of 1 eval graded

❌ **verify-pr eval-3 assertion 2** · passed in the baseline, fails now · <a href="https://github.com/o/r/blob/3f2a91c3f2a91c3f2a91c3f2a91c3f2a91c3f2a9/evals/verify-pr/evals.json#L12"><code>evals/verify-pr/evals.json:12</code></a>
<pre>assertion 2</pre>
**Evidence**
<pre>evidence 2</pre>

## Eval Results: verify-pr

❌ fail: 1 of 2 assertions passed · 1 regression · 1 of 1 eval graded

| Eval | Passed | Failed | Pass Rate |
|------|--------|--------|-----------|
| eval-3 | 1/2 | 1 | 50% |

### Failed Assertions

<details>
<summary>eval-3: 1 failing assertion</summary>

**Assertion** 2 · severity error · regression
<pre>assertion 2</pre>
**Evidence**
<pre>evidence 2</pre>

</details>

**Pass rate:** 50%

**Baseline** (\`4be1c07\`): 100%

---
<sub>commit <code>3f2a91c</code> · <a href="https://github.com/o/r/actions/runs/812000001">run 812, attempt 1</a> · agent claude · Skill Eval Gate 1.2.3</sub>`)
	})

	it('of several suites has a row for each, and opens those that block', () => {
		const warned = makeSuite('third', [makeEval('1', ['pass', { outcome: 'fail', severity: 'warning' }])])
		const comment = renderComment(makeResult([regression, green, warned]), 'k')
		expect(comment).toContain(`| Suite | Passed | Failed | Not measured | Against the baseline |
| :- | -: | -: | -: | :- |
| ❌ verify-pr | 1/2 | 1 | 0 | 1 regression against \`4be1c07\` |
| ✅ other | 1/1 | 0 | 0 | no baseline yet |
| ✅ third | 1/2 | 1 | 0 | no baseline yet |`)
		expect(comment.match(/<details(?: open)?>\n<summary>\S+ <b>.*/g)).toEqual([
			'<details open>\n<summary>❌ <b>verify-pr</b>: 1 of 2 assertions passed, 1 failed</summary>',
			'<details>\n<summary>✅ <b>other</b>: 1 of 1 assertion passed</summary>',
			'<details>\n<summary>✅ <b>third</b>: 1 of 2 assertions passed, 1 failed without blocking</summary>',
		])
	})

	const problem = (at: number): Problem => ({
		code: 'x',
		severity: 'error',
		file: 'evals.json',
		line: at,
		message: `fault ${at}`,
		hint: 'mend it',
	})

	it('of definitions that cannot be used names each fault, although there is no suite', () => {
		const problems = Array.from({ length: 70 }, (_, at) => problem(at + 1))
		const comment = renderComment(makeResult([], { problems }), 'k')
		expect(comment).toContain('### ⛔ 70 problems to mend before anything can be judged')
		expect(comment.match(/^⛔ fault \d+ · .*\n→ mend it$/gm)).toHaveLength(10)
		expect(comment).toContain('<summary>and 60 more reasons</summary>\n\n- fault 11 · ')
		expect(comment).toContain('- fault 50 · ')
		expect(comment).not.toContain('fault 51 ·')
		expect(comment).toContain('\n- and 20 more\n')
		expect(comment).not.toContain('listed below')
	})

	it('says that further reasons are listed below where they are', () => {
		const suite = makeSuite('s', [makeEval('1', Array(12).fill('fail'))])
		const comment = renderComment(makeResult([suite]), 'k')
		expect(comment).toContain('and 2 more reasons, listed below')
		expect(comment.match(/^\*\*Assertion\*\* \d+/gm)).toHaveLength(12)
	})

	it('shows what was noticed in inputs and definitions', () => {
		const problems: Problem[] = [{ ...problem(7), severity: 'warning' }]
		expect(renderComment(makeResult([green], { problems }), 'k')).toContain(
			'<summary>What else was noticed (1)</summary>\n\n- <code>evals.json:7</code> · fault 7 → mend it\n\n</details>\n\n---\n',
		)
	})

	it('says a reason about the whole gate, an eval that failed as a whole and its hint', () => {
		const failure = { sentence: 'the agent ended with exit status 1', quotes: ['oops'], hint: 'check the key' }
		const suite = makeSuite('s', [makeEval('1', ['error', 'error'], { failure })])
		const comment = renderComment(makeResult([suite]), 'k')
		expect(comment).toContain(
			'⚠️ **s eval-1** · the agent ended with exit status 1: 2 blocking assertions not measured\n<pre>oops</pre>\n→ check the key\n',
		)
		expect(renderComment(makeResult([]), 'k')).toContain(
			'\n⛔ there is no assertion of severity error to measure, so nothing could block\n→ ',
		)
	})

	it('says of each suite what the gate says of it', () => {
		const skipped = makeSuite('s', [makeEval('1', ['skipped'])])
		const comment = renderComment(makeResult([skipped, { ...skipped, suite: { ...skipped.suite, skill: 't' } }]), 'k')
		expect(comment).toContain('\n### ⛔ ')
		expect(comment).toContain('| ⛔ s | 0/0 | 0 | 0 |\n| ⛔ t | 0/0 |')
		expect(comment.match(/^⛔ invalid: /gm)).toHaveLength(2)
		expect(comment).not.toContain('✅')
	})

	it('has no link where there is no address, and no agent where there was none', () => {
		const result: Result = { ...makeResult([regression]), provenance: { version: '1.2.3', agent: 'none', judge: 'none' } }
		const comment = renderComment(result, 'k')
		expect(comment).not.toContain('<a ')
		expect(comment).toContain(' · <code>evals/verify-pr/evals.json:12</code>\n')
		expect(comment.split('\n').at(-1)).toBe('<sub>Skill Eval Gate 1.2.3</sub>')
	})

	it('encodes the path in an address', () => {
		const suite = makeSuite('s', [makeEval('1', ['fail'])], { file: 'a b/#1?/"x"/\ud800/é.json' })
		expect(renderComment(makeResult([suite]), 'k')).toContain('/a%20b/%231%3F/%22x%22/%EF%BF%BD/%C3%A9.json#L11">')
	})

	it('is the same every time', () => {
		expect(renderComment(makeResult([regression, green]), 'k')).toBe(renderComment(makeResult([regression, green]), 'k'))
	})
})
