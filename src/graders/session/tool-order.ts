import * as z from 'zod'
import type { Grade } from '../../model.ts'
import type { ToolCall } from '../../transcript.ts'
import { shorten } from '../excerpt.ts'
import type { SessionGrader } from '../grader.ts'
import { compilePattern } from '../pattern.ts'
import { concludeToolAbsence } from './absence.ts'
import { describeCall, writeInput } from './describe.ts'
import type { View } from './view.ts'
import { patternText, when } from './when.ts'

const tool = z.string().min(1, 'must not be empty')

const options = z.strictObject({
	before: tool,
	after: tool,
	beforeInputMatch: patternText.optional(),
	afterInputMatch: patternText.optional(),
	includeSidechains: z.boolean().default(false),
	when,
})

type Options = z.infer<typeof options>

/** Passes if the first call of `before` comes before the last one of `after`. Neither used is a pass, as the vocabulary has it. */
export const toolOrder: SessionGrader<Options> = {
	name: 'tool-order',
	description: 'One tool was used before another; which neither being used fulfils.',
	kind: 'session',
	options,
	when: (options) => options.when,
	grade: gradeOrder,
}

function gradeOrder(options: Options, view: View): Grade {
	const { before, after, beforeInputMatch, afterInputMatch, includeSidechains } = options
	const calls = view.toolCalls.filter(({ nested }) => includeSidechains || !nested).toSorted((a, b) => a.at - b.at)
	const first = calls.find((call) => fits(call, before, beforeInputMatch))
	const last = calls.findLast((call) => fits(call, after, afterInputMatch))
	const [beforeName, afterName] = [nameTool(before, beforeInputMatch), nameTool(after, afterInputMatch)]
	const missing = [first ? [] : before, last ? [] : after].flat()
	const conclude = (grade: Grade) => concludeToolAbsence(view, missing, includeSidechains, grade)
	if (!first && !last) {
		const evidence = `neither ${beforeName} nor ${afterName} was used in ${view.label}, so that there was no order to keep`
		return conclude({ outcome: 'pass', evidence })
	}
	if (!last)
		return conclude({ outcome: 'fail', evidence: `${afterName} was never used, so that it could not follow ${beforeName}` })
	if (!first)
		return conclude({ outcome: 'fail', evidence: `${afterName} was used without ${beforeName} before it: ${describeCall(last)}` })
	const places = `${describeCall(first)}; ${describeCall(last)}`
	if (first.at < last.at) return { outcome: 'pass', evidence: `${beforeName} came before ${afterName}: ${places}` }
	return conclude({ outcome: 'fail', evidence: `${beforeName} was only used after ${afterName}: ${places}` })
}

function fits(call: ToolCall, name: string, pattern: string | undefined): boolean {
	if (call.name !== name) return false
	if (pattern === undefined) return true
	const compiled = compilePattern(pattern)
	return compiled.ok && compiled.find(writeInput(call.input)) !== undefined
}

function nameTool(name: string, pattern: string | undefined): string {
	const shown = `the tool ${JSON.stringify(shorten(name, 80))}`
	return pattern === undefined ? shown : `${shown} with an input that matches /${shorten(pattern, 80)}/`
}
