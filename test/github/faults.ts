import type { Answer } from './answer.ts'

/** A scripted fault: what the next matching requests get instead of GitHub's answer. */
export type Fault = {
	/** Any method where left out. */
	method?: string
	/** Tried against the path without its query. */
	path: RegExp
	/** Default 1. */
	times?: number
	/** This many matching requests get through first. */
	skip?: number
	/** Default 500; 200 with a wrong body is a fault too. */
	status?: number
	headers?: Record<string, string>
	/** Sent as JSON, a string as it is: an HTML error page, damaged JSON. */
	body?: unknown
	/** Performs the request, then answers with the fault: the write that was stored but not confirmed. */
	storedFirst?: boolean
	/** Cuts the connection instead of answering. */
	reset?: boolean
	/** Never answers. */
	hang?: boolean
}

export type Faults = {
	add: (fault: Fault) => void
	take: (method: string, path: string) => Fault | undefined
	pending: () => Fault[]
}

export function createFaults(): Faults {
	const script: { fault: Fault; skip: number; left: number }[] = []
	return {
		add(fault) {
			if (fault.path.global || fault.path.sticky)
				throw new Error('A fault path with the flag g or y would match every other time.')
			script.push({ fault, skip: fault.skip ?? 0, left: fault.times ?? 1 })
		},
		take(method, path) {
			for (const entry of script) {
				const { fault } = entry
				if (entry.left < 1 || (fault.method ?? method) !== method || !fault.path.test(path)) continue
				if (entry.skip > 0) {
					entry.skip -= 1
					continue
				}
				entry.left -= 1
				return fault
			}
			return undefined
		},
		pending: () => script.filter(({ left }) => left > 0 && left !== Number.POSITIVE_INFINITY).map(({ fault }) => fault),
	}
}

export function answerFault({ status = 500, body = { message: `Scripted fault ${status}` }, headers = {} }: Fault): Answer {
	return { status, body, headers }
}
