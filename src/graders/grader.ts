import type * as z from 'zod'
import type { Target } from '../definition.ts'
import type { Grade, OutputFile, Outputs } from '../model.ts'
import type { Transcript } from '../transcript.ts'
import type { View } from './session/view.ts'
import type { When } from './session/when.ts'

/** Everything that graders may look at of one run. */
export type Subjects = {
	outputs: Outputs
	/** Absent where the agent left no record that can be read. */
	transcript?: Transcript | undefined
	/** As measured from outside the transcript. */
	totalTokens?: number | undefined
	/** The whole text of the artifact that declares the assertion. */
	artifact?: string | undefined
}

/** What a target comes to: the files to look at, and how evidence names them (`outputs/`, `outputs/report.md`, `the last message`). */
export type Subject = { source: Target['source']; label: string; files: OutputFile[] }

/** A process to be started elsewhere (io): argv without a shell, in the evals' directory; `{outputs}` and `{trace}` become paths. */
export type CommandRequest = { argv: string[]; timeoutMs: number; successExitCodes: number[] }

/** How that process ended. `failure` says why it could not be started or was ended by us. */
export type CommandResult = {
	exitCode?: number | undefined
	signal?: string | undefined
	failure?: string | undefined
	stdout: string
	stderr: string
}

/** Why an assertion cannot be used. `pointer` is a JSON Pointer relative to the assertion, empty for the assertion itself. */
export type Fault = { pointer: string; message: string; hint?: string | undefined }

type Base<O> = {
	name: string
	/** One sentence for the documentation. */
	description: string
	/** A closed object; its keys are what error messages list. */
	options: z.ZodType<O> & { shape: Readonly<Record<string, unknown>> }
	/** A fault that only options and target together show. */
	fault?: (options: O, target: Target) => Fault | undefined
}

/** Whose words of a transcript a grader reads, under which conditions, and whether it passes on what was not said. */
export type Listening = { on?: 'assistant' | 'user' | 'all' | undefined; when?: When; isNegative: boolean }

/**
 * Grades bytes that were read already.
 * `whole`: it wants one document, so that of a transcript it reads the last message; `message`: it reads the last message unless told otherwise.
 */
export type FilesGrader<O> = Base<O> & {
	kind: 'files'
	reads?: 'whole' | 'message'
	listens?: (options: O) => Listening
	grade: (options: O, subject: Subject) => Grade
}

/** Grades what the agent did, in the window of the assertion. */
export type SessionGrader<O> = Base<O> & { kind: 'session'; when: (options: O) => When; grade: (options: O, view: View) => Grade }

/** What the whole session took; absent where nothing recorded it. */
export type Spending = { agent: string; costUsd?: number | undefined; tokens?: number | undefined }
export type SpendingGrader<O> = Base<O> & { kind: 'spending'; grade: (options: O, spending: Spending) => Grade }

/** Grades which paths are there and which are not. */
export type PathGrader<O> = Base<O> & { kind: 'path'; grade: (options: O, target: Target, outputs: Outputs) => Grade }

/** Asks for a process and reads its end. */
export type CommandGrader<O> = Base<O> & {
	kind: 'command'
	request: (options: O) => CommandRequest
	grade: (options: O, result: CommandResult) => Grade
}

export type Grader<O> = FilesGrader<O> | PathGrader<O> | CommandGrader<O> | SessionGrader<O> | SpendingGrader<O>
