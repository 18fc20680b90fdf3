import type { TranscriptFormat } from '../../transcript.ts'

const words = (names: string) => names.split(' ')

const CLAUDE = words(
	'Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode ExitPlanMode Glob Grep KillShell LS Monitor MultiEdit NotebookEdit NotebookRead ' +
		'Read SendMessage Skill SlashCommand Task TaskOutput TaskStop TodoRead TodoWrite ToolSearch WebFetch WebSearch Workflow Write',
)

/**
 * The tools that each program brings along, by the names in its own record; from recordings of the programs and their documentation. It need not be
 * complete: a name counts as another program's only if it is in that program's list and not in the own one.
 */
const TOOLS: Record<TranscriptFormat, string[]> = {
	'claude-stream': CLAUDE,
	'claude-session': CLAUDE,
	codex: words('command_execution file_change mcp_tool_call web_search'),
	gemini: words(
		'activate_skill delegate_to_agent edit glob google_web_search grep_search invoke_agent list_directory read_file read_many_files replace ' +
			'run_shell_command save_memory search_file_content web_fetch write_file write_todos',
	),
	copilot: words(
		'apply_patch bash create edit glob grep insert list_bash powershell read read_bash rg skill stop_bash str_replace task view web_fetch write write_bash',
	),
	opencode: words(
		'apply_patch bash edit glob grep list lsp multiedit patch question read skill task todoread todowrite webfetch websearch write',
	),
	pi: words('bash edit find grep ls read write'),
}

/** The tools of this kind of record, if the name is one of another program's and none of them; of a name that nobody knows nothing is said. */
export function findOwnTools(format: TranscriptFormat, name: string): string[] | undefined {
	const own = TOOLS[format]
	return !own.includes(name) && Object.values(TOOLS).some((names) => names.includes(name)) ? own : undefined
}
