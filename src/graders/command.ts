import * as z from 'zod'
import type { Grade } from '../model.ts'
import { lastLines } from './excerpt.ts'
import type { CommandGrader, CommandResult } from './grader.ts'

const MAX_OUTPUT = 500

const argument = z
	.string()
	.min(1, 'must not be empty')
	.refine((text) => !text.includes('\0'), 'must not hold a NUL character')

const exitCode = z.int().min(0, 'must be at least 0').max(255, 'must be at most 255')

const options = z.strictObject({
	command: z.array(argument).min(1, 'must name a program'),
	'timeout-ms': z.int().min(1, 'must be at least 1').max(3_600_000, 'must be at most 3600000, one hour').default(30_000),
	'success-exit-codes': z.array(exitCode).min(1, 'must hold at least one exit status').default([0]),
})

/** Passes if the process ends by itself with one of the exit codes; times in milliseconds. */
export const command: CommandGrader<z.infer<typeof options>> = {
	name: 'command',
	description: 'A program, started without a shell beside `outputs/`, ends with an expected exit status.',
	kind: 'command',
	options,
	fault: (_options, target) => {
		if (target.source === 'outputs' || target.source === 'transcript') return undefined
		return {
			pointer: '/target',
			message: 'a command has no target: it finds the files in outputs/ and the transcript by {outputs} and {trace}',
			hint: 'leave "target" out',
		}
	},
	request: (options) => ({
		argv: options.command,
		timeoutMs: options['timeout-ms'],
		successExitCodes: options['success-exit-codes'],
	}),
	grade: (options, result) => gradeResult(options['success-exit-codes'], result),
}

function gradeResult(expected: readonly number[], result: CommandResult): Grade {
	const { exitCode, signal, failure } = result
	if (failure !== undefined) return { outcome: 'error', evidence: failure }
	if (signal !== undefined) return { outcome: 'error', evidence: `the command was ended by ${signal}` }
	if (exitCode === undefined) return { outcome: 'error', evidence: 'the command gave no exit status' }
	const stdout = lastLines(result.stdout, MAX_OUTPUT)
	if (expected.includes(exitCode)) return { outcome: 'pass', evidence: joinParts(`exit status ${exitCode}`, stdout) }
	const printed = lastLines(result.stderr, MAX_OUTPUT) || stdout
	return { outcome: 'fail', evidence: joinParts(`exit status ${exitCode} (expected ${expected.join(' or ')})`, printed) }
}

function joinParts(sentence: string, printed: string): string {
	return printed === '' ? sentence : `${sentence}: ${printed}`
}
