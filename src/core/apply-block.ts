import type { AssertionDefinition, EvalDefinition, Problem } from '../definition.ts'
import type { Artifact } from '../formats/artifact/artifact.ts'
import type { BlockEntry } from '../formats/artifact/block.ts'
import { hintGrader } from '../formats/artifact/migration.ts'
import type { Fault } from '../graders/grader.ts'
import { checkAssertion } from '../graders/registry.ts'

/** The id of the only eval of a suite that has a block and no evals file: one recorded session, in `eval-session/`. */
export const SESSION_ID = 'session'

/** Gives SHA-256 as lower-case hex. */
export type Sha256 = (text: string) => string

/** The rules of a block, as assertions of no eval yet (`index` 0), and what cannot be used of them. */
export function readRules(artifact: Artifact, sha256: Sha256): { rules: AssertionDefinition[]; problems: Problem[] } {
	const { block, blockFile } = artifact
	if (!block) return { rules: [], problems: [] }
	const place = { file: blockFile, line: block.entries[0]?.line }
	if (block.skip) {
		const message = `${artifact.kind} ${artifact.name} is skipped by its own metadata.eval-skip: ${block.entries.length} rules are not graded`
		return { rules: [], problems: [{ code: 'block-skipped', severity: 'warning', ...place, message }] }
	}
	const rules = block.entries.map((entry) => toRule(entry, artifact))
	const problems = rules.flatMap((rule, at) => {
		const entry = block.entries[at]
		return entry ? [...checkContract(entry, blockFile, sha256), ...checkOptions(rule, entry, blockFile)] : []
	})
	return { rules, problems: [...problems, ...warnWeak(rules, place)] }
}

function toRule(entry: BlockEntry, { kind, name, blockFile, block }: Artifact): AssertionDefinition {
	const { id, assertion, grader, type, severity, weight, skip, evidence, examples, provider, model, runs } = entry
	const judge = {
		runs,
		provider,
		model,
		evidence,
		examples: examples && { pass: examples.pass ?? [], fail: examples.fail ?? [] },
	}
	return {
		id,
		index: 0,
		text: assertion ?? `${id} (${grader})`,
		severity,
		type,
		weight,
		skip,
		grader: grader === 'ai' ? 'judge' : grader,
		options: grader === 'command' ? commandOptions(entry) : entry.options,
		target: entry.target === undefined ? { source: 'transcript' } : toTarget(entry.target),
		judge: grader === 'ai' && Object.values(judge).some((each) => each !== undefined) ? judge : undefined,
		authors: block?.authors.get(id),
		scope: { kind, name },
		file: blockFile,
		line: entry.line,
		pointer: entry.pointer,
	}
}

function toTarget(target: NonNullable<BlockEntry['target']>): AssertionDefinition['target'] {
	return typeof target === 'string'
		? { source: target }
		: { source: 'file', path: target.path.replace(/^(\.\/)?(outputs\/)?/, '') }
}

function commandOptions(entry: BlockEntry): Record<string, unknown> {
	const pairs = Object.entries({
		command: entry.command,
		'timeout-ms': entry['timeout-ms'],
		'success-exit-codes': entry['success-exit-codes'],
	})
	return { ...entry.options, ...Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) }
}

/** A command that was generated from a sentence counts only as long as the sentence is the same (tracevals §5.1). */
function checkContract(entry: BlockEntry, file: string, sha256: Sha256): Problem[] {
	const say = (message: string, hint: string): Problem[] => {
		return [{ code: 'command-contract', severity: 'error', file, line: entry.line, pointer: entry.pointer, message, hint }]
	}
	if (entry.grader !== 'command') return []
	if (entry.command === undefined) {
		return say(`"${entry.id}" is graded by a command and has no "command"`, 'generate one from the assertion, or write it')
	}
	const hash = entry['generated-assertion-hash']
	if (hash === undefined) return []
	if (entry.assertion === undefined) {
		return say(
			`"${entry.id}" has a generated-assertion-hash and no assertion that it could be of`,
			'restore the assertion, or remove the hash',
		)
	}
	const actual = sha256(entry.assertion)
	const recorded = hash.toLowerCase().replace(/^sha256[-:]/, '')
	if (recorded === actual) return []
	const message = `the assertion of "${entry.id}" changed after its command was generated (recorded ${recorded.slice(0, 12)}…, now ${actual.slice(0, 12)}…)`
	return say(message, 'generate the command again, or update the hash')
}

