import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { checkTemplate } from '../agents/prompt.ts'
import type { Problem, Read, Wording } from '../definition.ts'
import type { Inputs } from '../inputs.ts'
import type { Event } from './event.ts'
import type { Machine } from './execute.ts'
import { isInside, readText, type TextFile, unreadable } from './files.ts'
import { readBaseCommit } from './git/base-commit.ts'
import { chooseBase } from './git/compared.ts'

const HASH_CHARACTERS = 12

/**
 * The repository's own wording of the prompt, of the base commit where there is one: a pull request must not tell the agent the answers of the evals that judge it.
 * In: the input `prompt-template`, a path. Out: nothing where none is asked for; a file that cannot be used is an error.
 */
export async function readWording(inputs: Inputs, host: Machine & { event: Event }): Promise<Read<Wording>> {
	const name = inputs['prompt-template']
	if (name === undefined) return { problems: [] }
	const { cwd } = host.places
	const chosen = await chooseBase(host.event, inputs['base-ref'], { cwd, files: [], githubSha: host.environment.GITHUB_SHA })
	if (chosen.status === 'unreadable') return { problems: [fault(chosen.message, name, chosen.hint)] }
	if (chosen.status !== 'compared') return parseWording(await readText(resolve(cwd, name), cwd), name)
	const { repository, base } = chosen.compared
	const path = relative(repository, resolve(await realpath(cwd), name))
	if (!isInside(resolve(repository, path), repository)) return { problems: [fault('it is not a file of the repository', name)] }
	return readOfBase(path.split(sep).join('/'), name, { repository, base }, host.places.temp)
}

async function readOfBase(
	path: string,
	name: string,
	{ repository, base }: { repository: string; base: string },
	temp: string,
): Promise<Read<Wording>> {
	await mkdir(temp, { recursive: true })
	const into = await realpath(await mkdtemp(join(temp, 'skill-eval-prompt-')))
	try {
		const { problems } = await readBaseCommit(repository, base, into, () => [path])
		const [lost] = problems
		if (lost) return { problems: [fault(lost.message, name, lost.hint)] }
		const read = await readText(join(into, path), into)
		return read.status === 'missing' ? { problems: [describeNew(name)] } : parseWording(read, name)
	} finally {
		await rm(into, { recursive: true, force: true })
	}
}

function parseWording(read: TextFile, file: string): Read<Wording> {
	const hint = 'correct the input "prompt-template", or the file'
	if (read.status !== 'read') return { problems: [{ ...unreadable('prompt-template', file, read), hint }] }
	const faults = checkTemplate(read.text)
	if (faults.length > 0) return { problems: faults.map((message) => fault(message, file)) }
	const digest = createHash('sha256').update(read.text).digest('hex').slice(0, HASH_CHARACTERS)
	return { value: { text: read.text, version: `template-${digest}` }, problems: [] }
}

function fault(message: string, file: string, hint?: string): Problem {
	return { code: 'prompt-template', severity: 'error', file, message: `the prompt template cannot be used: ${message}`, hint }
}

function describeNew(file: string): Problem {
	const message = 'the base commit has no such prompt template: the default wording is used until it is merged'
	return { code: 'prompt-template', severity: 'warning', file, message }
}
