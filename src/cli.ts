/** The local command: the same run() as the Action, flags named as its inputs. People read standard output, machines read it with --json. */
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { calibrateJudge } from './calibrate.ts'
import { checkGradersOnNothing, formatGraderCheck, renderGraderCheck } from './check-graders.ts'
import { convert } from './convert.ts'
import type { Result } from './decision.ts'
import { INPUT_NAMES, InputError, type Inputs, parseInputs } from './inputs.ts'
import { createLog, neutralise } from './io/log.ts'
import { cancelProcesses } from './io/process.ts'
import type { Verdict } from './model.ts'
import { formatCalibration, renderCalibration } from './report/calibration.ts'
import { renderLog } from './report/log-lines.ts'
import { formatProblem } from './report/notes.ts'
import { formatResult } from './report/result-json.ts'
import { renderSummary } from './report/summary.ts'
import { run } from './run.ts'
import { formatValidation, renderValidation, validate } from './validate.ts'
import { VERSION } from './version.ts'

const EXIT_STATUS: Record<Verdict, number> = { pass: 0, fail: 1, incomplete: 2, invalid: 3 }

/** Only a job on GitHub can use these. */
const ACTION_ONLY = new Set(['mode', 'comment', 'comment-key', 'report-to', 'github-token'])
const FLAGS = INPUT_NAMES.filter((name) => !ACTION_ONLY.has(name))

const COMMANDS = ['run', 'report', 'validate', 'calibrate', 'check-graders']

/** Flags without a value. */
const SWITCHES = new Set(['allow-empty', 'judge-strict-evidence', 'judge-sees-expected'])

const HELP = `skill-eval-gate ${VERSION}: runs the evals of agent skills, grades every assertion, compares, decides.

  skill-eval-gate run       run the agent, grade, compare, decide
  skill-eval-gate report    grade nothing: judge the results that a workspace holds
  skill-eval-gate validate  PATH...   check definitions, and results in directories; run nothing
  skill-eval-gate calibrate LABELS    let the judge grade outputs with known answers, and say how often it is right
  skill-eval-gate check-graders       list the deterministic assertions that pass on empty outputs
  skill-eval-gate convert   FILE --to skill-creator|run-evals|evalify   (FILE may be a plugin with cases of claude plugin eval)

Flags (the inputs of the Action; --evals may be given several times):
${FLAGS.map((name) => `  --${name}${SWITCHES.has(name) ? '' : ' VALUE'}`).join('\n')}
  --json     print result.json, and nothing else, on standard output

Exit status: 0 pass, 1 fail, 2 incomplete (something was not measured), 3 invalid (inputs or definitions cannot be used).
`

type Command = { command: string; flags: Record<string, string | boolean | string[] | undefined>; positionals: string[] }

async function main(): Promise<number> {
	const { command, flags, positionals } = parseCommand(process.argv.slice(2))
	if (flags.version) return print(`${VERSION}\n`)
	if (flags.help || command === '') return print(HELP)
	if (command === 'convert') return convertFile(positionals, flags.to)
	if (!COMMANDS.includes(command)) {
		throw new InputError(`there is no command ${JSON.stringify(command)}; use ${COMMANDS.join(', ')} or convert`)
	}
	if (flags.to !== undefined) throw new InputError('--to belongs to convert')
	if (!['validate', 'calibrate'].includes(command) && positionals.length > 0) {
		throw new InputError(`${command} takes no file names, but got ${positionals.join(' ')}; use --evals`)
	}
	const inputs = parseInputs((name) => readFlag(name, command, flags, positionals))
	const json = flags.json === true
	if (command === 'calibrate') return calibrateLabels(positionals, inputs, json)
	if (command === 'check-graders') return checkGraders(inputs, json)
	return command === 'validate' ? validateFiles(inputs, json) : runSuites(inputs, json)
}

