/** How the GitHub runner finds workflow commands in what a step prints: the oracle for "no untrusted text becomes a command". */
export type RunnerCommand = { name: string; properties: Record<string, string>; data: string }

/** What the runner obeys from an action; one more is reserved for its own checkout plug-in. */
const COMMANDS = [
	...['error', 'warning', 'notice', 'debug', 'group', 'endgroup', 'add-mask', 'add-matcher', 'remove-matcher', 'add-path'],
	...['set-output', 'save-state', 'set-env', 'echo', 'stop-commands'],
]

/** .NET's white space: Unicode's separators and seven controls. JavaScript's trimStart() has U+FEFF too and lacks U+0085. */
const LEADING_SPACE = /^[\p{Zs}\p{Zl}\p{Zp}\t-\r\u0085]+/u

/** The runner searches by culture, which sees through control and format characters between the two colons. */
const END_OF_PROPERTIES = /:[\p{Cc}\p{Cf}]*:/u

const V2_ESCAPES = { data: ['%0D', '%0A', '%25'], property: ['%0D', '%0A', '%3A', '%2C', '%25'] }
const V1_ESCAPES = ['%3B', '%0D', '%0A', '%5D', '%25']

/** Commands in the order the runner obeys them. A stop-commands is listed, what its token silences and the token itself are not. */
export function parseRunnerCommands(output: string): RunnerCommand[] {
	const known = new Set(COMMANDS)
	const found: RunnerCommand[] = []
	let stopToken: string | undefined
	for (const line of output.split(/\r\n|\r|\n/)) {
		const command = parseV2(line, known) ?? parseV1(line, known)
		if (!command) continue
		if (stopToken !== undefined) {
			if (command.name !== stopToken) continue
			known.delete(stopToken)
			stopToken = undefined
			continue
		}
		found.push(command)
		if (command.name === 'stop-commands' && isStopToken(command.data, known)) {
			stopToken = command.data.toLowerCase()
			known.add(stopToken)
		}
	}
	return found
}

/** The runner refuses a token that is empty or means something already; commands then stay alive. */
function isStopToken(token: string, known: Set<string>): boolean {
	return token !== '' && token.toLowerCase() !== 'pause-logging' && !known.has(token.toLowerCase())
}

/** `::name key=value,key=value::data`, after leading white space. */
function parseV2(line: string, known: Set<string>): RunnerCommand | undefined {
	const text = line.replace(LEADING_SPACE, '')
	if (!text.startsWith('::')) return undefined
	const end = text.slice(2).search(END_OF_PROPERTIES)
	if (end < 0) return undefined
	const { name, rest } = splitName(text.slice(2, end + 2))
	if (!known.has(name)) return undefined
	const properties = parseProperties(rest.trim(), ',', V2_ESCAPES.property)
	return { name, properties, data: decodeEscapes(text.slice(end + 4), V2_ESCAPES.data) }
}

/** `##[name key=value;key=value]data`, wherever in the line it first occurs. */
function parseV1(line: string, known: Set<string>): RunnerCommand | undefined {
	const start = line.indexOf('##[')
	const end = line.indexOf(']', start)
	if (start < 0 || end < 0) return undefined
	const { name, rest } = splitName(line.slice(start + 3, end))
	if (!known.has(name)) return undefined
	return { name, properties: parseProperties(rest, ';', V1_ESCAPES), data: decodeEscapes(line.slice(end + 1), V1_ESCAPES) }
}

function splitName(info: string): { name: string; rest: string } {
	const space = info.indexOf(' ')
	// With a space at offset 0 the name is empty, and nothing is registered under it.
	if (space < 0) return { name: info.toLowerCase(), rest: '' }
	return { name: info.slice(0, space).toLowerCase(), rest: info.slice(space + 1) }
}

function parseProperties(text: string, separator: string, escapes: string[]): Record<string, string> {
	const pairs = text.split(separator).flatMap((part) => {
		const [, key, value] = /^=*([^=]+)=+([^=].*)$/su.exec(part) ?? []
		return key !== undefined && value !== undefined ? [[key, decodeEscapes(value, escapes)] as const] : []
	})
	return Object.fromEntries(pairs)
}

/** One escape after the other, `%25` last, as the runner does it. */
function decodeEscapes(text: string, codes: string[]): string {
	return codes.reduce((result, code) => result.replaceAll(code, decodeURIComponent(code)), text)
}
