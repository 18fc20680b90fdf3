import { mkdir, realpath, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Agent, AgentCall, AgentEnd, AgentReport } from '../agents/agent.ts'
import { REPORT_VARIABLE } from '../agents/command.ts'
import { PROMPT_VERSION } from '../agents/prompt.ts'
import { expectsMessage } from '../core/plan.ts'
import type { PlannedRun } from '../definition.ts'
import { isObject } from '../formats/json.ts'
import type { Inputs } from '../inputs.ts'
import type { Execution, Failure, OutputFile } from '../model.ts'
import { formatAgentFacts } from '../report/agent-facts.ts'
import type { Transcript } from '../transcript.ts'
import { readTranscript } from '../transcripts/read-transcript.ts'
import { allowEnvironment } from './environment.ts'
import { isFile, readText, writeText } from './files.ts'
import { copyOutputs, readOutputs } from './outputs.ts'
import { type ProcessEnd, runProcess } from './process.ts'
import { readSession } from './sessions.ts'
import { removeStage, type Stage, stageRun } from './staging.ts'
import { outputsDirectory, readTiming, runDirectory } from './workspace.ts'

export type Machine = { places: { cwd: string; temp: string }; environment: NodeJS.ProcessEnv }

/** Where a final message is kept when the agent wrote no file, so that a workspace can be graded later. */
const RESPONSE_FILE = 'response.md'

/** A run's record is worth more than what a program prints by the way: of it so much is kept from each end. */
const RECORD_BYTES = 16 * 1024 * 1024

/** What came of one try: `retry` as in AgentReport. */
export type Try = Execution & Pick<AgentReport, 'retry'>

/** Runs the agent for one eval in a directory of its own and keeps what it left. */
export async function executeRun(planned: PlannedRun, agent: Agent, inputs: Inputs, machine: Machine): Promise<Try> {
	const stage = await stageRun(planned, agent.skillPlaces, machine.places.temp)
	const reportPath = join(stage.directory, '.skill-eval-report.json')
	try {
		const call = agent.call(stage.task, {
			command: await resolvePaths(inputs['agent-command'] ?? [], machine.places.cwd),
			model: inputs['agent-model'],
			args: inputs['agent-args'],
			variables: inputs['agent-env'],
		})
		await writeHomeFiles(call, stage)
		const end = await runProcess({
			argv: call.argv,
			cwd: stage.directory,
			environment: {
				...allowEnvironment(machine.environment, inputs['agent-env']),
				...call.environment,
				...(agent.isKnown ? placeHome(stage.home) : { [REPORT_VARIABLE]: reportPath }),
			},
			stdin: call.stdin,
			timeoutMs: inputs.timeout * 1000,
			keptBytes: agent.isKnown ? RECORD_BYTES : undefined,
		})
		const told = readEnd(agent, { ...end, report: await readReport(reportPath, stage.directory) }, call.stdin)
		return await keepRun(planned, agent, stage, end, told)
	} finally {
		await removeStage(stage)
	}
}

/** Sessions, settings and credentials of whoever uses this machine are not the agent's; what it leaves at home goes with the run. */
function placeHome(home: string): Record<string, string> {
	return { HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home, TMPDIR: home }
}

async function writeHomeFiles({ homeFiles = [] }: AgentCall, { home }: Stage): Promise<void> {
	for (const { path, text } of homeFiles) {
		await mkdir(dirname(join(home, path)), { recursive: true })
		await writeText(join(home, path), text)
	}
}

/** The agent works in a directory of its own, so that a file of the repository in its command (`scripts/agent.mjs`) is made absolute; a directory is not, because `.` means its own. */
async function resolvePaths(argv: string[], cwd: string): Promise<string[]> {
	const resolveOne = async (argument: string) => {
		const path = resolve(cwd, argument)
		return /[./]/.test(argument) && !argument.includes('\0') && (await isFile(path)) ? path : argument
	}
	return Promise.all(argv.map(resolveOne))
}

async function keepRun(
	planned: PlannedRun,
	agent: Agent,
	stage: Stage,
	end: ProcessEnd,
	{ transcript, ...told }: AgentReport,
): Promise<Try> {
	const kept = runDirectory(planned)
	const read = await readOutputs('outputs', stage.directory).catch(() => ({
		files: [],
		refused: 'outputs/ is gone or cannot be read',
	}))
	const response = read.refused === undefined ? toResponse(read.files, told.lastMessage) : undefined
	await clearPlaces(planned)
	for (const place of new Set([join(kept, 'outputs'), outputsDirectory(planned)])) {
		await copyOutputs(read.files, stage.outputs, place)
		if (response) await writeText(join(place, RESPONSE_FILE), response.text ?? '')
	}
	const transcriptName = isJsonLines(end.stdout) ? 'transcript.jsonl' : 'transcript.txt'
	await writeText(join(kept, transcriptName), end.stdout)
	await writeText(join(kept, 'stderr.log'), end.stderr)
	if (agent.isKnown)
		await writeText(
			join(kept, 'agent.json'),
			formatAgentFacts(agent.name, planned.suite.wording?.version ?? PROMPT_VERSION, told),
		)
	const files = response ? [response] : read.files
	return {
		timing: { durationMs: end.durationMs, totalTokens: told.totalTokens },
		outputs: { files, lastMessage: told.lastMessage },
		transcript,
		transcriptFile: join(kept, transcriptName),
		costUsd: told.costUsd,
		model: told.model,
		failure:
			told.failure ?? describeRefusal(read.refused) ?? describeNothing(files) ?? describeNoFile(planned, agent, read.files),
		retry: told.retry,
		problems: [],
	}
}

