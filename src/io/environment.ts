/** What a child process may know of the machine. Tokens, keys and the runner's command files are not among it. */
const ALLOWED =
	/^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TERM|TMPDIR|TEMP|TMP|SystemRoot|SYSTEMROOT|ComSpec|COMSPEC|PATHEXT|windir|APPDATA|LOCALAPPDATA|USERPROFILE|ProgramFiles|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|[Hh][Tt][Tt][Pp][Ss]?_[Pp][Rr][Oo][Xx][Yy]|[Nn][Oo]_[Pp][Rr][Oo][Xx][Yy])$/

/** The allow-listed part of the environment, plus the variables that the user named. */
export function allowEnvironment(environment: NodeJS.ProcessEnv, named: string[]): Record<string, string> {
	const entries = Object.entries(environment).filter(([name]) => ALLOWED.test(name) || named.includes(name))
	return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
