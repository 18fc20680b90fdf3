/** What the server got and what it says, free of HTTP plumbing. */
export type Call = {
	method: string
	path: string
	query: URLSearchParams
	headers: Record<string, string>
	rawBody: string
	/** The parsed JSON, or undefined where there is none or it is damaged. */
	body: unknown
}

export type Answer = { status: number; body?: unknown; headers?: Record<string, string> }

export function refuse(status: number, message: string, errors?: object[]): Answer {
	const documentation_url = 'https://docs.github.com/rest'
	return { status, body: { message, ...(errors ? { errors } : {}), documentation_url, status: String(status) } }
}

/** One page of a list, with the Link header GitHub sends. */
export function answerPage(items: unknown[], call: Call, origin: string): Answer {
	const perPage = Math.min(100, Number(call.query.get('per_page') ?? 30) || 30)
	const page = Math.max(1, Number(call.query.get('page') ?? 1) || 1)
	const last = Math.max(1, Math.ceil(items.length / perPage))
	const linkTo = (target: number, relation: string) => {
		const query = new URLSearchParams(call.query)
		query.set('page', String(target))
		return `<${origin}${call.path}?${query}>; rel="${relation}"`
	}
	const links = [
		...(page < last ? [linkTo(page + 1, 'next'), linkTo(last, 'last')] : []),
		...(page > 1 ? [linkTo(1, 'first'), linkTo(page - 1, 'prev')] : []),
	]
	const body = items.slice((page - 1) * perPage, page * perPage)
	return { status: 200, body, headers: links.length > 0 ? { link: links.join(', ') } : {} }
}