/** The agent of another eval could have planted something here, for a command grader to find or for us to write through. The runs with the skill are all over before the first without it. */
async function clearPlaces(planned: PlannedRun): Promise<void> {
	const { suite, evaluation, arm, run } = planned
	if (run !== 1) return
	const ofEval = `eval-${evaluation.id}`
	const places = arm === 'with_skill' ? [join(suite.runsDir, ofEval), join(suite.workspace, ofEval)] : [runDirectory(planned)]
	for (const place of places) await rm(place, { recursive: true, force: true })
}

/** What the agent tells of itself, and the record of what it did. A record with a gap is none: nothing follows from what is missing. */
function readEnd(agent: Agent, end: AgentEnd, prompt: string): AgentReport {
	const told = agent.read(end)
	const record = end.stdoutCut ? { problem: 'cut' } : readTranscript(end.stdout, { prompt })
	if ('problem' in record) return told
	const { transcript } = record
	if (agent.isKnown || end.report !== undefined) return { ...told, transcript }
	// A program that prints the record of a known agent: what it printed is no message, and an end that the record denies is none.
	const lastMessage = transcript.texts.findLast(({ branch }) => branch === undefined)?.text
	const usage = transcript.usage && transcript.usage.input + transcript.usage.output
	const sentence = transcript.ending === 'failed' ? 'says that it failed' : 'printed a record that ends in the middle'
	const failure =
		transcript.ending === 'finished'
			? undefined
			: { sentence: `${transcript.agent} ${sentence}`, quotes: [transcript.fault?.message ?? ''] }
	return { ...told, lastMessage, transcript, totalTokens: usage, model: transcript.model, failure: told.failure ?? failure }
}

function toResponse(files: OutputFile[], message: string | undefined): OutputFile | undefined {
	if (files.length > 0 || message === undefined) return undefined
	return { path: RESPONSE_FILE, kind: 'text', bytes: Buffer.byteLength(message), text: message, cut: false }
}

function describeRefusal(refused: string | undefined): Failure | undefined {
	return refused === undefined ? undefined : { sentence: refused, quotes: [] }
}

/** An exit status of 0 proves nothing: whoever leaves nothing has done nothing. */
function describeNothing(files: OutputFile[]): Failure | undefined {
	if (files.some(({ kind }) => kind === 'text' || kind === 'binary')) return undefined
	return {
		sentence: 'the agent left neither a file in outputs/ nor a final message',
		quotes: [],
		hint: 'see stderr.log and the transcript of this run',
	}
}

/** A known agent was told to write files. Where only files are looked for, words alone mean that it could not, or did not, do its work. */
function describeNoFile({ evaluation }: PlannedRun, { isKnown }: Agent, files: OutputFile[]): Failure | undefined {
	if (!isKnown || files.length > 0 || expectsMessage(evaluation)) return undefined
	return {
		sentence: 'the agent left no file in outputs/, only a final message',
		quotes: [],
		hint: 'see the transcript of this run; where the message is what counts, give an assertion the target last-message',
	}
}

function isJsonLines(text: string): boolean {
	const first = text.split('\n').find((line) => line.trim() !== '')
	try {
		return first !== undefined && isObject(JSON.parse(first))
	} catch {
		return false
	}
}

/** The agent may have put anything in its place; what cannot be read is as useless as what cannot be parsed. */
async function readReport(path: string, directory: string): Promise<string | undefined> {
	const read = await readText(path, directory)
	return read.status === 'missing' ? undefined : read.status === 'read' ? read.text : ''
}

function describeNoSession(transcript: Transcript | undefined): Failure | undefined {
	if (transcript) return undefined
	const hint = 'put the recorded session into eval-session/transcript.jsonl of the workspace'
	return { sentence: 'there is no recorded session in the workspace that can be read', quotes: [], hint }
}

/** With agent `none`: the outputs that something else left in the workspace. */
export async function readExecution({ suite, evaluation }: PlannedRun, cwd: string): Promise<Execution> {
	const { timing, problems } = await readTiming(suite.workspace, evaluation.id, cwd)
	const { problems: said, ...session } = await readSession(suite, evaluation.id, evaluation.prompt, cwd)
	const directory = `eval-${evaluation.id}/outputs`
	const gone = { files: [], refused: `there is no readable ${directory}/ in the workspace` }
	const read = await realpath(suite.workspace)
		.then((root) => readOutputs(directory, root))
		.catch(() => gone)
	const [only, second] = read.files
	const response = only?.path === RESPONSE_FILE && !second && !only.cut ? only.text : undefined
	const spoken = session.transcript?.texts.findLast(({ branch }) => branch === undefined)?.text
	// A session that was recorded elsewhere has no outputs/; what it says and did is all that its artifact's rules are about.
	const isSession = suite.format === 'metadata.evals'
	const failure = isSession
		? describeNoSession(session.transcript)
		: (describeRefusal(read.refused) ?? describeNothing(read.files))
	const outputs = { files: read.files, lastMessage: response ?? spoken }
	return { timing, outputs, ...session, failure, problems: [...problems, ...said] }
}
