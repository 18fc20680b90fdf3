import type * as z from 'zod'
import type { Grade, OutputFile, Outputs, Target } from '../model.ts'

/** What a target comes to: the files to look at, and how evidence names them (`outputs/`, `outputs/report.md`, `the last message`). */
export type Subject = { source: Target['source']; label: string; files: OutputFile[] }

/** A process to be started elsewhere (io): argv without a shell, in the evals' directory; `{outputs}` in it becomes the path of `outputs/`. */
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

/** Grades bytes that were read already. */
export type FilesGrader<O> = Base<O> & { kind: 'files'; grade: (options: O, subject: Subject) => Grade }

/** Grades which paths are there and which are not. */
export type PathGrader<O> = Base<O> & { kind: 'path'; grade: (options: O, target: Target, outputs: Outputs) => Grade }

/** Asks for a process and reads its end. */
export type CommandGrader<O> = Base<O> & {
	kind: 'command'
	request: (options: O) => CommandRequest
	grade: (options: O, result: CommandResult) => Grade
}

export type Grader<O> = FilesGrader<O> | PathGrader<O> | CommandGrader<O>
