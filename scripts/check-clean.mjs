// @ts-check
/** `npm run check:clean`: fails if anything in the working tree differs from the commit, such as a generated file that was not committed. */
import { execFileSync } from 'node:child_process'

/** What brings a generated file up to date, by the beginning of its path. */
const COMMANDS = [
	['dist/', 'npm run build'],
	['README.md', 'npm run docs'],
	['docs/graders.md', 'npm run docs'],
	['docs/formats.md', 'npm run docs'],
	['fixtures/cases/', 'npx vitest run test/golden.test.ts -u'],
	['package-lock.json', 'npm install'],
]

const status = execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], { encoding: 'utf8' })
const stale = status.split('\n').filter((line) => line !== '')

if (stale.length === 0) {
	console.log('Clean: everything in the working tree is committed.')
} else {
	console.error(`Not clean: ${stale.length === 1 ? 'this file differs' : 'these files differ'} from the commit.`)
	for (const line of stale) {
		const command = COMMANDS.find(([start = '']) => line.slice(3).startsWith(start))?.[1]
		console.error(`  ${line}${command ? `   (${command})` : ''}`)
	}
	console.error('Run npm run all, look at the difference, and commit it.')
	process.exitCode = 1
}
