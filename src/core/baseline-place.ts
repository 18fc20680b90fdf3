/** Where a baseline is: a directory, or a path in a commit of the repository. */
export type BaselinePlace = { kind: 'directory'; path: string } | { kind: 'ref'; ref: string; path: string }

/** Names that git takes and that cannot be taken for an option, a range or another part of the text. */
const REF = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/

/** Reads the input `baseline`. Undefined if it begins like a ref and cannot be one. */
export function parseBaselinePlace(text: string): BaselinePlace | undefined {
	const [kind = '', first = '', ...rest] = text.split(':')
	if (kind === 'ref') {
		const path = rest.join(':').replace(/\/+$/, '')
		const isPath = path !== '' && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
		return isRef(first) && isPath ? { kind: 'ref', ref: first, path } : undefined
	}
	return { kind: 'directory', path: text }
}

function isRef(name: string): boolean {
	return REF.test(name) && !name.includes('..') && !name.includes('//') && !/[./]$|\.lock$/.test(name)
}
