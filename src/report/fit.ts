import { type Detail, TIERS } from './detail.ts'

/** GitHub says 65,536 characters; measured limits differ by surface, so ours is in bytes and stays below all of them. */
export const COMMENT_BYTES = 60_000
/** 1,048,576 bytes is the limit of a step's summary, beyond which it is discarded whole. */
export const STEP_SUMMARY_BYTES = 1_000_000

/** The most detailed rendering that fits, else the last resort, which has to keep to the budget by itself. */
export function renderToFit(
	render: (detail: Detail) => string,
	lastResort: (budgetBytes: number) => string,
	budgetBytes: number,
): string {
	for (const detail of TIERS) {
		const text = render(detail)
		if (byteLength(text) <= budgetBytes) return text
	}
	return lastResort(budgetBytes)
}

export function byteLength(text: string): number {
	return new TextEncoder().encode(text).length
}
