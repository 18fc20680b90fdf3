/** The types of what is declared: problems, definitions, suites and the runs planned from them. No code here. Words as in ARCHITECTURE.md; results are in model.ts. */

import type { JudgeWishes } from './judging.ts'

export type Severity = 'error' | 'warning' | 'notice'
export type AssertionType = 'regression' | 'capability'

/** Something wrong with a file, collected and shown together with all others; an `error` never lets the gate pass. */
export type Problem = {
	code: string
	severity: Severity
	/** Relative to the working directory, with `/`. */
	file?: string | undefined
	/** From 1. */
	line?: number | undefined
	column?: number | undefined
	/** JSON Pointer into the file. */
	pointer?: string | undefined
	message: string
	/** What to do about it. */
	hint?: string | undefined
}

/** What a reader gives: the value, if one could be read, and everything that was noticed on the way. */
export type Read<T> = { value?: T | undefined; problems: Problem[] }

/**
 * What a grader is pointed at. `transcript`: what was said and done; `files`: the paths that the session wrote; `artifact`: the text of the
 * artifact that declares the assertion; a `file` is one below `outputs/`.
 */
export type Target =
	| { source: 'outputs' | 'last-message' | 'transcript' | 'files' | 'artifact' }
	| { source: 'file'; path: string }

/** What can carry a `metadata.evals` block. */
export type ArtifactKind = 'skill' | 'agent' | 'slash-command' | 'project-rules'
/** The artifact whose rule an assertion is: of a transcript only what it governed counts. */
export type Scope = { kind: ArtifactKind; name: string }

export type AssertionDefinition = {
	/** Given by the author, unique in its eval; absent for a plain string. */
	id?: string | undefined
	/** Position in its eval, from 1. */
	index: number
	text: string
	/** What the author adds to the sentence, for the judge only. */
	hint?: string | undefined
	severity: Severity
	type: AssertionType
	weight: number
	skip: boolean
	/** A deterministic grader's name, or `judge`. */
	grader: string
	options: Record<string, unknown>
	target: Target
	/** What its author says of how a judge decides it. */
	judge?: JudgeWishes | undefined
	/** The models that wrote it, where that is recorded. */
	authors?: string[] | undefined
	/** Absent in an evals file: there the whole session counts. */
	scope?: Scope | undefined
	/** Where it is declared, if not in the suite's own file. */
	file?: string | undefined
	line?: number | undefined
	pointer: string
}

export type EvalDefinition = {
	/** As a string: the directory is `eval-<id>`. */
	id: string
	name?: string | undefined
	prompt: string
	expectedOutput?: string | undefined
	/** As the author wrote them. */
	files: string[]
	assertions: AssertionDefinition[]
	line?: number | undefined
	pointer: string
}

/** The repository's own rules for its gate. */
export type Policy = {
	file: string
	severities: SeverityRule[]
	/** What it means for a pull request that it asks less than its base; that of the base counts. */
	weakening: 'block' | 'report'
}
/** Fields that are absent fit everything. A number names an assertion by its position, a text by its id or its sentence. */
export type SeverityRule = {
	skill?: string | undefined
	eval?: string | undefined
	assertion?: string | number | undefined
	severity: Severity
	line: number
}

/** What a definition file is by its content. */
export type DefinitionFormat = 'skill-creator' | 'run-evals' | 'evalify' | 'eval_metadata' | 'metadata.evals' | 'plugin-eval'

/** One definition file, understood. */
export type SuiteDefinition = { skill: string; file: string; format: DefinitionFormat; evals: EvalDefinition[] }

/** A suite and the places that belong to it. Paths are absolute unless they say otherwise. */
export type Suite = SuiteDefinition & {
	evalsDir: string
	/** The directory with the skill's SKILL.md, if one was found. */
	skillDir?: string | undefined
	workspace: string
	/** `<workspace>.runs` */
	runsDir: string
	/** The baseline's directory as the user gave it. */
	baseline?: string | undefined
	/** What carries the suite's block, or the skill's SKILL.md: its path as a reader knows it, and its whole text. */
	artifact?: { file: string; text: string } | undefined
	/** The skill as it is in the base commit, where it is asked for and there is one. */
	oldSkill?: OldSkill | undefined
	/** The repository's own wording of the prompt; absent where it is ours. */
	wording?: Wording | undefined
	/** By eval id: where each declared file really is. */
	fixtures: Map<string, Fixture[]>
}

/** `path` is that of its directory from the top of the repository, with `/`; empty for the whole repository. */
export type OldSkill = { repository: string; base: string; path: string }

/** A prompt with places for the task, the skill and the files. The version changes with every change of its text. */
export type Wording = { text: string; version: string }

/** An eval's input file or directory: the path that the author wrote, and where it was found (absolute). */
export type Fixture = { declared: string; path: string }

/** Whether the agent has the skill under test, none, or that of the base commit: what it does then shows what the skill is good for, and decides nothing. The names are skill-creator's. */
export type Arm = 'with_skill' | OtherArm
export type OtherArm = 'without_skill' | 'old_skill'

/** One execution of one eval. */
export type PlannedRun = { suite: Suite; evaluation: EvalDefinition; arm: Arm; run: number }
