import * as core from '@actions/core'
import { numberAt } from '../../core/trust.ts'
import type { Published, Result } from '../../decision.ts'
import type { Inputs } from '../../inputs.ts'
import { type Paths, toOutputs } from '../../outputs.ts'
import { renderAnnotations } from '../../report/annotations.ts'
import { renderComment, renderMarker, renderStepSummary } from '../../report/comment.ts'
import { renderReview } from '../../report/review.ts'
import { VERSION } from '../../version.ts'
import { describeJob, type Event } from '../event.ts'
import { describeError } from '../files.ts'
import { type Log, neutralise } from '../log.ts'
import { publishCheck } from './check.ts'
import { createClient } from './client.ts'
import { publishComment } from './comment.ts'
import { publishReview } from './review.ts'
import { publishStatus } from './status.ts'
import { openSurface } from './surface.ts'

export type Publishing = { inputs: Inputs; event: Event; environment: NodeJS.ProcessEnv; log: Log; paths: Paths }

/** Step outputs, step summary, annotations and comment, each in its own guard: what fails gives one warning, and never another verdict. */
export async function publishOnGitHub(result: Result, publishing: Publishing): Promise<void> {
	const { inputs, log, paths } = publishing
	await guard('the step outputs', async () => {
		for (const [name, value] of Object.entries(toOutputs(result, paths))) core.setOutput(name, value)
	})
	await guard('the step summary', async () => {
		await core.summary.addRaw(`${renderStepSummary(result)}\n`).write({ overwrite: true })
	})
	await guard('the annotations', async () => {
		for (const { message, title, file, line } of renderAnnotations(result.decision)) {
			core.error(neutralise(message), {
				title,
				...(file === undefined ? {} : { file }),
				...(line === undefined ? {} : { startLine: line }),
			})
		}
	})
	await publishSurfaces(result, publishing)
	await guard('the comment', async () => {
		const published = await postComment(result, publishing, inputs)
		if (published.status !== 'skipped') core.setOutput('comment-url', published.url)
		sayPublished('comment', published, log)
	})
}

/** What was asked for besides the comment, each in its own guard. */
async function publishSurfaces(result: Result, { inputs, event, environment, log }: Publishing): Promise<void> {
	const wanted = inputs['report-to'].filter((name) => name === 'review' || name === 'check' || name === 'status')
	for (const name of wanted) {
		await guard(`the ${name}`, async () => {
			const key = commentKey(environment, inputs)
			const surface = await openSurface(inputs, event, environment, result.provenance.version, key)
			if ('status' in surface) return sayPublished(name, surface, log)
			if (name === 'check') return sayPublished(name, await publishCheck(surface, result), log)
			const { verdict, title } = result.decision
			if (name === 'status')
				return sayPublished(name, await publishStatus(surface, verdict, title, result.provenance.run?.url), log)
			const number = numberAt(event.payload, 'pull_request', 'number')
			if (number !== undefined) return sayPublished(name, await publishReview(surface, number, renderReview(result)), log)
			sayPublished(name, { status: 'skipped', reason: 'the event has no pull request', trouble: false }, log)
		})
	}
}

/** A pending status, if one is asked for. Returns what ends it as an error when the job is cancelled or breaks; neither ever throws. */
export async function openStatus(
	inputs: Inputs,
	event: Event,
	environment: NodeJS.ProcessEnv,
	log: Log,
): Promise<() => Promise<void>> {
	if (!inputs['report-to'].includes('status')) return async () => {}
	const say = (verdict: 'pending' | 'incomplete', words: string) =>
		guard('the status', async () => {
			const surface = await openSurface(inputs, event, environment, VERSION, commentKey(environment, inputs))
			const url = describeJob(environment, event).run?.url
			sayPublished('status', 'status' in surface ? surface : await publishStatus(surface, verdict, words, url), log)
		})
	await say('pending', 'The evals are running')
	return () => say('incomplete', 'The job ended without a verdict')
}

async function guard(what: string, step: () => Promise<void>): Promise<void> {
	try {
		await step()
	} catch (error) {
		core.warning(neutralise(`${what} could not be written: ${describeError(error)}. The verdict stands.`))
	}
}

function sayPublished(what: string, published: Published, log: Log): void {
	if (published.status !== 'skipped') {
		log.info(`${what} ${published.status}: ${published.url}`)
		for (const note of published.notes) core.warning(neutralise(note))
		return
	}
	const hint = published.hint === undefined ? '' : ` → ${published.hint}`
	const line = `no ${what}: ${published.reason}${hint}`
	if (published.trouble) core.warning(neutralise(`${line}. The verdict stands.`))
	else log.info(line)
}

async function postComment(result: Result, { event, environment, inputs }: Publishing, { comment }: Inputs): Promise<Published> {
	const skip = (reason: string, hint?: string, trouble = false): Published => ({ status: 'skipped', reason, hint, trouble })
	if (!inputs['report-to'].includes('comment')) return skip('the input "report-to" does not name it')
	if (comment === 'never') return skip('the input "comment" is never')
	const number = numberAt(event.payload, 'pull_request', 'number')
	if (number === undefined) return skip(`the event ${event.name ?? '(none)'} has no pull request`)
	const [owner, repo, ...rest] = (environment.GITHUB_REPOSITORY ?? '').split('/')
	if (!owner || !repo || rest.length > 0) return skip('GITHUB_REPOSITORY is not set', undefined, true)
	const token = inputs['github-token']
	if (!token) return skip('there is no token', 'set the input "github-token"', true)
	core.setSecret(token)
	const key = commentKey(environment, inputs)
	const octokit = await createClient(token, environment, result.provenance.version)
	const updateOnly = comment === 'failure' && result.decision.verdict === 'pass'
	const headSha = result.provenance.commit
	return publishComment(octokit, {
		owner,
		repo,
		number,
		marker: renderMarker(key),
		body: renderComment(result, key),
		headSha,
		updateOnly,
	})
}

/** Stable over runs of one job, different for two jobs of a pull request. The workflow is named by its file, because its title changes. */
export function commentKey(environment: NodeJS.ProcessEnv, inputs: Inputs): string {
	const file = /\/([^/@]+)@/.exec(environment.GITHUB_WORKFLOW_REF ?? '')?.[1] ?? environment.GITHUB_WORKFLOW ?? ''
	return [file, environment.GITHUB_JOB ?? '', inputs['comment-key'] ?? ''].filter((part) => part !== '').join('/')
}
