import * as z from 'zod'
import type { Problem, Read } from '../../definition.ts'
import { compileGlob } from '../../graders/session/path-glob.ts'
import { isObject } from '../json.ts'
import { reporter, reportIssues } from '../shape.ts'
import { parseYaml } from '../yaml.ts'
import type { Artifact } from './artifact.ts'
import { readBlock } from './block.ts'

const collection = z.object({
	name: z.string().min(1),
	paths: z.array(z.string().min(1)).default([]),
	externalMetadata: z.array(z.object({ file: z.string().min(1), keys: z.array(z.string()).optional() })).default([]),
})
const config = z.object({ collections: z.array(collection).default([]) })

/** Of `manni.config.yaml` only where artifacts keep their metadata. */
export type ManifestConfig = z.output<typeof config>

/** Everything else in that file is another tool's. */
export function parseManifestConfig(text: string, file: string): Read<ManifestConfig> {
	const { value: document, problems } = parseYaml(text, file, 'manifest-config')
	if (!document) return { problems }
	const parsed = config.safeParse(document.value ?? {})
	if (parsed.success) return { value: parsed.data, problems }
	reportIssues(parsed.error.issues, document.value, [], 'manifest-config', reporter(document, file, problems))
	return { problems }
}

/**
 * Which manifest holds an artifact's metadata (tracevals §8): paths relative to the configuration's directory.
 * Two collections that both claim it are a problem, and so is an address: nothing is fetched.
 */
export function chooseManifest({ collections }: ManifestConfig, artifact: string, configFile: string): Read<string> {
	const owners = collections.flatMap(({ name, paths, externalMetadata }) => {
		// One without keys holds whatever it names, so that one that names "metadata" comes first.
		const owning =
			externalMetadata.find(({ keys }) => keys?.includes('metadata')) ?? externalMetadata.find(({ keys }) => keys === undefined)
		return owning && paths.some((glob) => fits(glob, artifact)) ? [{ name, file: owning.file }] : []
	})
	const [owner, other] = owners
	const say = (message: string, hint: string): Problem => ({
		code: 'manifest',
		severity: 'error',
		file: configFile,
		message,
		hint,
	})
	if (owner && other) {
		const message = `${artifact} is in the collections "${owner.name}" and "${other.name}", and both keep its metadata in a manifest`
		return { problems: [say(message, 'let one of them keep it')] }
	}
	if (!owner) return { problems: [] }
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(owner.file)) {
		return {
			problems: [
				say(
					`the manifest of "${owner.name}" is an address, and nothing is fetched`,
					'commit the manifest beside the configuration',
				),
			],
		}
	}
	const page = artifact.replace(/\.[^./]+$/, '')
	const path = owner.file.replaceAll('{page}', () => page).replace(/^\.\//, '')
	if (path.startsWith('/') || path.split(/[\\/]/).includes('..')) {
		return {
			problems: [
				say(`the manifest ${JSON.stringify(owner.file)} lies outside the directory of the configuration`, 'name a file below it'),
			],
		}
	}
	return { value: path, problems: [] }
}

function fits(glob: string, path: string): boolean {
	return compileGlob(glob.replace(/^\.\//, ''), true)(path)
}

/** The artifact with the block that a manifest keeps under one of these keys; a page with metadata of its own keeps that. */
export function applyManifest(artifact: Artifact, text: string, file: string, keys: string[]): Read<Artifact> {
	if (artifact.hasMetadata) return { value: artifact, problems: [] }
	const { value: document, problems } = parseYaml(text, file, 'manifest')
	if (!document) return { problems }
	if (!isObject(document.value)) {
		const message = 'a manifest must be a set of keys, one the path of each artifact'
		return { problems: [{ code: 'manifest', severity: 'error', file, line: 1, message }] }
	}
	const root = document.value
	const key = keys.find((each) => isObject(root[each]))
	if (key === undefined) return { value: artifact, problems: [] }
	const entry = root[key] as Record<string, unknown>
	const read = readBlock(entry.metadata, [key, 'metadata'], document, file)
	return { value: { ...artifact, block: read.value, blockFile: file }, problems: read.problems }
}
