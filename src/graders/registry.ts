import type { AssertionDefinition, Target } from '../definition.ts'
import type { Grade } from '../model.ts'
import { command } from './command.ts'
import { contains } from './contains.ts'
import { equals } from './equals.ts'
import { listFaults, nameUnknownOption } from './faults.ts'
import { fileExists } from './file-exists.ts'
import { fileNotExists } from './file-not-exists.ts'
import type { CommandRequest, CommandResult, Fault, Grader, Subjects } from './grader.ts'
import { human } from './human.ts'
import { jsonOutput, jsonSchema } from './json-schema.ts'
import { notContains } from './not-contains.ts'
import { notRegex } from './not-regex.ts'
import { regex } from './regex.ts'
import { cost } from './session/cost.ts'
import { fileAccess } from './session/file-access.ts'
import { gradeSession, gradeSpending, gradeTexts } from './session/grade.ts'
import { skillInvoked } from './session/skill-invoked.ts'
import { toolOrder } from './session/tool-order.ts'
import { toolUsage } from './session/tool-usage.ts'
import { turnCount } from './session/turn-count.ts'
import { guessName } from './spelling.ts'

/** A grade, or the process that has to run first and what its end means. */
export type Plan = { grade: Grade } | { request: CommandRequest; finish: (result: CommandResult) => Grade }

/** A grader whose options are checked inside, so that all fit in one table. */
export type Entry = Pick<Grader<unknown>, 'name' | 'description' | 'kind' | 'options'> & {
	check: (options: unknown, target: Target) => Fault[]
	plan: (definition: AssertionDefinition, subjects: Subjects) => Plan
}

/** Every deterministic grader, in the order in which they are documented. */
export const GRADERS: readonly Entry[] = [
	enter(contains),
	enter(notContains),
	enter(equals),
	enter(regex),
	enter(notRegex),
	enter(fileExists),
	enter(fileNotExists),
	enter(jsonSchema),
	enter(command),
	enter(toolUsage),
	enter(toolOrder),
	enter(skillInvoked),
	enter(fileAccess),
	enter(turnCount),
	enter(cost),
	enter(jsonOutput),
	enter(human),
]

/** The name of the language-model judge, which is no deterministic grader and has no options. */
const JUDGE = 'judge'

/** What is wrong with an assertion's grader, options and target; empty if nothing is. Pointers are relative to the assertion. */
export function checkAssertion(grader: string, options: unknown, target: Target): Fault[] {
	if (grader === JUDGE) return Object.keys(Object(options ?? {})).map((key) => nameUnknownOption(key, []))
	const entry = findGrader(grader)
	return entry ? entry.check(options, target) : [nameUnknownGrader(grader)]
}

/**
 * Grades one assertion, or says which process must run first. Whatever goes wrong inside a grader becomes an `error` grade.
 * Throws only for `judge`, whose assertions are graded elsewhere.
 */
export function planGrade(definition: AssertionDefinition, subjects: Subjects): Plan {
	if (definition.grader === JUDGE) throw new Error('an assertion for the judge was given to the deterministic graders')
	const entry = findGrader(definition.grader)
	if (!entry) return { grade: { outcome: 'error', evidence: nameUnknownGrader(definition.grader).message } }
	return entry.plan(definition, subjects)
}

function findGrader(name: string): Entry | undefined {
	return GRADERS.find((entry) => entry.name === name)
}

function nameUnknownGrader(name: string): Fault {
	const known = [...GRADERS.map((entry) => entry.name), JUDGE]
	const guess = guessName(name, known)
	const message = `the grader ${JSON.stringify(name)} is not known; the graders are ${known.join(', ')}`
	return { pointer: '/grader', message, hint: guess === undefined ? undefined : `write ${JSON.stringify(guess)}` }
}

function enter<O>(grader: Grader<O>): Entry {
	const { name, description, kind, options: schema } = grader
	const known = Object.keys(schema.shape)
	const read = (options: unknown, target: Target): { options: O } | { faults: Fault[] } => {
		const parsed = schema.safeParse(options ?? {})
		if (!parsed.success) return { faults: listFaults(parsed.error.issues, options ?? {}, known) }
		const fault = grader.fault?.(parsed.data, target) ?? refuseTarget(grader, target)
		return fault ? { faults: [fault] } : { options: parsed.data }
	}
	return {
		name,
		description,
		kind,
		options: schema,
		check: (options, target) => {
			try {
				const result = read(options, target)
				return 'faults' in result ? result.faults : []
			} catch (error) {
				return [{ pointer: '/options', message: `the options cannot be checked: ${readReason(error)}` }]
			}
		},
		plan: (definition, subjects) => {
			try {
				const result = read(definition.options, definition.target)
				if ('options' in result) return planFor(grader, result.options, definition, subjects)
				return { grade: { outcome: 'error', evidence: result.faults.map((fault) => fault.message).join('; ') } }
			} catch (error) {
				return { grade: explainException(name, error) }
			}
		},
	}
}

/** What a grader cannot look at is refused, so that nobody believes that it was looked at. An evals file's default says nothing. */
function refuseTarget<O>({ name, kind }: Grader<O>, { source }: Target): Fault | undefined {
	if ((kind !== 'session' && kind !== 'spending') || source === 'outputs' || source === 'transcript') return undefined
	const message = `${name} reads the transcript, and cannot be pointed at ${JSON.stringify(source)}`
	return { pointer: '/target', message, hint: 'leave "target" out' }
}

function planFor<O>(grader: Grader<O>, options: O, definition: AssertionDefinition, subjects: Subjects): Plan {
	switch (grader.kind) {
		case 'command':
			return { request: grader.request(options), finish: (result) => guard(grader.name, () => grader.grade(options, result)) }
		case 'path':
			return { grade: grader.grade(options, definition.target, subjects.outputs) }
		case 'session':
			return { grade: gradeSession(grader, options, definition.scope, subjects) }
		case 'spending':
			return { grade: gradeSpending(grader, options, subjects) }
		case 'files':
			return { grade: gradeTexts(grader, options, definition, subjects) }
	}
}

function guard(name: string, grade: () => Grade): Grade {
	try {
		return grade()
	} catch (error) {
		return explainException(name, error)
	}
}

function explainException(name: string, error: unknown): Grade {
	return { outcome: 'error', evidence: `the grader ${name} could not finish: ${readReason(error)}` }
}

function readReason(error: unknown): string {
	return error instanceof Error ? error.message : String(error)
}
