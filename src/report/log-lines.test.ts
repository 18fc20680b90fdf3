import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileText } from '../../test/support/hostile.ts'
import { makeEval, makeResult, makeSuite } from '../../test/support/model.ts'
import { parseRunnerCommands } from '../../test/support/runner-commands.ts'
import { neutralise } from '../io/log.ts'
import type { EvalResult } from '../model.ts'
import { renderLog, renderProgress } from './log-lines.ts'

/** Command openings, and what might split, hide or move them. */
const COMMANDS = [
	...[
		'::error::x',
		'::add-mask::a',
		'::stop-commands::t',
		'::set-output name=a::b',
		'::endgroup::',
		'::group::x',
		'::ERROR file=a::x',
	],
	...['##[error]x', '##[stop-commands]t', '###[error]x', '##[', '#', '##', '[', '[error]x', '::', ':', 'error::x'],
	...[
		'\n',
		'\r',
		'\r\n',
		'\v',
		'\f',
		'\u0085',
		'\u2028',
		'\u2029',
		' ',
		'\t',
		'\u00a0',
		'\u3000',
		'\u1680',
		'\u200b',
		'\ufeff',
		'\u00ad',
	],
	...[
		'\u0000',
		'\u001b',
		'\u001b[2K',
		'\b',
		'\u007f',
		'\u009b',
		'\u0301',
		'\ufe0f',
		'\u034f',
		'\u180e',
		'\ud800',
		'\u{e0041}',
		'x',
		'| ',
	],
]
const hostileLine = fc.oneof(
	fc.array(fc.constantFrom(...COMMANDS), { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
	hostileText,
)

/** The runner's parser, and the same after everything that its culture-aware comparison may overlook. */
function findCommands(output: string): string[] {
	const overlooked = output.replace(/[\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/gu, (found) =>
		/[\t\n\r]/.test(found) ? found : '',
	)
	return [output, overlooked].flatMap((text) => parseRunnerCommands(text).map(({ name }) => name))
}

const assertInert = (render: (text: string) => string[]) =>
	fc.assert(
		fc.property(hostileLine, (text) => {
			expect(findCommands(render(text).map(neutralise).join('\n'))).toEqual([])
		}),
		{ numRuns: 2000 },
	)

describe('neutralise', () => {
	it('lets no text become a command', () => {
		assertInert((text) => [text])
		assertInert((text) => [`info ${text}`])
	})

	it.each([
		['::error::x', '| ::error::x'],
		['  ::error::x', '|   ::error::x'],
		['\u3000::error::x', '| \u3000::error::x'],
		['a\r::error::x', 'a\n| ::error::x'],
		['a\u2028::error::x', 'a\n| ::error::x'],
		['a ##[error]x', 'a # #[error]x'],
		['#\u0000#[error]x', '# #[error]x'],
		['#\u00ad#[error]x', '#\\u{ad}#[error]x'],
		['#\u0301#[error]x', '# #[error]x'],
		['\ufe0f::error::x', '| \ufe0f::error::x'],
		['\u001b[31mred\u001b[0m', '[31mred[0m'],
		['a\u202eb', 'a\\u{202e}b'],
	])('%j is written as %j', (text, expected) => {
		expect(neutralise(text)).toBe(expected)
	})

	it('leaves ordinary lines as they are', () => {
		const text = '# Heading\n## [link](x)\n\n  indented: a::b\tc\n❌ verify-pr: ⚠️ fails [evals.json:3]'
		expect(neutralise(text)).toBe(text)
	})
})

describe('the log', () => {
	it('names each problem and each reason with its evidence, and ends with the verdict', () => {
		const suite = makeSuite('s', [makeEval('1', ['pass', { outcome: 'fail', evidence: 'a\nb' }])])
		const problems = [
			{ code: 'x', severity: 'warning' as const, file: 'evals.json', line: 3, column: 7, message: 'odd', hint: 'mend it' },
		]
		expect(renderLog(makeResult([suite], { problems }))).toEqual([
			'warning: evals.json:3:7 odd (mend it)',
			'❌ s eval-1 assertion 2: fails [evals/s/evals.json:12]',
			'    assertion 2',
			'    a\n    b',
			'❌ fail: 1 failed assertion blocks this merge · 1 of 2 assertions passed · 1 of 1 eval graded',
		])
	})

	it('marks each reason with its own verdict', () => {
		const failure = { sentence: 'the agent ended', quotes: [], hint: 'look' }
		const suite = makeSuite('s', [makeEval('1', ['error'], { failure }), makeEval('2', ['fail'])])
		expect(renderLog(makeResult([suite])).map((line) => line.slice(0, 16))).toEqual([
			...['⚠️ s eval-1: the', '    → look', '❌ s eval-2 asser', '    assertion 1', '    evidence 1', '⚠️ incomplete: n'],
		])
	})

	it('tells progress in a line', () => {
		const progress = (evaluation: EvalResult) => renderProgress(3, 12, { skill: 's', arm: 'with_skill' }, evaluation)
		const timing = { durationMs: 41_049, totalTokens: 1234 }
		expect(progress(makeEval('4', ['pass', 'fail', 'error', 'skipped'], { timing }))).toBe(
			'3/12 s eval-4: 1 of 3 passed, 1 not measured · 41 s · 1234 tokens',
		)
		const failure = { sentence: 'the agent ended', quotes: [] }
		expect(progress(makeEval('4', ['error'], { failure }))).toBe('3/12 s eval-4: not measured: the agent ended')
	})

	it('holds no command, whoever wrote the texts', () => {
		assertInert((t) => {
			const problem = { code: 'x', severity: 'warning' as const, file: t, message: t, hint: t }
			const failure = { sentence: t, quotes: [t], file: t, hint: t }
			const lost = makeEval('2', ['error'], { failure, problems: [problem] })
			const suite = makeSuite('s', [makeEval('1', [{ outcome: 'fail', text: t, evidence: t }]), lost], { file: t })
			const problems = [{ ...problem, severity: 'error' as const }, problem]
			return [...renderLog(makeResult([suite], { problems })), renderProgress(1, 1, { skill: t, arm: 'without_skill' }, lost)]
		})
	})
})
