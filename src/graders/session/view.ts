import type { Scope } from '../../definition.ts'
import type {
	Fact,
	FileAccess,
	Located,
	SkillInvocation,
	SpokenText,
	ToolCall,
	Transcript,
	TranscriptFormat,
} from '../../transcript.ts'

/** An item of a window; `nested` ones happened in a sub-agent of the chain that the window was opened on. */
export type Seen<T> = T & { nested: boolean }

/** What of a transcript an assertion may look at. */
export type View = {
	/** `the whole session`, `skill "x"`. */
	label: string
	/** The program's name, for sentences. */
	agent: string
	format: TranscriptFormat
	unrecorded: readonly Fact[]
	toolCalls: Seen<ToolCall>[]
	skillInvocations: Seen<SkillInvocation>[]
	fileAccesses: Seen<FileAccess>[]
	/** Of the chain that the window was opened on. */
	prompts: SpokenText[]
	texts: SpokenText[]
	turns: number
	/** A sub-agent was started here of which nothing was recorded. */
	hasLostAgents: boolean
}

/** A range of ordinals, opened on one chain. */
type Span = { chain: string | undefined; start: number; end: number }

/**
 * The window of an assertion (tracevals §4): of a skill or command what happened from each invocation to the next one on the same chain,
 * of an agent its own branches, of project rules and of an evals file everything.
 * Out: the view, or why there is nothing to see. `isKnown: false` means that this record cannot tell whether there was anything.
 */
export function openView(transcript: Transcript, scope?: Scope): { view: View } | { reason: string; isKnown: boolean } {
	if (!scope || scope.kind === 'project-rules') {
		const whole = { chain: undefined, start: 0, end: transcript.end }
		return {
			view: { ...viewSpans(transcript, [whole], 'the whole session'), turns: transcript.turns ?? transcript.prompts.length },
		}
	}
	const spans = scope.kind === 'agent' ? agentSpans(transcript, scope.name) : invocationSpans(transcript, scope)
	if (spans.length > 0) return { view: viewSpans(transcript, spans, `${nameKind(scope)} "${scope.name}"`) }
	return explainEmpty(transcript, scope)
}

function invocationSpans(transcript: Transcript, { kind, name }: Scope): Span[] {
	// What was refused or failed loaded nothing, so that it neither opens a window nor closes one.
	const loaded = transcript.skillInvocations.filter(({ result }) => result === undefined || result === 'ok')
	const ordered = loaded.toSorted((a, b) => a.at - b.at)
	return ordered.flatMap((invocation, place) => {
		const isOwn = isNamed(invocation.skill, name) && (kind === 'skill' || invocation.by === 'command')
		if (!isOwn) return []
		// Only what is loaded on the same chain closes a window: a sub-agent that loads another skill does not.
		const next = ordered.slice(place + 1).find(({ branch }) => branch === invocation.branch)
		return [{ chain: invocation.branch, start: invocation.at, end: next?.at ?? transcript.end }]
	})
}

function agentSpans(transcript: Transcript, name: string): Span[] {
	const own = transcript.branches.filter(({ agentType }) => agentType !== undefined && isNamed(agentType, name))
	return own.map(({ id }) => ({ chain: id, start: 0, end: transcript.end }))
}

/** A plugin's skill is recorded as `plugin:name`. */
function isNamed(recorded: string, name: string): boolean {
	return recorded === name || (recorded.includes(':') && recorded.slice(recorded.indexOf(':') + 1) === name)
}

function viewSpans(transcript: Transcript, spans: Span[], label: string): View {
	const chains = spans.map((span) => ({ ...span, nested: nestedBranches(transcript, span.chain) }))
	const isOwn = ({ at, branch }: Located) => chains.some(({ chain, start, end }) => branch === chain && at >= start && at < end)
	const isNested = ({ at, branch }: Located) =>
		branch !== undefined && chains.some(({ nested, start, end }) => nested.has(branch) && at >= start && at < end)
	const see = <T extends Located>(items: T[]): Seen<T>[] =>
		items.flatMap((item) => (isOwn(item) ? { ...item, nested: false } : isNested(item) ? { ...item, nested: true } : []))
	const prompts = transcript.prompts.filter(isOwn)
	return {
		label,
		agent: transcript.agent,
		format: transcript.format,
		unrecorded: transcript.unrecorded,
		toolCalls: see(transcript.toolCalls),
		skillInvocations: see(transcript.skillInvocations),
		fileAccesses: see(transcript.fileAccesses),
		prompts,
		texts: transcript.texts.filter(isOwn),
		turns: prompts.length,
		hasLostAgents: see(transcript.spawns).some(({ child }) => child === undefined),
	}
}

/** Every branch below a chain. A branch that names itself as its parent, or a ring of them, is below nothing. */
function nestedBranches({ branches }: Transcript, chain: string | undefined): Set<string> {
	const nested = new Set<string>()
	let open = branches.filter(({ parent }) => parent === chain)
	while (open.length > 0) {
		for (const { id } of open) nested.add(id)
		open = branches.filter(({ id, parent }) => parent !== undefined && nested.has(parent) && !nested.has(id) && id !== chain)
	}
	return nested
}

function explainEmpty(transcript: Transcript, scope: Scope): { reason: string; isKnown: boolean } {
	const { kind, name } = scope
	const isKnown = !transcript.unrecorded.includes(kind === 'agent' ? 'sub-agents' : 'skill-invocations')
	if (kind === 'agent') {
		const isSpawned = transcript.spawns.some(({ agentType }) => agentType !== undefined && isNamed(agentType, name))
		const reason = isSpawned
			? `the agent "${name}" was started, and nothing of what it did was recorded`
			: `the agent "${name}" was never started in this session`
		return { reason, isKnown }
	}
	const shown = kind === 'skill' ? `the skill "${name}"` : `the slash command "/${name}"`
	return { reason: `${shown} was never invoked in this session`, isKnown }
}

function nameKind({ kind }: Scope): string {
	return kind === 'slash-command' ? 'slash command' : kind
}
