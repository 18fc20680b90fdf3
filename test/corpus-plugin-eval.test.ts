/** Our verdict for every recording of `claude plugin eval` in the corpus, against a committed table. `-u` rewrites the table; read the diff. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseInputs } from '../src/inputs.ts'
import { run } from '../src/run.ts'

const corpus = join(import.meta.dirname, '../../shared/corpus/plugin-eval')
const isAbsent = !existsSync(corpus)
if (isAbsent) console.log('skipped: the recordings of claude plugin eval are not here (../shared/corpus/plugin-eval)')

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'plugin-eval-')))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Which plugin was run, where the recording is not about the demo. */
const PLUGINS: Record<string, string> = {
	'api-401': 'e-api401',
	'api-429': 'e-api429',
	'api-500': 'e-api500',
	'api-500-after-write': 'e-write500',
	'bad-case-files': 'e-bad',
	'bare-skill-folder': 'e-skilldir',
	'baseline-arm-errors': 'e-base',
	'bash-no-sandbox': 'e-bash',
	'duplicate-case-names': 'e-dupname',
	'flaky-text': 'e-flaky',
	'flaky-threshold-0.5': 'e-flaky',
	'judge-answers': 'e-judges',
	'judge-api-500': 'e-judge500',
	'judge-hang-sigterm': 'e-judgehang',
	'manifest-experimental-evals': 'e-evdir',
	'manifest-invalid': 'e-invman',
	'manifest-toplevel-evals': 'e-topev',
	'max-turns-passes-exit0': 'e-loop',
	'mcp-bad-mock': 'e-mcpbad',
	'mcp-mocks': 'e-mcp',
	'no-cases': 'e-none',
	'no-cases-text': 'e-none',
	'one-good-one-bad': 'e-goodbad',
	'one-good-one-bad-text': 'e-goodbad',
	'only-bad-case': 'e-onlybad',
	'plugin-validate-ignores-cases': 'e-bad',
	'scaffold-fails': 'e-scaff',
	'scaffold-skipped': 'e-scaff',
	sigint: 'e-hang',
	sigterm: 'e-hang',
	'timeout-passes-exit0': 'e-hang',
	timeouts: 'e-hang',
	'vacuous-graders-exit0': 'e-vacuous',
	'with-only': 'e-withonly',
}
const recordings = isAbsent
	? []
	: readdirSync(corpus, { withFileTypes: true })
			.filter((entry) => entry.isDirectory() && !/^[_.]/.test(entry.name))
			.map(({ name }) => name)

/** The file that it wrote, else what it printed with --json. */
function readRecorded(name: string): string | undefined {
	const file = join(corpus, name, 'aggregate-result.json')
	if (existsSync(file)) return readFileSync(file, 'utf8')
	const printed = readFileSync(join(corpus, name, 'stdout'), 'utf8')
	return printed.startsWith('{\n  "schemaVersion"') ? printed : undefined
}

/** `report` on a recording: verdict, and the codes or sentences of what blocks. */
async function judge(name: string, withPlugin: boolean, edit = (text: string) => text) {
	const cwd = mkdtempSync(join(scratch, 'case-'))
	const recorded = readRecorded(name)
	if (recorded !== undefined) writeFileSync(join(cwd, 'aggregate-result.json'), edit(recorded))
	if (withPlugin) {
		writeFileSync(join(cwd, 'aggregate-result.stderr.log'), readFileSync(join(corpus, name, 'stderr')))
		cpSync(join(corpus, '_plugins', PLUGINS[name] ?? 'demo'), join(cwd, 'plugin'), { recursive: true })
	}
	const given: Record<string, string> = {
		mode: 'report',
		workspace: 'aggregate-result.json',
		...(withPlugin ? { evals: 'plugin' } : {}),
	}
	const host = {
		places: { cwd, temp: cwd },
		environment: {},
		event: { name: undefined, payload: undefined },
		log: { info: () => {} },
	}
	const { decision } = await run(
		parseInputs((input) => given[input]),
		{ ...host, publish: async () => {} } as unknown as Parameters<typeof run>[1],
	)
	return decision
}

describe.skipIf(isAbsent)('recordings of claude plugin eval', () => {
	it('have the verdicts of the table', async () => {
		const rows = [['recording', 'status of the program', 'result alone', 'with its stderr and the case files', 'why']]
		for (const name of recordings) {
			const status = readFileSync(join(corpus, name, 'rc'), 'utf8').trim()
			const alone = await judge(name, false)
			const whole = await judge(name, true)
			const why = whole.reasons.map(({ where, sentence }) => `${where}: ${sentence}`.replaceAll(/\s+/g, ' ').slice(0, 110))
			rows.push([name, status, alone.verdict, whole.verdict, why.slice(0, 2).join(' | ')])
		}
		expect(rows).toHaveLength(47)
		await expect(`${rows.map((row) => row.join('\t')).join('\n')}\n`).toMatchFileSnapshot('../fixtures/corpus-plugin-eval.tsv')
	})

	it.each([
		'timeout-passes-exit0',
		'max-turns-passes-exit0',
		'timeouts',
		'vacuous-graders-exit0',
		'no-credentials',
		'one-good-one-bad',
		'one-good-one-bad-text',
		'bad-case-files',
		'judge-answers',
		'judge-api-500',
		'api-500',
		'api-429',
		'cost-ceiling',
		'tools-not-granted',
		'scaffold-skipped',
		'untrusted-json',
		'flaky-threshold-0.5',
		'bad-flags',
	])('%s does not pass', async (name) => {
		expect((await judge(name, true)).verdict).not.toBe('pass')
	})

	it.each(recordings)('%s alone does not pass, because lost cases leave no trace in it', async (name) => {
		expect((await judge(name, false)).verdict).not.toBe('pass')
	})

	it.each(recordings.filter((name) => readRecorded(name) !== undefined))('%s never passes when cut or changed', async (name) => {
		const cut = await judge(name, false, (text) => text.slice(0, -3))
		const newer = await judge(name, false, (text) => text.replace('"schemaVersion": 1', '"schemaVersion": 2'))
		const partial = await judge(name, false, (text) => text.replace('"partial": false', '"partial": true'))
		const shrunk = await judge(name, false, (text) => text.replace(/"casesTotal": \d+/, '"casesTotal": 99'))
		expect([cut, newer, partial, shrunk].map(({ verdict }) => verdict)).not.toContain('pass')
	})
})
