import type { Branch, Fact, Transcript } from '../../transcript.ts'

type Result = 'ok' | 'failed' | 'denied'

/** For tests: what happened, one step an ordinal. `on` is the sub-agent's branch. */
export type Step = { on?: string } & (
	| { prompt: string }
	| { says: string }
	| { tool: string; input?: unknown; result?: Result }
	| { skill: string; by?: 'tool' | 'command' | 'read'; result?: Result }
	| { file: string; op?: 'read' | 'write' | 'edit'; result?: Result }
	| { spawns: string; as?: string }
)

/** For tests: a transcript of these steps. A spawn with `as` has the branch of that name, without it nothing of it was recorded. */
export function transcribe(steps: Step[], rest: Partial<Transcript> = {}): Transcript {
	const located = steps.map((step, at) => ({ step, at, branch: step.on }))
	const pick = <T>(choose: (step: Step) => T | undefined) =>
		located.flatMap(({ step, at, branch }) => {
			const chosen = choose(step)
			return chosen === undefined ? [] : [{ at, branch, ...chosen }]
		})
	const branches: Branch[] = located.flatMap(({ step, at, branch }) =>
		'spawns' in step && step.as !== undefined ? [{ id: step.as, at, agentType: step.spawns, parent: branch }] : [],
	)
	return {
		format: 'claude-session',
		agent: 'Claude Code',
		unrecorded: [],
		end: steps.length,
		toolCalls: pick((step) => ('tool' in step ? { name: step.tool, input: step.input ?? {}, result: step.result } : undefined)),
		skillInvocations: pick((step) =>
			'skill' in step ? { skill: step.skill, by: step.by ?? 'tool', result: step.result } : undefined,
		),
		fileAccesses: pick((step) => ('file' in step ? { path: step.file, op: step.op ?? 'read', result: step.result } : undefined)),
		prompts: pick((step) => ('prompt' in step ? { text: step.prompt } : undefined)),
		texts: pick((step) => ('says' in step ? { text: step.says } : undefined)),
		spawns: pick((step) => ('spawns' in step ? { agentType: step.spawns, child: step.as } : undefined)),
		branches,
		ending: 'finished',
		notices: [],
		...rest,
	}
}

/** For tests: the same record by a program that cannot tell these facts. */
export function withoutFacts(transcript: Transcript, ...unrecorded: Fact[]): Transcript {
	return { ...transcript, agent: 'Quiet', unrecorded }
}
