import type { AssertionDefinition, Target } from '../definition.ts'
import type { Grade, OutputFile, Outputs } from '../model.ts'
import { checkAssertion, planGrade } from './registry.ts'

/** For tests: a text file. */
export function textFile(path: string, text: string, cut = false): OutputFile {
	return { path, kind: 'text', bytes: new TextEncoder().encode(text).length, text, cut }
}

/** For tests: an entry without text, 7 bytes long. */
export function otherFile(path: string, kind: 'binary' | 'link' | 'special'): OutputFile {
	return { path, kind, bytes: 7, cut: false }
}

/** For tests: a target from `outputs`, `last-message` or a path. */
export function aim(at: string): Target {
	return at === 'outputs' || at === 'last-message' ? { source: at } : { source: 'file', path: at }
}

/** For tests: a definition with this grader. */
export function define(grader: string, options: Record<string, unknown>, at = 'outputs'): AssertionDefinition {
	return {
		index: 1,
		text: 'a',
		severity: 'error',
		type: 'regression',
		weight: 1,
		skip: false,
		grader,
		options,
		target: aim(at),
		pointer: '',
	}
}

/** For tests: the grade of a grader that needs no process; throws for options that are refused. */
export function gradeWith(
	grader: string,
	options: Record<string, unknown>,
	given: OutputFile[] | Outputs,
	at = 'outputs',
): Grade {
	const faults = checkAssertion(grader, options, aim(at))
	if (faults.length > 0) throw new Error(`the test gives options that are refused: ${JSON.stringify(faults)}`)
	const plan = planGrade(define(grader, options, at), { outputs: Array.isArray(given) ? { files: given } : given })
	if (!('grade' in plan)) throw new Error('the grader asks for a process')
	return plan.grade
}

/** For tests: pointer and message of each fault. */
export function faultsOf(grader: string, options: unknown, at = 'outputs'): string[] {
	return checkAssertion(grader, options, aim(at)).map((fault) => `${fault.pointer} ${fault.message}`)
}