function parseCommand(argv: string[]): Command {
	const options = Object.fromEntries([
		...FLAGS.map((name) => [name, { type: SWITCHES.has(name) ? 'boolean' : 'string', multiple: name === 'evals' }] as const),
		['to', { type: 'string', multiple: false }] as const,
		...['json', 'help', 'version'].map((name) => [name, { type: 'boolean', multiple: false }] as const),
	])
	try {
		const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true, strict: true })
		const [command = '', ...rest] = positionals
		return { command, flags: values as Command['flags'], positionals: rest }
	} catch (error) {
		throw new InputError(`${error instanceof Error ? error.message : String(error)}; see skill-eval-gate --help`)
	}
}

function readFlag(name: string, command: string, flags: Command['flags'], positionals: string[]): string | undefined {
	// Validating runs nothing, so it needs no agent.
	if (name === 'mode') return command === 'run' ? 'run' : 'report'
	const value = name === 'evals' && command === 'validate' && positionals.length > 0 ? positionals : flags[name]
	return Array.isArray(value) ? value.join('\n') : value === undefined ? undefined : String(value)
}

async function runSuites(inputs: Inputs, json: boolean): Promise<number> {
	const log = createLog(process.stderr)
	const publish = async (result: Result, { resultJson }: { resultJson: string }) => {
		for (const line of renderLog(result)) log.info(line)
		log.info(`result: ${resultJson}`)
		await print(
			json
				? formatResult(result)
				: result.suites
						.map((suite, at) => renderSummary(suite, result.provenance, result.decision.suites[at] ?? 'incomplete'))
						.join('\n'),
		)
	}
	const event = { name: undefined, payload: undefined }
	const result = await run(inputs, { places: places(), environment: process.env, event, log, publish })
	return EXIT_STATUS[result.decision.verdict]
}

async function validateFiles(inputs: Inputs, json: boolean): Promise<number> {
	const validation = await validate(inputs, places())
	const log = createLog(process.stderr)
	for (const problem of validation.problems) log.info(`${problem.severity}: ${formatProblem(problem)}`)
	await print(json ? formatValidation(validation) : renderValidation(validation))
	return EXIT_STATUS[validation.verdict]
}

async function calibrateLabels(positionals: string[], inputs: Inputs, json: boolean): Promise<number> {
	const [file, ...others] = positionals
	if (file === undefined || others.length > 0) throw new InputError('calibrate takes one file with labels')
	const result = await calibrateJudge(file, inputs, { places: places(), environment: process.env })
	await print(json ? formatCalibration(result) : neutralise(renderCalibration(result)))
	return EXIT_STATUS[result.verdict]
}

async function checkGraders(inputs: Inputs, json: boolean): Promise<number> {
	const check = await checkGradersOnNothing(inputs, { places: places(), environment: process.env })
	const log = createLog(process.stderr)
	for (const problem of check.problems) log.info(`${problem.severity}: ${formatProblem(problem)}`)
	await print(json ? formatGraderCheck(check) : neutralise(renderGraderCheck(check)))
	return EXIT_STATUS[check.verdict]
}

async function convertFile(positionals: string[], to: unknown): Promise<number> {
	const [file, ...others] = positionals
	if (file === undefined || others.length > 0) throw new InputError('convert takes one file')
	const { text, leftOut } = await convert(file, typeof to === 'string' ? to : '', process.cwd())
	const log = createLog(process.stderr)
	for (const what of leftOut) log.info(`left out: ${what}`)
	return print(text)
}

function places() {
	return { cwd: process.cwd(), temp: tmpdir() }
}

/** Waits until everything is written: a pipe may still hold text when the process would end. */
async function print(text: string): Promise<number> {
	await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()))
	return 0
}

function fail(error: unknown): number {
	const isInput = error instanceof InputError
	const text = error instanceof Error ? (isInput ? error.message : (error.stack ?? error.message)) : String(error)
	process.stderr.write(`${neutralise(isInput ? text : `this is a bug in skill-eval-gate: ${text}`)}\n`)
	return EXIT_STATUS[isInput ? 'invalid' : 'incomplete']
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => {
		process.stderr.write('cancelled: there is no verdict\n')
		void cancelProcesses().finally(() => process.exit(130))
	})
}

main().then(
	(status) => {
		process.exitCode = status
	},
	(error: unknown) => {
		process.exitCode = fail(error)
	},
)
