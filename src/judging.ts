/** What definitions and results say of a judge. Types only. */

/** `provider` and `model` bind: an assertion that names another one than the configured judge is not measured. */
export type JudgeWishes = {
	runs?: number | undefined
	provider?: string | undefined
	model?: string | undefined
	/** Where to look. */
	evidence?: string | undefined
	examples?: { pass: string[]; fail: string[] } | undefined
}

/** How the judge's runs on one assertion went; `cached` = nobody was asked, an earlier job's answers were read. */
export type JudgeVotes = { runs: number; passed: number; failed: number; errors: number; cached: boolean }

/** How plain-language assertions were decided. */
export type Judging = { model?: string | undefined; promptVersion: string; runs: number }
