/** The types of what was measured: executions, results, aggregates, comparisons. No code here. Words as in ARCHITECTURE.md; what is declared is in definition.ts, the decision in decision.ts. */

import type { AssertionDefinition, EvalDefinition, OtherArm, Problem, Suite } from './definition.ts'
import type { JudgeVotes } from './judging.ts'
import type { Transcript } from './transcript.ts'

/** Of one assertion: `error` means it was not measured, which is never a pass. */
export type Outcome = 'pass' | 'fail' | 'error' | 'skipped'
/** Of the gate: `incomplete` = something that had to be measured was not, `invalid` = inputs or definitions cannot be used. */
export type Verdict = 'pass' | 'fail' | 'incomplete' | 'invalid'
/** Of one assertion against the baseline. */
export type Change = 'regression' | 'pre-existing' | 'fixed' | 'new' | 'removed' | 'not-comparable'

/** An entry below `outputs/`, read once; graders and judge see these bytes and no others. */
export type OutputFile = {
	/** Relative to `outputs/`, with `/`. */
	path: string
	kind: 'text' | 'binary' | 'link' | 'special'
	bytes: number
	/** Of a text file: its content, at most the cap. */
	text?: string | undefined
	/** The text stops at the cap: what is not found in it may still be in the file. */
	cut: boolean
}

/** What one run left behind. */
export type Outputs = {
	files: OutputFile[]
	/** The agent's last words, absent if it had none. */
	lastMessage?: string | undefined
}

/** A measurement that was not taken is absent: never 0, never null. */
export type Timing = { durationMs?: number | undefined; totalTokens?: number | undefined }

/** Why a run or an eval measured nothing. */
export type Failure = {
	/** One sentence in our own words. */
	sentence: string
	/** Untrusted text that belongs to it, such as the last lines of stderr. */
	quotes: string[]
	file?: string | undefined
	line?: number | undefined
	hint?: string | undefined
}

export type Execution = {
	timing: Timing
	outputs: Outputs
	/** Absent where the agent left no record that can be read. */
	transcript?: Transcript | undefined
	/** Where what it printed or recorded is kept (absolute), readable or not. */
	transcriptFile?: string | undefined
	costUsd?: number | undefined
	/** The model that did it, where it is known. */
	model?: string | undefined
	failure?: Failure | undefined
	problems: Problem[]
}

/** What a grader says of one assertion: `skipped` where there was nothing for it to judge, with the reason. Evidence is untrusted text that a reader can check. */
export type Grade = { outcome: Outcome; evidence: string; votes?: JudgeVotes | undefined }

/** One graded assertion of one run. */
export type Attempt = { run: number; outcome: Outcome; evidence: string; votes?: JudgeVotes | undefined }

export type AssertionResult = {
	definition: AssertionDefinition
	outcome: Outcome
	evidence: string
	attempts: Attempt[]
	change?: Change | undefined
}

export type EvalResult = {
	id: string
	name?: string | undefined
	definition: EvalDefinition
	assertions: AssertionResult[]
	timing: Timing
	/** The model that the agent says it had. */
	model?: string | undefined
	failure?: Failure | undefined
	/** What was noticed in its files; an `error` blocks. */
	problems: Problem[]
}

/**
 * Counts of assertions; integers, because the gate decides on them. `skipped` ones are in no other count; of them `unarmed` were expected and
 * turned out to have nothing to judge, the others are skipped by their definition.
 */
export type Counts = { expected: number; passed: number; failed: number; errors: number; skipped: number; unarmed: number }

/** `deviation` is the population standard deviation (run-evals). */
export type Mean = { mean: number; deviation: number; n: number }

/** Means over evals (macro); a metric that nothing measured is absent. */
export type Aggregate = {
	passRate?: Mean | undefined
	seconds?: Mean | undefined
	tokens?: Mean | undefined
}

/** Means of which somebody else may have kept neither deviation nor count. */
export type Means = { [Metric in keyof Aggregate]?: (Pick<Mean, 'mean'> & Partial<Mean>) | undefined }

