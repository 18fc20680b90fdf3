// @ts-check
/** `npm run demo`: the main job on a demo skill, with nothing installed: no key, no network, only the committed dist/. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const results = resolve(root, 'demo-results')
const flags = {
	workspace: `${results}/{skill}`,
	baseline: 'baselines/{skill}/latest',
	'agent-command': JSON.stringify([process.execPath, `${root}/fixtures/demo/agent.mjs`]),
	judge: 'command',
	'judge-command': JSON.stringify([process.execPath, `${root}/fixtures/demo/judge.mjs`]),
	'skill-version': '2.0.0',
}
const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
const { status } = spawnSync(process.execPath, [`${root}/dist/cli.cjs`, 'run', ...args], {
	cwd: `${root}/fixtures/demo`,
	stdio: 'inherit',
})

console.log(`\nThat was the demo: one regression blocks, and one failed warning does not. The workspace is in ${results}`)
console.log(
	`As a real command it would have ended with exit status ${status}, and as an Action with a red check and this summary as a comment.`,
)
// The demo itself has gone wrong only if the gate said something else.
process.exitCode = status === 1 ? 0 : 1
