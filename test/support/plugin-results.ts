/** Results as `claude plugin eval` writes them, made up: a plugin with two cases, two arms, everything green. */

type Json = Record<string, unknown>
export type Row = Json & { name: string; passed: boolean }
export type Run = Json & { graders: Row[] }

export const row = (name: string, more: Json = {}): Row => ({
	...{ name, passed: true, weight: 1, explanation: `${name} is as expected`, withOnly: false, scored: true },
	...more,
})
export const fired = (passed: boolean): Row =>
	row('fired', { passed, withOnly: true, scored: false, explanation: `Skill called ${passed ? 1 : 0}x` })
export const votes = (passed: boolean, judgeVotes = [passed, passed, passed]): Row =>
	row('tone', { passed, judgeVotes, explanation: 'judge votes', evidence: '# Menu\n' })

export const makeRun = (graders: Row[], more: Json = {}): Run => ({
	...{
		score: 1,
		passed: true,
		turns: 3,
		costUsd: 0.02,
		judgeCostUsd: 0.01,
		durationSeconds: 4,
		error: null,
		skippedPaidGraders: false,
	},
	...{ graders, ...more },
})

export type Case = Json & { dir: string; arms: { with: Run[]; without?: Run[] } }
export type Result = Json & { cases: Case[]; suite: Json; aggregates: Json }

export function makePluginResult(root = '/elsewhere/kitchen'): Result {
	const graders = [
		{
			name: 'price',
			type: 'regex',
			weight: 1,
			config: { target: 'last_message', pattern: '\\d+ EUR', flags: '', match: 'contains' },
		},
		{ name: 'fired', type: 'tool_used', weight: 1, config: { tool: 'Skill' } },
		{ name: 'tone', type: 'llm', weight: 1, config: { criteria: 'The menu is polite.', focus: 'last_message' } },
	]
	const makeCase = (dir: string): Case => ({
		...{ name: dir.split('/').at(-1), dir, source: 'case_yaml', promptMarkdown: 'Write the menu.', runsPerCase: 2 },
		...{ timeoutSeconds: 60, maxTurns: 5, graders },
		arms: {
			with: [makeRun([row('price'), fired(true), votes(true)]), makeRun([row('price'), fired(true), votes(true)])],
			without: [makeRun([row('price', { passed: false }), votes(true)]), makeRun([row('price', { passed: false }), votes(true)])],
		},
		aggregates: { score: 1, passRate: 1, scoreWithout: 0.5, passRateWithout: 0, delta: 0.5 },
	})
	return {
		...{ schemaVersion: 1, claudeVersion: '2.1.332', startedAt: '2026-11-11T11:11:11.000Z', durationSeconds: 16, costUsd: 0.16 },
		partial: false,
		suite: { root, ablation: 'with-without', threshold: 1, concurrency: 1, plugins: [{ name: 'kitchen', path: root }] },
		cases: [makeCase('evals/lunch'), makeCase('evals/dinner')],
		aggregates: { casesTotal: 2, casesPassed: 2, overallScore: 1, overallPassRate: 1, meanDelta: 0.5 },
	}
}

/** A case.yaml of that plugin; `more` stands at its top. */
export const makeCaseYaml = (name: string, more = '') =>
	[
		...['schema_version: "1.1"', `name: ${name}`, 'runs: 2', ...(more === '' ? [] : [more])],
		...['execution:', '  prompt: Write the menu.', 'graders:'],
		...['  - {type: regex, name: price, pattern: "\\d+ EUR"}', '  - {type: tool_used, name: fired, tool: Skill}'],
		...['  - {type: llm, name: tone, criteria: The menu is polite.}', ''],
	]
		.join('\n')
		.replace('\\d', '\\\\d')

/** The plugin's files, with as many cases as the result has. */
export const PLUGIN = {
	'kitchen/.claude-plugin/plugin.json': { name: 'kitchen', version: '1.0.0' },
	'kitchen/evals/lunch/case.yaml': makeCaseYaml('lunch'),
	'kitchen/evals/dinner/case.yaml': makeCaseYaml('dinner'),
}
