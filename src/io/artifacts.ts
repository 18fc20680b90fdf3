import { createHash } from 'node:crypto'
import { basename, dirname, join, resolve } from 'node:path'
import { glob } from 'tinyglobby'
import { readRules } from '../core/apply-block.ts'
import type { AssertionDefinition, Problem, Read } from '../definition.ts'
import { type Artifact, parseArtifact } from '../formats/artifact/artifact.ts'
import { applyManifest, chooseManifest, parseManifestConfig } from '../formats/artifact/manifest.ts'
import { isInside, readText, showPath, unreadable } from './files.ts'

/** Where another tool's configuration says which manifest holds an artifact's metadata. */
const MANIFEST_CONFIG = 'manni.config.yaml'

/** Where skills are, in the layouts that repositories use. */
const SKILLS = [
	'SKILL.md',
	'skills/*/SKILL.md',
	'plugins/*/skills/*/SKILL.md',
	'.claude/skills/*/SKILL.md',
	'.agents/skills/*/SKILL.md',
]

export type ReadArtifact = { artifact?: Artifact | undefined; rules: AssertionDefinition[] }

/** Reads each artifact once, however many suites it belongs to, and keeps what is wrong with any of them. */
export class ArtifactReader {
	readonly problems: Problem[] = []
	private readonly seen = new Map<string, ReadArtifact>()

	private readonly cwd: string

	constructor(cwd: string) {
		this.cwd = cwd
	}

	/** An artifact with the rules that it declares, in its front matter or in a manifest. `path` is absolute. */
	async read(path: string): Promise<ReadArtifact> {
		const known = this.seen.get(path)
		if (known) return known
		const { problems, ...read } = await readArtifact(path, this.cwd)
		this.problems.push(...problems)
		this.seen.set(path, read)
		return read
	}

	/** Blocks of skills without an evals file: they have no prompt, so that nothing grades them here; but nobody may believe that something does. */
	async findLone(skillDirs: string[]): Promise<Problem[]> {
		const found = await glob(SKILLS, { cwd: this.cwd, absolute: true, dot: true, followSymbolicLinks: false })
		const lone = found.map((path) => resolve(path)).filter((path) => !skillDirs.includes(dirname(path)))
		const read = await Promise.all(lone.sort().map((path) => readArtifact(path, this.cwd)))
		return read.flatMap(({ artifact, rules, problems }) => [
			...problems.filter(({ severity }) => severity === 'error'),
			...(artifact && rules.length > 0 ? [warnLone(artifact, rules)] : []),
		])
	}
}

function warnLone({ blockFile }: Artifact, rules: AssertionDefinition[]): Problem {
	const message = `the ${rules.length} rules of this metadata.evals block are not graded: there is no evals file with a prompt beside it`
	const hint = 'add evals/evals.json, or grade a recorded session: evals: <this file>, agent: none'
	return { code: 'block-without-prompt', severity: 'warning', file: blockFile, line: rules[0]?.line, message, hint }
}

async function readArtifact(path: string, cwd: string): Promise<ReadArtifact & { problems: Problem[] }> {
	const file = showPath(path, cwd)
	const read = await readText(path, isInside(path, cwd) ? cwd : dirname(path))
	if (read.status !== 'read') {
		return { rules: [], problems: [{ ...unreadable('artifact-unreadable', file, read), hint: 'restore the file' }] }
	}
	const parsed = parseArtifact(read.text, file)
	if (!parsed.value) return { rules: [], problems: parsed.problems }
	const resolved = await readManifest(parsed.value, path, cwd)
	const problems = [...parsed.problems, ...resolved.problems]
	// A block that cannot be used is one error, and no rule of it counts.
	if (!resolved.value || problems.some(({ severity }) => severity === 'error')) return { rules: [], problems }
	const { rules, problems: faults } = readRules(resolved.value, sha256)
	return { artifact: resolved.value, rules, problems: [...problems, ...faults] }
}

function sha256(text: string): string {
	return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** A sidecar `<name>.meta.yaml` beside the artifact needs no configuration; else the configuration at the root says where to look. */
async function readManifest(artifact: Artifact, path: string, cwd: string): Promise<Read<Artifact>> {
	if (artifact.hasMetadata) return { value: artifact, problems: [] }
	const beside = join(dirname(path), basename(path).replace(/\.[^.]+$/, '.meta.yaml'))
	const config = await readText(join(cwd, MANIFEST_CONFIG), cwd)
	const chosen = config.status === 'read' ? chooseFrom(config.text, artifact.file) : { problems: [] }
	if (config.status === 'refused') return { problems: [unreadable('manifest-config', MANIFEST_CONFIG, config)] }
	const place = chosen.value === undefined ? beside : join(cwd, chosen.value)
	const manifest = await readText(place, isInside(place, cwd) ? cwd : dirname(place))
	const shown = showPath(place, cwd)
	if (manifest.status === 'missing') {
		if (chosen.value === undefined) return { value: artifact, problems: chosen.problems }
		const hint = `restore it, or correct ${MANIFEST_CONFIG}`
		return { problems: [...chosen.problems, { ...unreadable('manifest', shown, manifest), hint }] }
	}
	if (manifest.status !== 'read') return { problems: [unreadable('manifest', shown, manifest)] }
	const applied = applyManifest(artifact, manifest.text, shown, [artifact.file, basename(path)])
	return { value: applied.value, problems: [...chosen.problems, ...applied.problems] }
}

function chooseFrom(text: string, artifact: string): Read<string> {
	const { value, problems } = parseManifestConfig(text, MANIFEST_CONFIG)
	if (!value) return { problems }
	const chosen = chooseManifest(value, artifact, MANIFEST_CONFIG)
	return { value: chosen.value, problems: [...problems, ...chosen.problems] }
}
