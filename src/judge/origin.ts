/** Models like what they wrote: a judge that grades its own work, or by its own sentences, is said. It decides nothing. */
export type Origin = {
	judgeModel?: string | undefined
	/** The agent's, where it is known. */
	agentModel?: string | undefined
	/** Who wrote the assertions, by `meta-provenance`. */
	authors?: string[] | undefined
}

/** One sentence each, none where nothing is known. Names are compared without a provider's prefix and without case. */
export function noteOrigin({ judgeModel, agentModel, authors = [] }: Origin): string[] {
	if (judgeModel === undefined) return []
	const isJudge = (name: string | undefined) => name !== undefined && plain(name) === plain(judgeModel)
	return [
		...(isJudge(agentModel)
			? [`the judge's model is the agent's too (${judgeModel}): models prefer what they wrote themselves`]
			: []),
		...(authors.some(isJudge)
			? [`the judge's model wrote these assertions (${judgeModel}): it may read them as it meant them`]
			: []),
	]
}

function plain(name: string): string {
	return (name.trim().toLowerCase().split('/').at(-1) ?? '').replace(/:.*$/, '')
}
