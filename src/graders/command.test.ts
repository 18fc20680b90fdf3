import { describe, expect, test } from 'vitest'
import type { CommandResult } from './grader.ts'
import { planGrade } from './registry.ts'
import { define, faultsOf } from './testing.ts'

function finish(result: Partial<CommandResult>, options: Record<string, unknown> = {}) {
	const plan = planGrade(define('command', { command: ['check'], ...options }), { outputs: { files: [] } })
	if ('grade' in plan) throw new Error(plan.grade.evidence)
	return plan.finish({ stdout: '', stderr: '', ...result })
}

test('command asks for a process', () => {
	const options = { command: ['node', 'check.mjs', '; rm -rf /'], 'timeout-ms': 5, 'success-exit-codes': [0, 2] }
	expect(planGrade(define('command', options), { outputs: { files: [] } })).toEqual({
		request: { argv: ['node', 'check.mjs', '; rm -rf /'], timeoutMs: 5, successExitCodes: [0, 2] },
		finish: expect.any(Function),
	})
	expect(planGrade(define('command', { command: ['x'] }), { outputs: { files: [] } })).toMatchObject({
		request: { argv: ['x'], timeoutMs: 30_000, successExitCodes: [0] },
	})
})

describe('command grades', () => {
	test.each<[Partial<CommandResult>, Record<string, unknown>, string, string]>([
		[{ exitCode: 0 }, {}, 'pass', 'exit status 0'],
		[{ exitCode: 0, stdout: 'a\r\nb\n', stderr: 'warn' }, {}, 'pass', 'exit status 0: a\nb'],
		[{ exitCode: 2 }, { 'success-exit-codes': [0, 2] }, 'pass', 'exit status 2'],
		[{ exitCode: 3, stdout: 'out', stderr: 'bad\n' }, {}, 'fail', 'exit status 3 (expected 0): bad'],
		[{ exitCode: 3, stdout: 'out', stderr: ' \n' }, {}, 'fail', 'exit status 3 (expected 0): out'],
		[{ exitCode: 3 }, {}, 'fail', 'exit status 3 (expected 0)'],
		[{ exitCode: 0 }, { 'success-exit-codes': [1, 2] }, 'fail', 'exit status 0 (expected 1 or 2)'],
		[{ exitCode: Number.NaN }, {}, 'fail', 'exit status NaN (expected 0)'],
		[{}, {}, 'error', 'the command gave no exit status'],
		[{ signal: 'SIGKILL' }, {}, 'error', 'the command was ended by SIGKILL'],
		[{ exitCode: 0, signal: 'SIGKILL' }, {}, 'error', 'the command was ended by SIGKILL'],
		[{ exitCode: 0, failure: 'it ran longer than 30 s' }, {}, 'error', 'it ran longer than 30 s'],
		[{ exitCode: 0, failure: '' }, {}, 'error', ''],
	])('%j', (result, options, outcome, evidence) => expect(finish(result, options)).toEqual({ outcome, evidence }))

	test('shows the last 500 characters, in whole lines', () => {
		const stdout = Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n')
		const { evidence } = finish({ exitCode: 0, stdout })
		expect(evidence).toMatch(/^exit status 0: line 1\d\d\n.*line 199$/s)
		expect(evidence.length).toBeLessThanOrEqual(515)
	})

	test('a result without text is an error, not a crash', () => {
		const result = JSON.parse('{"exitCode":0,"stdout":null,"stderr":null}')
		expect(finish(result)).toEqual({ outcome: 'error', evidence: expect.stringContaining('the grader command could not finish') })
	})
})

describe('command refuses', () => {
	test.each([
		[{}, ['/options/command "command" is missing']],
		[{ command: 'npm test' }, ['/options/command "command" must be a list, not the string "npm test"']],
		[{ command: [] }, ['/options/command "command" must name a program']],
		[{ command: ['x', ''] }, ['/options/command/1 "command.1" must not be empty']],
		[{ command: ['x\0'] }, ['/options/command/0 "command.0" must not hold a NUL character']],
		[{ command: ['x'], 'timeout-ms': 0 }, ['/options/timeout-ms "timeout-ms" must be at least 1']],
		[{ command: ['x'], 'timeout-ms': 3_600_001 }, [expect.stringContaining('at most 3600000')]],
		[{ command: ['x'], 'timeout-ms': '30s' }, ['/options/timeout-ms "timeout-ms" must be a whole number, not the string "30s"']],
		[{ command: ['x'], 'success-exit-codes': [] }, [expect.stringContaining('at least one exit status')]],
		[
			{ command: ['x'], 'success-exit-codes': [256] },
			[expect.stringMatching(/^\/options\/success-exit-codes\/0 "success-exit-codes.0" must be/)],
		],
		[
			{ command: ['x'], 'success-exit-codes': [-1] },
			[expect.stringMatching(/^\/options\/success-exit-codes\/0 "success-exit-codes.0" must be/)],
		],
		[{ command: ['x'], shell: true }, [expect.stringContaining('the option "shell" is not known')]],
	])('%j', (options, faults) => expect(faultsOf('command', options)).toEqual(faults))

	test('a target', () => {
		const fault = '/target a command has no target: it finds the files in outputs/ and the transcript by {outputs} and {trace}'
		expect(faultsOf('command', { command: ['x'] }, 'a.md')).toEqual([fault])
		expect(faultsOf('command', { command: ['x'] }, 'last-message')).toEqual([fault])
	})
})
