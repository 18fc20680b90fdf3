import type { AssertionDefinition, Problem, SuiteDefinition } from '../definition.ts'
import { checkAssertion } from '../graders/registry.ts'

/** What the graders themselves refuse in a definition: unknown graders, options they do not have, patterns that do not compile. */
export function checkGraders(suite: SuiteDefinition): Problem[] {
	return suite.evals.flatMap((evaluation) => evaluation.assertions.flatMap((assertion) => checkOne(assertion, suite.file)))
}

function checkOne(assertion: AssertionDefinition, file: string): Problem[] {
	return checkAssertion(assertion.grader, assertion.options, assertion.target).map((fault) => ({
		code: 'grader-options',
		severity: 'error',
		file,
		line: assertion.line,
		pointer: `${assertion.pointer}${fault.pointer}`,
		message: fault.message,
		hint: fault.hint,
	}))
}
