// @ts-check
/** Bundles the Action and the command into dist/, with the licences of everything inside. Run from the root: path comments depend on it. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

rmSync('dist', { recursive: true, force: true })
/** @type {import('esbuild').BuildOptions} */
const common = {
	outdir: 'dist',
	outExtension: { '.js': '.cjs' },
	bundle: true,
	platform: 'node',
	target: 'node20',
	format: 'cjs',
	// jsonc-parser's "main" is UMD, whose requires a bundler cannot see.
	mainFields: ['module', 'main'],
	legalComments: 'none',
}
const programs = await build({
	...common,
	entryPoints: { main: 'src/main.ts', cli: 'src/cli.ts' },
	define: { __VERSION__: JSON.stringify(version), 'import.meta.url': 'bundleUrl' },
	// Before any import: a program that dies half loaded, or whose promise never settles, must not end green.
	banner: { js: `process.exitCode = 1\nconst bundleUrl = require('node:url').pathToFileURL(__filename).href` },
	plugins: [
		{
			name: 'models',
			// The libraries of the models' APIs are large: a file of their own, which only their judges load.
			setup: ({ onResolve }) => onResolve({ filter: /\/sdk\.ts$/ }, () => ({ path: './models.cjs', external: true })),
		},
	],
	metafile: true,
})
const models = await build({ ...common, entryPoints: { models: 'src/io/judge/sdk.ts' }, metafile: true })

const packages = new Set(
	[programs, models]
		.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}))
		.flatMap((path) => {
			const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)
			return name ? [name[0].slice(0, -1)] : []
		}),
)
writeFileSync('dist/licenses.txt', [...packages].sort().map(licenceOf).join('\n\n'))

/** @param {string} directory of a package */
function licenceOf(directory) {
	const { name, version: packageVersion, license } = JSON.parse(readFileSync(`${directory}/package.json`, 'utf8'))
	const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry))
	const text =
		file && existsSync(`${directory}/${file}`)
			? readFileSync(`${directory}/${file}`, 'utf8').trim()
			: '(the package ships no licence text)'
	return `${name} ${packageVersion} (${license})\n${'-'.repeat(40)}\n${text.replaceAll('\r\n', '\n')}\n`
}
