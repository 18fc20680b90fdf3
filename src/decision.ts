import type { Problem, Severity } from './definition.ts'
import type { Judging } from './judging.ts'
import type { Change, Counts, SuiteResult, Verdict } from './model.ts'

/** What the gate decides and what is told of it. Types only. */

export type Reason = {
	verdict: Exclude<Verdict, 'pass'>
	severity: Severity
	/** Where it is: `verify-pr eval-3 assertion 6`, empty for the whole gate. */
	where: string
	/** One sentence in our own words, no untrusted text. */
	sentence: string
	/** Untrusted text that belongs to it: the assertion, then its evidence. */
	quotes: string[]
	change?: Change | undefined
	file?: string | undefined
	line?: number | undefined
	hint?: string | undefined
	/** It is about what is asked, not about a result. */
	weakening?: true | undefined
}

/** What head asks less than its base. */
export type Weakened = {
	found: Reason[]
	/** It keeps the gate from passing. */
	blocks: boolean
	/** Completes "it does not block: …", untrusted text. */
	because?: string | undefined
}

/** The gate's own explanation: comment, summary, log, annotations and outputs print this record and decide nothing. */
export type Decision = {
	verdict: Verdict
	/** One line in our own words. */
	title: string
	/** What blocks, most serious first. */
	reasons: Reason[]
	counts: { all: Counts; error: Counts }
	evals: { expected: number; graded: number }
	passRate?: number | undefined
	/** Of each suite by itself, in the order of the suites. */
	suites: Verdict[]
}

/** What the report says of the circumstances. */
export type Provenance = {
	version: string
	agent: string
	judge: string
	/** Of a judge that was asked in this run. */
	judging?: Judging | undefined
	skillVersion?: string | undefined
	commit?: string | undefined
	/** Link to the workflow run, its number and its attempt. */
	run?: { url: string; number: string; attempt: string } | undefined
	/** Base of links to files of the tested commit, e.g. `https://github.com/o/r/blob/<sha>/`. */
	blobUrl?: string | undefined
}

export type Result = {
	decision: Decision
	suites: SuiteResult[]
	problems: Problem[]
	/** Absent where head was not compared. */
	weakened?: Weakened | undefined
	provenance: Provenance
}

/** Publishing trouble is a value: it never alters the verdict. */
export type Published =
	| { status: 'created' | 'updated'; url: string; notes: string[] }
	| { status: 'skipped'; reason: string; hint?: string | undefined; trouble: boolean }
