/** Golden trees: each folder of fixtures/cases is a folder in and a folder out. `npx vitest run test/golden.test.ts -u` rewrites what is expected; read the diff. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from './support/program.ts'

const cases = join(import.meta.dirname, '../fixtures/cases')
const scratch = mkdtempSync(join(tmpdir(), 'golden-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

type Case = { about: string; args: string[]; exitStatus: number; files: string[] }

describe('golden cases', () => {
	for (const name of readdirSync(cases)) {
		const { about, args, exitStatus, files } = JSON.parse(readFileSync(join(cases, name, 'case.json'), 'utf8')) as Case
		it(`${name}: ${about}`, async () => {
			const directory = join(scratch, name)
			cpSync(join(cases, name, 'in'), directory, { recursive: true, verbatimSymlinks: true })
			// One run after another: the log tells of each as it ends, and which of two ends first is chance.
			const inOrder = args[0] === 'run' ? ['--concurrency', '1'] : []
			const { exitCode, stdout, stderr } = await runCommand([...args, ...inOrder], { cwd: directory })
			const show = (text: string) =>
				text.replaceAll(directory, '<dir>').replace(/("?skill-eval-gate"? |Gate |"version": ")\d+\.\d+\.\d+/g, '$1<version>')
			expect(exitCode, stderr).toBe(exitStatus)
			await expect(show(stdout)).toMatchFileSnapshot(join(cases, name, 'expected/stdout.md'))
			await expect(show(stderr)).toMatchFileSnapshot(join(cases, name, 'expected/log.txt'))
			for (const file of files) {
				expect(existsSync(join(directory, file)), file).toBe(true)
				await expect(show(readFileSync(join(directory, file), 'utf8'))).toMatchFileSnapshot(join(cases, name, 'expected', file))
			}
		})
	}
})
