import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import * as z from 'zod'
import type { Policy, Problem, Read } from '../model.ts'
import type { JsonDocument, Path } from './json.ts'
import { toPointer } from './json.ts'
import { reporter, reportIssues } from './shape.ts'

const override = z
	.strictObject({
		skill: z.string().min(1).optional(),
		eval: z
			.union([z.string().min(1), z.int()])
			.transform(String)
			.optional(),
		assertion: z.union([z.string().min(1), z.int()]).optional(),
		severity: z.enum(['error', 'warning', 'notice']),
	})
	.refine(
		({ skill, eval: id, assertion }) => (skill ?? id ?? assertion) !== undefined,
		'say which: give skill, eval or assertion',
	)

const schema = z.strictObject({ severities: z.array(override).default([]) })

/**
 * The policy file: severities by skill, eval and assertion (its id, its position or its text), for definitions that carry none.
 * YAML without aliases, tags or duplicate keys; closed, so that a misspelled rule does not quietly do nothing.
 */
export function parsePolicy(text: string, file: string): Read<Policy> {
	const lines = new LineCounter()
	const document = parseDocument(text, {
		lineCounter: lines,
		schema: 'core',
		uniqueKeys: true,
		strict: true,
		prettyErrors: false,
	})
	const faults = [...document.errors, ...document.warnings]
	if (faults.length > 0) {
		return {
			problems: faults.map(({ message, pos }): Problem => {
				const { line, col } = lines.linePos(pos[0])
				return {
					code: 'policy-syntax',
					severity: 'error',
					file,
					line,
					column: col,
					message: `this is not usable YAML: ${message}`,
				}
			}),
		}
	}
	const problems: Problem[] = []
	const value = readValue(document)
	const positions: JsonDocument = {
		value,
		locate: (path) => ({ pointer: toPointer(path), ...placeOf(document.contents, path, lines) }),
	}
	const parsed = schema.safeParse(value ?? {})
	if (parsed.success)
		return {
			value: {
				file,
				severities: parsed.data.severities.map((each, at) => ({ ...each, line: positions.locate(['severities', at]).line })),
			},
			problems,
		}
	reportIssues(parsed.error.issues, value, [], 'policy', reporter(positions, file, problems))
	return { problems }
}

/** Aliases are refused: nothing in a policy needs them, and they can be made to expand without end. */
function readValue(document: ReturnType<typeof parseDocument>): unknown {
	try {
		return document.toJS({ maxAliasCount: 0 })
	} catch {
		return 'an alias'
	}
}

/** The node at the path, or the closest one above it. */
function placeOf(root: unknown, path: Path, lines: LineCounter): { line: number; column: number } {
	let node: unknown = root
	let start = 0
	for (const part of ['', ...path]) {
		if (part !== '')
			node = isMap(node)
				? node.items.find(({ key }) => isScalar(key) && key.value === part)?.value
				: isSeq(node)
					? node.items[Number(part)]
					: undefined
		const range = (node as Node | undefined)?.range
		if (!range) break
		start = range[0]
	}
	const { line, col } = lines.linePos(start)
	return { line: Math.max(1, line), column: Math.max(1, col) }
}
