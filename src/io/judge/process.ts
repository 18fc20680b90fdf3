import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CODEX_QUIET } from '../../agents/codex.ts'
import { classifyTrouble } from '../../agents/trouble.ts'
import { ANSWER_SCHEMA } from '../../judge/answer.ts'
import { KEY_ADVICE, readCliAnswer } from '../../judge/cli-answer.ts'
import { renderPrompt } from '../../judge/prompt.ts'
import { readText } from '../files.ts'
import { type ProcessEnd, runProcess } from '../process.ts'
import type { Ask, Reply } from './ask.ts'

const STDERR_TAIL_CHARACTERS = 300

/** Any program: the request as JSON on standard input, the answer on standard output. */
export function commandJudge(argv: string[], cwd: string, environment: Record<string, string>): Ask {
	return async (request, timeoutMs) => {
		const end = await runProcess({ argv, cwd, environment, stdin: `${JSON.stringify(request)}\n`, timeoutMs })
		const why = describeEnd(end)
		return why === undefined ? { text: end.stdout } : { failure: why }
	}
}

export type Cli = {
	name: 'claude' | 'codex'
	model?: string | undefined
	baseUrl?: string | undefined
	environment: Record<string, string>
	temp: string
}

/**
 * An agent's command-line program as a judge, with its own schema flag and without tools as far as it lets us.
 * It starts in an empty directory, so that no settings or instructions of the repository under test are loaded.
 */
export function cliJudge(cli: Cli): Ask {
	return async (request, timeoutMs) => {
		const directory = await mkdtemp(join(cli.temp, 'skill-eval-judge-'))
		try {
			const { system, user } = renderPrompt(request)
			await writeFile(join(directory, 'schema.json'), JSON.stringify(ANSWER_SCHEMA))
			const argv = cli.name === 'claude' ? claudeArguments(cli) : codexArguments(cli, directory)
			const end = await runProcess({
				argv,
				cwd: directory,
				environment: cli.environment,
				stdin: `${system}\n\n${user}\n`,
				timeoutMs,
			})
			const why = describeEnd(end)
			if (cli.name === 'claude') return readCliAnswer(end.stdout, why)
			if (why !== undefined) return classifyFailure(why, end.stderr)
			const answer = await readText(join(directory, 'answer.json'), directory)
			return answer.status === 'read' ? { text: answer.text } : { fault: 'it gave no answer by the schema' }
		} finally {
			await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
		}
	}
}

function claudeArguments({ model }: Cli): string[] {
	const named = model === undefined ? [] : ['--model', model]
	return ['claude', '-p', '--output-format', 'json', '--tools', '', '--json-schema', JSON.stringify(ANSWER_SCHEMA), ...named]
}

/** Codex has no way to take its shell away; it can read, but its sandbox lets it neither write nor connect. */
function codexArguments({ model, baseUrl }: Cli, directory: string): string[] {
	const files = ['--output-schema', join(directory, 'schema.json'), '-o', join(directory, 'answer.json')]
	const named = model === undefined ? [] : ['-m', model]
	const at = baseUrl === undefined ? [] : ['-c', `openai_base_url=${JSON.stringify(baseUrl)}`]
	const quiet = ['--skip-git-repo-check', ...CODEX_QUIET, '--sandbox', 'read-only']
	return ['codex', 'exec', ...quiet, ...files, ...named, ...at, '-']
}

/** Codex says in its own words what its API refused. */
function classifyFailure(why: string, stderr: string): Reply {
	const isRefused = classifyTrouble({ message: stderr }) === 'key'
	return isRefused ? { failure: `the judge was refused: ${KEY_ADVICE}: ${why}`, stop: true } : { failure: why }
}

function describeEnd(end: ProcessEnd): string | undefined {
	const how = end.signal ? `was ended by ${end.signal}` : `ended with exit status ${end.exitCode ?? 'unknown'}`
	const why = end.failure ?? (end.exitCode === 0 && !end.signal ? undefined : how)
	const tail = end.stderr.trim().slice(-STDERR_TAIL_CHARACTERS)
	return why === undefined ? undefined : `the judge ${why}${tail === '' ? '' : `: ${tail}`}`
}
