import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PROMPT_VERSION } from '../agents/prompt.ts'
import { describeAssertion, describeTask } from '../core/fingerprint.ts'
import type { EvalDefinition, Suite } from '../definition.ts'
import { parseFingerprint } from '../formats/fingerprint.ts'
import type { Inputs } from '../inputs.ts'
import { JUDGE_PROMPT_VERSION } from '../judge/request.ts'
import type { EvalResult, Fingerprint } from '../model.ts'
import { readText } from './files.ts'
import type { Places } from './suites.ts'

/** 128 bits of SHA-256: what decides comparability must not be forged by a second text with the same hash. */
const HASH_CHARACTERS = 32
/** Files that vanished are those of no other run. */
const UNREADABLE = 'unreadable'

/**
 * What this run's results depend on besides the skill. In `report` the conditions are those that the workspace's own benchmark.json records
 * (in `root`), because they were measured elsewhere; what it does not tell stays unknown.
 */
export async function takeFingerprint(
	suite: Suite,
	results: EvalResult[],
	inputs: Inputs,
	places: Places,
	root = suite.workspace,
): Promise<Fingerprint> {
	const isRead = inputs.mode === 'report'
	const recorded = isRead ? await readRecorded(root) : undefined
	const models = new Map(results.map(({ id, model }) => [id, model]))
	const evals: Fingerprint['evals'] = new Map()
	for (const evaluation of suite.evals) {
		const old = recorded?.evals.get(evaluation.id)
		evals.set(evaluation.id, {
			model: isRead ? old?.model : (models.get(evaluation.id) ?? inputs['agent-model']),
			task: hash(describeTask(evaluation)),
			files: isRead ? old?.files : await hashFixtures(evaluation, suite).catch(() => UNREADABLE),
			assertions: evaluation.assertions.map((assertion) => hash(describeAssertion(assertion))),
		})
	}
	return { parts: isRead ? (recorded?.parts ?? {}) : describeParts(suite, inputs, places), evals }
}

async function readRecorded(root: string): Promise<Fingerprint | undefined> {
	const read = await readText(join(root, 'benchmark.json'), root)
	const found = read.status === 'read' ? parseFingerprint(read.text) : undefined
	return found === 'unreadable' ? undefined : found
}

/** Arguments may hold a secret and are long: a hash tells as well that they are others. */
function describeParts({ wording }: Suite, inputs: Inputs, { cwd, temp }: Places): Fingerprint['parts'] {
	const parts: Fingerprint['parts'] = {}
	// Runners put the same program into another directory each time.
	const settle = (argv: string[] = []) => argv.map((each) => each.replaceAll(temp, '{temp}').replaceAll(cwd, '{cwd}'))
	if (inputs.agent !== 'none') {
		parts.agent = inputs.agent
		parts.agent_settings = hash(JSON.stringify([settle(inputs['agent-command']), settle(inputs['agent-args'])]))
		parts.task_prompt = wording?.version ?? PROMPT_VERSION
	}
	if (inputs.judge !== 'none') {
		const rules = [inputs['judge-strict-evidence'], inputs['judge-sees-expected']]
		parts.judge = inputs.judge
		if (inputs['judge-model'] !== undefined) parts.judge_model = inputs['judge-model']
		parts.judge_prompt = JUDGE_PROMPT_VERSION
		parts.judge_settings = hash(JSON.stringify([settle(inputs['judge-command']), ...rules]))
	}
	return parts
}

/** Undefined where the eval has no files, or nobody looked for them. */
async function hashFixtures({ id }: EvalDefinition, suite: Suite): Promise<string | undefined> {
	const fixtures = suite.fixtures.get(id) ?? []
	if (fixtures.length === 0) return undefined
	const lines: string[] = []
	for (const { declared, path } of fixtures) {
		const names = (await stat(path)).isDirectory() ? await listFiles(path) : ['']
		for (const name of names) lines.push(JSON.stringify([declared, name, hash(await readFile(join(path, name)))]))
	}
	return hash(lines.sort().join('\n'))
}

async function listFiles(directory: string): Promise<string[]> {
	const entries = await readdir(directory, { recursive: true, withFileTypes: true })
	const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
	return files.map((file) => file.slice(directory.length + 1)).sort()
}

function hash(content: string | Uint8Array): string {
	return createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARACTERS)
}
