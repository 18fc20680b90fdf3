/** The real command-line programs, at the versions of docs/agents.md, with a scripted model on loopback as the only address that they are given. */
import { agentsRoot, problemOf } from '../../scripts/install-test-parts.mjs'
import { LIMIT_MS, makeRepository, type ResultJson } from '../execution-support.ts'
import type { ModelServer } from '../models/server.ts'
import { runCommand } from '../support/program.ts'
import type { Tree } from '../support/tree.ts'

export type RealAgent = {
	name: 'claude' | 'codex' | 'gemini' | 'pi'
	/** How a user points it to another address, by variables named in agent-env. */
	environment: (model: ModelServer, tree: Tree) => Record<string, string>
	flags: (model: ModelServer) => string[]
	/** What it calls the tool that the scripted model writes the file with. */
	tool: string
	/** What it pays for `work`: turns of the scripted model. */
	turns: number
	/** So many refused requests end its first run: its own retries, and one. */
	refusals: number
	model: string
}

const codexProvider = (url: string) => {
	const own = 'model_providers.scripted'
	const settings = [
		`${own}.base_url=${url}/v1`,
		`${own}.env_key=SCRIPTED_KEY`,
		`${own}.wire_api=responses`,
		`${own}.name=scripted`,
	]
	const retries = [`${own}.request_max_retries=0`, `${own}.stream_max_retries=0`]
	return ['model_provider=scripted', ...settings, ...retries].flatMap((setting) => ['-c', setting])
}

/** Without a tool for skills, `codex` and `pi` need one turn less. */
export const REAL_AGENTS: RealAgent[] = [
	{
		name: 'claude',
		environment: ({ url }) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'key-of-the-test' }),
		flags: () => ['--agent-model', 'claude-scripted'],
		turns: 3,
		refusals: 3,
		tool: 'Write',
		model: 'claude-scripted',
	},
	{
		name: 'codex',
		environment: () => ({ SCRIPTED_KEY: 'key-of-the-test' }),
		flags: ({ url }) => ['--agent-model', 'codex-scripted', '--agent-args', JSON.stringify(codexProvider(url))],
		turns: 2,
		refusals: 1,
		tool: 'command_execution',
		model: 'codex-scripted',
	},
	{
		name: 'gemini',
		environment: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'key-of-the-test' }),
		flags: () => ['--agent-model', 'gemini-2.5-flash'],
		turns: 3,
		refusals: 3,
		tool: 'write_file',
		model: 'gemini-2.5-flash',
	},
	{
		name: 'pi',
		environment: ({ url }, tree) => {
			const provider = { baseUrl: url, api: 'anthropic-messages', apiKey: 'SCRIPTED_KEY', models: [{ id: 'pi-scripted' }] }
			tree.write({ 'pi/models.json': { providers: { scripted: provider } }, 'pi/settings.json': { retry: { enabled: false } } })
			return { SCRIPTED_KEY: 'key-of-the-test', PI_CODING_AGENT_DIR: tree.path('pi') }
		},
		flags: () => ['--agent-model', 'scripted/pi-scripted'],
		turns: 2,
		refusals: 1,
		tool: 'write',
		model: 'pi-scripted',
	},
]

/** Why an agent cannot be run here; undefined if it can. */
export const problemOfAgent = ({ name }: RealAgent): string | undefined => problemOf(name)

const reportEval = (tool: string) => ({
	prompt: 'Write the report.',
	assertions: [
		{ text: 'The report names the revenue', grader: 'contains', options: { value: 'Revenue: 42' } },
		// Read from its transcript.
		{ text: 'It says where the report is', grader: 'regex', options: { pattern: 'report is in outputs' }, target: 'transcript' },
		{ text: 'It uses its tool once', grader: 'tool-usage', options: { tool, min: 1, max: 1 }, target: 'transcript' },
	],
})

/** A repository whose skill has evals and answers that no agent may see. */
export const makeReportRepository = (evals: number, { tool }: RealAgent) =>
	makeRepository(
		Array.from({ length: evals }, () => ({ ...reportEval(tool), expected_output: 'CANARY-ANSWER' })),
		{ 'home/.claude/settings.json': '{"CANARY":"HOME"}', 'home/.codex/config.toml': 'model = "CANARY-HOME"\n' },
	)

/** Runs the built command with this agent; the key is the only thing of the environment that it is given by name. */
export async function runReal(
	agent: RealAgent,
	model: ModelServer,
	tree: Tree,
	more: { flags?: string[]; onSpawn?: Parameters<typeof runCommand>[1]['onSpawn'] } = {},
) {
	const environment = agent.environment(model, tree)
	const flags = [
		'--agent',
		agent.name,
		'--agent-env',
		Object.keys(environment).join('\n'),
		...agent.flags(model),
		...(more.flags ?? []),
	]
	const args = ['run', '--evals', 'skills/x/evals/evals.json', '--workspace', 'results/{skill}', ...flags, '--json']
	const ended = await runCommand(args, {
		cwd: tree.dir,
		env: {
			PATH: `${agentsRoot}node_modules/.bin:${process.env.PATH}`,
			HOME: tree.path('home'),
			TMPDIR: tree.path('tmp'),
			CANARY_SECRET: 'canary-secret',
			// Whoever asks for another address than the model's is seen there.
			HTTP_PROXY: model.url,
			HTTPS_PROXY: model.url,
			NO_PROXY: '127.0.0.1,localhost',
			...environment,
		},
		limitMs: LIMIT_MS,
		onSpawn: more.onSpawn,
	})
	return { ...ended, result: (ended.stdout === '' ? undefined : JSON.parse(ended.stdout)) as ResultJson }
}
