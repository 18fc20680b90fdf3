import type { JudgeRequest } from '../../judge/request.ts'

/** `fault`: an answer that cannot be used. `failure`: no answer; with `stop` no later call of the job can get one. */
export type Reply = { text: string } | { fault: string } | { failure: string; stop?: boolean }

/** Asks one judge once, within the time; whatever goes wrong is a value. */
export type Ask = (request: JudgeRequest, timeoutMs: number) => Promise<Reply>
