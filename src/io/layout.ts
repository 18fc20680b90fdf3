import { basename, join } from 'node:path'
import type { Problem } from '../definition.ts'
import { COMPARED, JUDGED, matchEvals, parseEvalId, pickIteration } from '../formats/layout.ts'
import { type EvalPlace, LINK, readEvalDirectory } from './eval-directory.ts'
import { type Entry, listEntries, readText, showPath, unreadable } from './files.ts'

/** Where the results of a workspace are. */
export type Layout = {
	/** Holds the evals' directories: the workspace itself, or its latest iteration. */
	root: string
	/** By eval id, declared or not. */
	evals: Map<string, EvalPlace>
	/** About the directory as a whole. */
	problems: Problem[]
	/** Directories that hold results of which nobody can say whose they are, and contradictions about it. */
	unassigned: Problem[]
	/** Names of directories in which nothing was found, for whoever looks for a result in vain. */
	others: string[]
}

/** A directory that may be an eval's. */
type Candidate = { name: string; kind: Entry['kind']; id: string }

/**
 * Finds each eval's gradings, in run-evals' layout or in skill-creator's. An eval's directory is the one whose eval_metadata.json names it, else the
 * one that is named after it. Whatever is ambiguous is a problem that names both sides, because either could be the one that failed.
 */
export async function findLayout(workspace: string, ids: string[], cwd: string): Promise<Layout> {
	const layout: Layout = { root: workspace, evals: new Map(), problems: [], unassigned: [], others: [] }
	const top = await listEntries(workspace)
	const entries = await enterIteration(layout, top.entries, cwd)
	const refused = top.refused ?? entries.refused
	if (refused !== undefined) {
		layout.problems.push(toProblem('layout-unreadable', layout.root, cwd, `the directory cannot be read: ${refused}`))
		return layout
	}
	const candidates = await findCandidates(layout, workspace, entries.entries, ids, cwd)
	if (layout.root !== workspace) await reportAbove(layout, workspace, top.entries, cwd)
	for (const id of new Set(candidates.map((candidate) => candidate.id))) {
		const own = candidates.filter((candidate) => candidate.id === id)
		const [first, second] = own
		if (first && second) layout.evals.set(id, placeNowhere(layout.root, first, own, cwd))
		else if (first) layout.evals.set(id, await readCandidate(layout.root, first, cwd))
	}
	reportMixture(layout, cwd)
	reportRunCounts(layout, cwd)
	reportCompared(layout, cwd)
	return layout
}

/** The entries of the latest iteration, which becomes the root; those of the workspace where there is none. */
async function enterIteration(layout: Layout, top: Entry[], cwd: string) {
	const workspace = layout.root
	const iterations = top.filter(({ name, kind }) => name.startsWith('iteration-') && kind !== 'other')
	if (iterations.length === 0) return { entries: top }
	const { latest, unnumbered } = pickIteration(iterations.map(({ name }) => name))
	const [name, tie] = latest
	const say = (severity: Problem['severity'], message: string, hint?: string) =>
		layout.problems.push({ ...toProblem('layout-iteration', workspace, cwd, message, severity), hint })
	const hint = 'name one of them as the workspace'
	if (name === undefined || tie !== undefined) {
		say('error', `which iteration is the latest is not clear: ${listNamed(tie === undefined ? unnumbered : latest)}`, hint)
		return { entries: [] }
	}
	layout.root = join(workspace, name)
	if (iterations.some((entry) => entry.name === name && entry.kind === 'link')) {
		say('error', `the latest iteration, ${JSON.stringify(name)}, is a link: results are read from real directories only`, hint)
		return { entries: [] }
	}
	if (unnumbered.length > 0) say('warning', `not read, because no number says when it was: ${listNamed(unnumbered)}`)
	const numbered = iterations.length - unnumbered.length
	say(
		'notice',
		`${JSON.stringify(name)} is read, ${numbered === 1 ? 'the only iteration' : `the latest of ${numbered} iterations`}`,
	)
	return listEntries(layout.root)
}

/** Every directory that is named like an eval's, and every other one whose eval_metadata.json names an eval. */
async function findCandidates(
	layout: Layout,
	workspace: string,
	entries: Entry[],
	ids: string[],
	cwd: string,
): Promise<Candidate[]> {
	const candidates: Candidate[] = []
	for (const { name, kind } of entries) {
		if (kind === 'other' || name.startsWith('.')) continue
		const isNamed = name.startsWith('eval-')
		const directory = join(layout.root, name)
		const stated = kind === 'directory' ? await readEvalId(directory, workspace, cwd, layout) : undefined
		const matches = isNamed ? matchEvals(name, ids) : []
		if (!isNamed && stated === undefined) {
			await lookAside(layout, name, kind, cwd)
			continue
		}
		if (stated === undefined && matches.length > 1) {
			const message = `this directory could be that of ${matches.map((id) => `eval ${id}`).join(' or ')}`
			layout.unassigned.push({
				...toProblem('layout-name', directory, cwd, message),
				hint: 'write its eval_id into an eval_metadata.json',
			})
			layout.others.push(name)
			continue
		}
		if (stated !== undefined && matches.length > 0 && !matches.includes(stated)) {
			const message = `its name says eval ${matches[0]}, its eval_metadata.json says ${JSON.stringify(stated)}: the file counts`
			layout.unassigned.push(toProblem('layout-name', directory, cwd, message, 'warning'))
		}
		candidates.push({ name, kind, id: stated ?? matches[0] ?? name.slice('eval-'.length) })
	}
	return candidates
}

