import { createHmac, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { type JudgedRow, judgedRows } from '../../judge/answer.ts'
import { readText, writeText } from '../files.ts'

const entry = z.strictObject({ version: z.literal(1), runs: z.array(z.unknown()), seal: z.string() })

/**
 * Answers of earlier jobs. Names and entries are made with the judge's key, which agents do not have:
 * what they, or whoever else can write into the directory, put there is not believed.
 */
export type Cache = {
	/** The rows of every run, or undefined; whatever is wrong with an entry makes it a miss. */
	read: (asked: unknown) => Promise<JudgedRow[][] | undefined>
	write: (asked: unknown, runs: JudgedRow[][]) => Promise<void>
}

export function openCache(directory: string, key: string): Cache {
	const seal = (text: string) => createHmac('sha256', key).update(text).digest('hex')
	const nameOf = (asked: unknown) => seal(`skill-eval-gate judge 1\n${JSON.stringify(asked)}`)
	const sealRuns = (name: string, runs: unknown) => seal(`${name}\n${JSON.stringify(runs)}`)
	return {
		read: async (asked) => {
			const name = nameOf(asked)
			const file = await readText(join(directory, `${name}.json`), directory)
			const parsed = entry.safeParse(file.status === 'read' ? parseOrUndefined(file.text) : undefined)
			if (!parsed.success || !isSame(parsed.data.seal, sealRuns(name, parsed.data.runs))) return undefined
			const runs = z.array(judgedRows).safeParse(parsed.data.runs)
			return runs.success ? runs.data : undefined
		},
		write: async (asked, runs) => {
			const name = nameOf(asked)
			await writeText(join(directory, `${name}.json`), `${JSON.stringify({ version: 1, runs, seal: sealRuns(name, runs) })}\n`)
		},
	}
}

function isSame(given: string, expected: string): boolean {
	const [a, b] = [Buffer.from(given), Buffer.from(expected)]
	return a.length === b.length && timingSafeEqual(a, b)
}

function parseOrUndefined(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return undefined
	}
}
