import type { Published, Result } from '../../decision.ts'
import { renderPlacedAnnotations } from '../../report/annotations.ts'
import { renderCheckSummary } from '../../report/comment.ts'
import { describeRefusal, type Surface } from './surface.ts'

/** GitHub takes so many annotations a request. */
const BATCH = 50
/** A run with more faults than this is read in its summary; each batch is one request of a limited number. */
const MAX_ANNOTATIONS = 250

/** A completed check run. Its creation is not repeated, since one without an answer may have been stored; further annotations follow by 50. */
export async function publishCheck(surface: Surface, result: Result): Promise<Published> {
	const { octokit, owner, repo, headSha, key } = surface
	const { decision, provenance } = result
	const all = renderPlacedAnnotations(decision)
	const shown = all.slice(0, MAX_ANNOTATIONS).map(({ file, line, title, message }) => ({
		path: file,
		start_line: line,
		end_line: line,
		annotation_level: 'failure' as const,
		title,
		message,
	}))
	const output = { title: decision.title.slice(0, 255), summary: renderCheckSummary(result) }
	const notes = all.length > shown.length ? [`${all.length - shown.length} annotations more are in the summary only`] : []
	try {
		const { data } = await octokit.rest.checks.create({
			owner,
			repo,
			name: `Skill evals: ${key}`,
			head_sha: headSha,
			status: 'completed',
			// Neutral and skipped would count as success.
			conclusion: decision.verdict === 'pass' ? 'success' : 'failure',
			...(provenance.run === undefined ? {} : { details_url: provenance.run.url }),
			output: { ...output, annotations: shown.slice(0, BATCH) },
		})
		for (let at = BATCH; at < shown.length; at += BATCH) {
			const annotations = shown.slice(at, at + BATCH)
			await octokit.rest.checks.update({ owner, repo, check_run_id: data.id, output: { ...output, annotations } })
		}
		return { status: 'created', url: data.html_url ?? data.url, notes }
	} catch (error) {
		return describeRefusal(error, 'checks: write')
	}
}
