import type { ArtifactKind, Problem, Read } from '../../definition.ts'
import { isObject, type JsonDocument } from '../json.ts'
import { parseYaml } from '../yaml.ts'
import { type Block, readBlock } from './block.ts'
import { splitFrontMatter } from './front-matter.ts'

/** An instruction file of a repository and what its `metadata` declares. */
export type Artifact = {
	kind: ArtifactKind
	name: string
	/** As a reader knows it, with `/`. */
	file: string
	/** The whole file. */
	text: string
	block?: Block | undefined
	/** Where the block stands: this file, or a manifest. */
	blockFile: string
	/** The file has a `metadata` of its own, so that no manifest counts. */
	hasMetadata: boolean
}

/**
 * What an artifact's path says it is; undefined for any other file.
 * `agents/*.md`, `commands/**.md` and the rules files of the agents that read them, wherever the directories are.
 */
export function classifyArtifact(path: string): { kind: ArtifactKind; name: string } | undefined {
	const parts = path.split('/').filter((part) => part !== '' && part !== '.')
	const file = parts.at(-1) ?? ''
	const directory = parts.at(-2) ?? ''
	const stem = file.replace(/\.(md|mdc)$/i, '')
	if (/^SKILL\.md$/i.test(file)) return { kind: 'skill', name: directory }
	if (/^(CLAUDE|AGENTS|GEMINI)(\.local)?\.md$/.test(file)) return { kind: 'project-rules', name: file }
	if (!/\.(md|mdc)$/i.test(file)) return undefined
	if (directory === 'agents') return { kind: 'agent', name: stem }
	if (directory === 'rules') return { kind: 'project-rules', name: file }
	return parts.slice(0, -1).includes('commands') ? { kind: 'slash-command', name: stem } : undefined
}

/** The artifact in a file whose path is one; a name in its front matter counts before that of the path, except for commands. */
export function parseArtifact(text: string, file: string): Read<Artifact> {
	const classified = classifyArtifact(file)
	if (!classified) {
		const hint = 'expected SKILL.md, agents/*.md, commands/**/*.md, CLAUDE.md, AGENTS.md, GEMINI.md or rules/*.md'
		return {
			problems: [
				{ code: 'artifact-unknown', severity: 'error', file, message: 'this file is no artifact that can carry evals', hint },
			],
		}
	}
	const front = splitFrontMatter(text)
	const empty: Artifact = { ...classified, file, text, blockFile: file, hasMetadata: false }
	if (front.kind === 'none') return { value: empty, problems: [] }
	if (front.kind === 'open') {
		const message = 'the front matter is never closed: a second line of --- is missing'
		return { problems: [{ code: 'front-matter', severity: 'error', file, line: 1, message }] }
	}
	const { value: document, problems } = parseYaml(front.yaml, file, 'front-matter', front.linesBefore)
	if (!document) return excuseFaults(empty, front.yaml, problems)
	return readFrontMatter(empty, document, file)
}

/** Agents read front matter more leniently than YAML is: where no evals are in it, its faults are no reason to block. */
function excuseFaults(empty: Artifact, yaml: string, problems: Problem[]): Read<Artifact> {
	if (/^\s*["']?(evals|eval[-_]|meta-provenance)/im.test(yaml)) return { problems }
	const hint = 'it declares no evals, so that nothing is lost; other tools may not read it either'
	return { value: empty, problems: problems.slice(0, 1).map((problem) => ({ ...problem, severity: 'notice', hint })) }
}

function readFrontMatter(empty: Artifact, document: JsonDocument, file: string): Read<Artifact> {
	const root = document.value
	if (root === null) return { value: empty, problems: [] }
	if (!isObject(root)) {
		return {
			problems: [{ code: 'front-matter', severity: 'error', file, line: 2, message: 'the front matter is no set of keys' }],
		}
	}
	const name = typeof root.name === 'string' && empty.kind !== 'slash-command' ? root.name : empty.name
	const { value: block, problems } = readBlock(root.metadata, ['metadata'], document, file)
	const hasMetadata = root.metadata !== undefined && root.metadata !== null
	return { value: { ...empty, name, block, hasMetadata }, problems: [...warnTopLevel(root, document, file), ...problems] }
}

function warnTopLevel(root: Record<string, unknown>, document: JsonDocument, file: string): Problem[] {
	return ['evals', 'eval-skip'].flatMap((key) => {
		if (root[key] === undefined) return []
		const message = `"${key}" beside "metadata" has no effect`
		return [
			{
				code: 'evals-block-key',
				severity: 'warning' as const,
				file,
				...document.locate([key]),
				message,
				hint: 'move it below "metadata"',
			},
		]
	})
}
