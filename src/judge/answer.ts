import * as z from 'zod'
import { describeValue, parseJson } from '../formats/json.ts'
import type { Grade } from '../model.ts'
import type { JudgeRequest } from './request.ts'

const answer = z.object({
	results: z.array(
		z.object({
			n: z.number().int(),
			passed: z.boolean(),
			evidence: z.string().trim().min(1),
			quote: z.string().optional(),
			file: z.string().optional(),
		}),
	),
})

export type JudgeAnswer = { grades: Grade[] } | { fault: string }

/**
 * The judge's grades in the order of the request, or one sentence why its answer cannot be used.
 * An answer that is not exactly one strict result a number is worth nothing: which number to trust would be a guess.
 */
export function parseAnswer(text: string, request: JudgeRequest): JudgeAnswer {
	const { value: document, problems } = parseJson(text, 'answer')
	if (!document) return { fault: `it is not JSON: ${problems[0]?.message ?? 'unknown fault'}` }
	const parsed = answer.safeParse(document.value)
	if (!parsed.success) {
		const issue = parsed.error.issues[0]
		return { fault: `${issue?.path.join('.') || 'it'}: ${issue?.message ?? describeValue(document.value)}` }
	}
	const { results } = parsed.data
	const expected = request.assertions.map(({ n }) => n)
	const given = results.map(({ n }) => n).sort((a, b) => a - b)
	if (given.join() !== expected.join())
		return { fault: `it answers the numbers ${given.join(', ') || 'none'}; asked were ${expected.join(', ')}` }
	return {
		grades: expected.map((n) =>
			toGrade(
				results.find((result) => result.n === n),
				request,
			),
		),
	}
}

type Row = z.infer<typeof answer>['results'][number]

function toGrade(row: Row | undefined, request: JudgeRequest): Grade {
	if (!row) return { outcome: 'error', evidence: 'the judge gave no result' }
	const where = row.file === undefined ? '' : `${row.file}: `
	const flag =
		row.quote === undefined || isQuoted(row.quote, row.file, request) ? '' : ' (this quote was not found in the outputs)'
	const quote = row.quote === undefined ? '' : `\n${where}"${row.quote}"${flag}`
	return { outcome: row.passed ? 'pass' : 'fail', evidence: `${row.evidence}${quote}` }
}

/** White space may differ, because judges re-wrap what they quote. Blank words prove nothing, nor do those of another place than the named one. */
function isQuoted(quote: string, file: string | undefined, request: JudgeRequest): boolean {
	const flat = (text: string) => text.replace(/\s+/g, ' ').trim()
	const named = file?.replace(/^(\.\/)?outputs\//, '')
	const texts = request.outputs.filter(({ path }) => named === undefined || path === named).map(({ text }) => text ?? '')
	const isMessage = named === undefined || /^last.?message$/i.test(named)
	return (
		flat(quote) !== '' &&
		[...texts, isMessage ? (request.lastMessage ?? '') : ''].some((text) => flat(text).includes(flat(quote)))
	)
}

/** What is not in the beginning of a file may be in its end: such a fail was not measured. */
export function distrustFails(grades: Grade[], notShownWhole: string[]): Grade[] {
	if (notShownWhole.length === 0) return grades
	const note = `(not counted: the judge saw only the beginning of ${notShownWhole.join(', ')})`
	return grades.map((grade) => (grade.outcome === 'fail' ? { outcome: 'error', evidence: `${grade.evidence}\n${note}` } : grade))
}