/** A workspace of an earlier commit, bound to today's definitions. */
export type Baseline = {
	/** The directory's own name, or that of what `latest` points to. */
	label: string
	/** By eval id; an eval whose grading could not be read is absent. */
	evals: Map<string, BaselineEval>
	/** Ids of evals that are in the baseline's directory but unreadable. */
	unreadable: string[]
	aggregate: Means
	/** There were only means to read: no assertion can be compared, and none counts as new. */
	summaryOnly?: true | undefined
	/** Absent where nobody recorded one; `unreadable` fits nothing. */
	fingerprint?: Fingerprint | 'unreadable' | undefined
}

/** What results depend on besides the skill, by the names that benchmark.json has. What nobody recorded is absent. */
export type Fingerprint = { parts: Partial<Record<FingerprintPart, string>>; evals: Map<string, EvalFingerprint> }
export type FingerprintPart =
	| 'agent'
	| 'agent_settings'
	| 'task_prompt'
	| 'judge'
	| 'judge_model'
	| 'judge_prompt'
	| 'judge_settings'
/** `task`, `files` and each of `assertions` (in the order of the definition) are hashes. */
export type EvalFingerprint = {
	model?: string | undefined
	task?: string | undefined
	files?: string | undefined
	assertions: string[]
}

export type BaselineEval = { rows: GradingRow[]; timing: Timing }

/** One row of a grading.json, as found. */
export type GradingRow = {
	id?: string | undefined
	text: string
	outcome: Outcome
	evidence: string
}

export type Removed = { evalId: string; text: string }

/** Signed differences: pass rate in points of 1, the others as ratios to the baseline (0.5 = half more). */
export type Delta = { passRate?: number | undefined; tokens?: number | undefined; seconds?: number | undefined }

export type Comparison = {
	label: string
	removed: Removed[]
	aggregate: Means
	delta: Delta
	/** The baseline holds means only. */
	summaryOnly?: true | undefined
}

/** What a run's tools did, as far as somebody counted. */
export type ToolUse = { calls?: number | undefined; errors?: number | undefined }

/** What other tools left beside the results. It is shown, it decides nothing, and every text in it is untrusted. */
export type Neighbours = {
	/** One a run that recorded it. */
	toolUses: ToolUse[]
	/** How many runs there are. */
	runs: number
	history?: { currentBest?: string | undefined; versions: Version[] } | undefined
	comparisons: BlindComparison[]
	suggestions: Suggestion[]
}
export type Version = { version: string; passRate?: number | undefined; result?: string | undefined }
/** Two outputs whose makers the judge did not know; which is which stands elsewhere. */
export type BlindComparison = { file: string; winner: string; a?: number | undefined; b?: number | undefined }
export type Suggestion = { priority?: string | undefined; category?: string | undefined; text: string }

/** What the same agent did without the skill, or with the old one. It decides nothing. */
export type OtherSkill = {
	arm: OtherArm
	evals: EvalResult[]
	aggregate: Aggregate
	/** With the skill against the other arm, over the evals that both arms measured. */
	delta: Delta
	/** Ids of evals of which every assertion passes in both arms: they do not show what the skill, or the change of it, is good for. */
	noSignal: string[]
	/** Ids of evals that do better in the other arm. */
	worse: string[]
	/** Ids of evals of which something was not measured in the other arm. */
	notMeasured: string[]
	/** Assertions that pass in both arms, of all that both measured. */
	shared: { passed: number; measured: number }
}

export type SuiteResult = {
	suite: Suite
	evals: EvalResult[]
	counts: { all: Counts; error: Counts }
	evalsGraded: number
	aggregate: Aggregate
	/** Passed weight of measured weight, 0 to 1; absent where every weight is 1. It is shown and decides nothing. */
	weightedPassRate?: number | undefined
	/** Absent where nothing was measured yet. */
	fingerprint?: Fingerprint | undefined
	/** Absent where no baseline was asked for or none exists yet. */
	comparison?: Comparison | undefined
	/** Absent where nobody asked for it. */
	otherSkill?: OtherSkill | undefined
	/** Absent where no other tool left anything. */
	neighbours?: Neighbours | undefined
	/** What was noticed about the workspace and the baseline as a whole; an `error` blocks. */
	problems: Problem[]
}
