/** The types that everything else speaks: definitions, runs, results. No code here. Words as in ARCHITECTURE.md; the decision is in decision.ts. */

export type Severity = 'error' | 'warning' | 'notice'
/** Of one assertion: `error` means it was not measured, which is never a pass. */
export type Outcome = 'pass' | 'fail' | 'error' | 'skipped'
/** Of the gate: `incomplete` = something that had to be measured was not, `invalid` = inputs or definitions cannot be used. */
export type Verdict = 'pass' | 'fail' | 'incomplete' | 'invalid'
/** Of one assertion against the baseline. */
export type Change = 'regression' | 'pre-existing' | 'fixed' | 'new' | 'removed' | 'not-comparable'
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

/** The bytes that a grader is pointed at. */
export type Target = { source: 'outputs' } | { source: 'last-message' } | { source: 'file'; path: string }

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
export type Policy = { file: string; severities: SeverityRule[] }
/** Fields that are absent fit everything. A number names an assertion by its position, a text by its id or its sentence. */
export type SeverityRule = {
	skill?: string | undefined
	eval?: string | undefined
	assertion?: string | number | undefined
	severity: Severity
	line: number
}

/** What a definition file is by its content. */
export type DefinitionFormat = 'skill-creator' | 'run-evals' | 'evalify' | 'eval_metadata' | 'plugin-eval'

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
	/** By eval id: where each declared file really is. */
	fixtures: Map<string, Fixture[]>
}

/** An eval's input file or directory: the path that the author wrote, and where it was found (absolute). */
export type Fixture = { declared: string; path: string }

/** One execution of one eval. */
export type PlannedRun = { suite: Suite; evaluation: EvalDefinition; run: number }

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

export type Execution = { timing: Timing; outputs: Outputs; failure?: Failure | undefined; problems: Problem[] }

/** What a grader says of one assertion; evidence is untrusted text that a reader can check. */
export type Grade = { outcome: 'pass' | 'fail' | 'error'; evidence: string }

/** One graded assertion of one run. */
export type Attempt = { run: number; outcome: Outcome; evidence: string }

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
	failure?: Failure | undefined
	/** What was noticed in its files; an `error` blocks. */
	problems: Problem[]
}

/** Counts of assertions; integers, because the gate decides on them. */
export type Counts = { expected: number; passed: number; failed: number; errors: number; skipped: number }

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
}
export type BaselineEval = { rows: GradingRow[]; timing: Timing }

/** One row of a grading.json, as found. */
export type GradingRow = {
	id?: string | undefined
	text: string
	outcome: 'pass' | 'fail' | 'error'
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

export type SuiteResult = {
	suite: Suite
	evals: EvalResult[]
	counts: { all: Counts; error: Counts }
	evalsGraded: number
	aggregate: Aggregate
	/** Absent where no baseline was asked for or none exists yet. */
	comparison?: Comparison | undefined
	/** Absent where no other tool left anything. */
	neighbours?: Neighbours | undefined
	/** What was noticed about the workspace and the baseline as a whole; an `error` blocks. */
	problems: Problem[]
}
