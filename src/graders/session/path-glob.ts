import { RE2JS } from 're2js'

/** Longer globs are refused: nobody writes them, and each `*` costs. */
export const MAX_GLOB_CHARACTERS = 500

/**
 * A test of paths as the artifact-evals vocabulary has it: `/` for `\`, letter case does not count, `?` and `*` within a segment, `**` over
 * segments, and the glob may begin at any segment, so that `docs/**` fits `/x/docs` and `/x/docs/a.md`, and not `/x/docsite/a`.
 * An anchored one begins where the path does. It runs in linear time, because the glob comes from a pull request and the paths from an agent.
 */
export function compileGlob(glob: string, isAnchored = false): (path: string) => boolean {
	const folded = fold(glob).replace(/(\*\*\/)+/g, '**/')
	const tail = folded.endsWith('/**') ? '(?:/.*)?' : ''
	const core = (tail ? folded.slice(0, -3) : folded).replace(/^\*\*\//, '')
	const body = [...core.matchAll(/\*\*\/|\*\*|\*|\?|[^*?]+/g)].map(([part]) => PARTS[part] ?? RE2JS.quote(part)).join('')
	const head = isAnchored && !folded.startsWith('**/') ? '' : '(?:.*/)?'
	const pattern = RE2JS.compile(`^${head}${body}${tail}$`, RE2JS.DOTALL)
	return (path) => pattern.matcher(fold(path)).find()
}

const PARTS: Record<string, string> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }

function fold(path: string): string {
	return path.replaceAll('\\', '/').toLowerCase()
}