async function readEvalId(directory: string, workspace: string, cwd: string, layout: Layout): Promise<string | undefined> {
	const path = join(directory, 'eval_metadata.json')
	const read = await readText(path, workspace)
	if (read.status === 'missing') return undefined
	const file = showPath(path, cwd)
	const { value, problems } =
		read.status === 'read' ? parseEvalId(read.text, file) : { problems: [unreadable('metadata-unreadable', file, read)] }
	layout.unassigned.push(...problems)
	return value
}

/** A directory of another name is nobody's; if there are results in it, that must be said. */
async function lookAside(layout: Layout, name: string, kind: Entry['kind'], cwd: string): Promise<void> {
	const directory = join(layout.root, name)
	const inner = kind === 'directory' ? (await listEntries(directory)).entries : []
	layout.others.push(name)
	if (inner.some((entry) => [...JUDGED, ...COMPARED].includes(entry.name) && entry.kind !== 'other')) {
		const hint = 'name it eval-<id> or eval-<id>-<name>, or write its eval_id into an eval_metadata.json'
		layout.unassigned.push({
			...toProblem('layout-unassigned', directory, cwd, 'this directory holds results, and nothing says of which eval'),
			hint,
		})
	} else if (inner.some((entry) => entry.name === 'grading.json')) {
		const message = 'this directory holds a grading.json and is not named after an eval: it is not read'
		layout.unassigned.push(toProblem('layout-unassigned', directory, cwd, message, 'warning'))
	} else if (inner.some(isEvalDirectory)) {
		layout.unassigned.push(toProblem('layout-unassigned', directory, cwd, NESTED, 'warning'))
	}
}

const NESTED = 'this directory holds directories of evals: they are not read'

function isEvalDirectory({ name, kind }: Entry): boolean {
	return name.startsWith('eval-') && kind === 'directory'
}

/** Results beside the iterations are older or newer than the latest one, and nobody knows which. */
async function reportAbove(layout: Layout, workspace: string, top: Entry[], cwd: string): Promise<void> {
	const above: string[] = []
	for (const { name, kind } of top.filter((entry) => !entry.name.startsWith('iteration-') && entry.kind !== 'other')) {
		const inner = kind === 'directory' ? (await listEntries(join(workspace, name))).entries : []
		const isResult = name.startsWith('eval-') || inner.some((entry) => [...JUDGED, 'eval_metadata.json'].includes(entry.name))
		if (isResult) above.push(name)
		else if (inner.some(isEvalDirectory)) {
			layout.unassigned.push(toProblem('layout-unassigned', join(workspace, name), cwd, NESTED, 'warning'))
		}
	}
	const [first] = above
	if (first === undefined) return
	const message = `results of evals lie in ${JSON.stringify(first)} and in ${JSON.stringify(basename(layout.root))}: which of them count is not clear`
	layout.problems.push({
		...toProblem('layout-ambiguous', workspace, cwd, message),
		hint: 'name the directory of one iteration as the workspace',
	})
}

async function readCandidate(root: string, { name, kind }: Candidate, cwd: string): Promise<EvalPlace> {
	const directory = join(root, name)
	if (kind !== 'link') return readEvalDirectory(directory, cwd)
	const fault = { ...toProblem('layout-link', directory, cwd, LINK.message), hint: LINK.hint }
	return { directory, runs: [], fault, problems: [], compared: [], found: [] }
}

function placeNowhere(root: string, first: Candidate, all: Candidate[], cwd: string): EvalPlace {
	const directory = join(root, first.name)
	const message = `several directories are of this eval: ${listNamed(all.map(({ name }) => name))}`
	const fault = { ...toProblem('layout-ambiguous', directory, cwd, message), hint: 'keep one result of each eval' }
	return { directory, runs: [], fault, problems: [], compared: [], found: [] }
}

/** Two tools in one workspace, or two times: one of them may be stale. */
function reportMixture(layout: Layout, cwd: string): void {
	const first = (kind: EvalPlace['layout']) => [...layout.evals.values()].find((place) => place.layout === kind)
	const [flat, nested] = [first('flat'), first('configuration')]
	if (!flat || !nested) return
	const names = [flat, nested].map(({ runs, directory }) => showPath(join(runs[0]?.directory ?? directory, 'grading.json'), cwd))
	const message = `the results have two layouts, such as ${listNamed(names)}: which of them are of this time is not clear`
	layout.problems.push({ ...toProblem('layout-mixed', layout.root, cwd, message), hint: 'use one workspace for each tool' })
}

/** A run that broke off leaves nothing, and the others look whole without it. */
function reportRunCounts(layout: Layout, cwd: string): void {
	const counts = [...layout.evals.values()].flatMap(({ fault, runs }) => (fault ? [] : [runs.length]))
	const [least, most] = [Math.min(...counts), Math.max(...counts)]
	if (counts.length < 2 || least === most) return
	const message = `the evals have different numbers of runs, from ${least} to ${most}`
	layout.problems.push(toProblem('layout-runs', layout.root, cwd, message, 'warning'))
}

function reportCompared(layout: Layout, cwd: string): void {
	for (const name of COMPARED) {
		const count = [...layout.evals.values()].filter(({ compared }) => compared.includes(name)).length
		if (count === 0) continue
		const message = `there are gradings of ${name} too, for ${count === 1 ? 'one eval' : `${count} evals`}: they are not read`
		layout.problems.push(toProblem('layout-compared', layout.root, cwd, message, 'notice'))
	}
}

function toProblem(code: string, path: string, cwd: string, message: string, severity: Problem['severity'] = 'error'): Problem {
	return { code, severity, file: showPath(path, cwd), message }
}

function listNamed(names: string[]): string {
	const shown = names.slice(0, 5).map((name) => JSON.stringify(name))
	return `${shown.join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`
}