/** What the graders refuse, at the entry's own place: a command's fields stand beside its options there. */
function checkOptions(rule: AssertionDefinition, entry: BlockEntry, file: string): Problem[] {
	if (rule.grader === 'command' && entry.command === undefined) return []
	const meant = hintGrader(entry.grader)
	const unknown = {
		pointer: '/grader',
		message: `the grader ${JSON.stringify(entry.grader)} is not known in a block`,
		hint: meant,
	}
	const faults = rule.target.source === 'file' ? checkPath(rule.target.path) : []
	faults.push(...(meant === undefined ? checkAssertion(rule.grader, rule.options, rule.target) : [unknown]))
	return faults.map(({ pointer, message, hint }) => ({
		code: 'grader-options',
		severity: 'error',
		file,
		line: rule.line,
		pointer: `${rule.pointer}${rule.grader === 'command' ? pointer.replace(/^\/options/, '') : pointer}`,
		message: `"${entry.id}": ${message}`,
		hint,
	}))
}

function checkPath(path: string): Fault[] {
	if (/^[^/\\:]+(\/[^/\\:]+)*$/.test(path) && !path.split('/').some((part) => part === '..' || part === '.')) return []
	return [
		{
			pointer: '/target',
			message: `the path ${JSON.stringify(path)} leaves outputs/`,
			hint: 'name a file below outputs/, with /',
		},
	]
}

function warnWeak(rules: AssertionDefinition[], place: { file: string; line?: number | undefined }): Problem[] {
	if (rules.length === 0 || rules.some(({ grader }) => grader !== 'skill-invoked')) return []
	const message = 'every rule of this block is skill-invoked: they check that the skill was loaded, not that it was followed'
	return [{ code: 'block-weak', severity: 'notice', ...place, message }]
}

/** What is asked of a session where its artifact declares nothing: whether it did what the artifact says. */
export function implicitRule({ kind, name, blockFile }: Artifact): AssertionDefinition {
	return {
		id: 'adheres-to-artifact',
		index: 0,
		text: `The session did what this ${kind} ("${name}") instructs. Name the instructions that it followed or violated.`,
		severity: 'error',
		type: 'regression',
		weight: 1,
		skip: false,
		grader: 'judge',
		options: {},
		target: { source: 'transcript' },
		scope: { kind, name },
		file: blockFile,
		line: 1,
		pointer: '',
	}
}

/** The evals with the block's rules as the last assertions of each; an id that an eval has already is a problem. */
export function appendRules(
	evals: EvalDefinition[],
	rules: AssertionDefinition[],
	file: string,
): { evals: EvalDefinition[]; problems: Problem[] } {
	const problems: Problem[] = []
	const extended = evals.map((evaluation) => {
		const last = Math.max(0, ...evaluation.assertions.map(({ index }) => index))
		const own = new Map(evaluation.assertions.map((assertion) => [assertion.id?.toLowerCase(), assertion]))
		for (const { id, file: blockFile } of rules) {
			const taken = id === undefined ? undefined : own.get(id)
			if (!taken) continue
			const message = `the assertion id ${taken.id} of eval-${evaluation.id} is that of a rule in ${blockFile} too`
			const hint = 'rename one of them'
			problems.push({
				code: 'assertion-id-duplicate',
				severity: 'error',
				file,
				line: taken.line,
				pointer: taken.pointer,
				message,
				hint,
			})
		}
		return {
			...evaluation,
			assertions: [...evaluation.assertions, ...rules.map((rule, at) => ({ ...rule, index: last + at + 1 }))],
		}
	})
	return { evals: extended, problems }
}
