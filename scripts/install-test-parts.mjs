// @ts-check
/**
 * Installs the heavy, optional parts of the tests into .parts/, agents into .parts-agents/, and a browser from Debian. Tests whose part is absent say so and are skipped.
 *
 *     node scripts/install-test-parts.mjs [--only node,cmark,browser,claude,codex,gemini,pi] [--strict]
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** @typedef {'node' | 'cmark' | 'browser' | 'claude' | 'codex' | 'gemini' | 'pi'} PartName */
/** @typedef {{ packages: Record<string, string>, made?: string, scripts?: string, root?: string, without: string }} Part */

export const partsRoot = fileURLToPath(new URL('../.parts/', import.meta.url))
/** Apart from the others, whose `node` would come first on the PATH of an agent. */
export const agentsRoot = fileURLToPath(new URL('../.parts-agents/', import.meta.url))

/** `made` is what an install script has to leave behind: a package folder alone does not prove that it ran.
 * @type {Record<PartName, Part>} */
const parts = {
	node: {
		packages: { node: '24.21.0' },
		made: 'node/bin/node',
		scripts: 'node',
		without: 'nothing is run on Node 24',
	},
	cmark: {
		packages: {
			'cmark-gfm': '0.9.0',
			'hast-util-from-html': '2.1.0',
			'hast-util-sanitize': '5.0.2',
			'hast-util-to-html': '9.0.6',
		},
		made: 'cmark-gfm/build/Release/binding.node',
		scripts: 'cmark-gfm',
		without: 'no comment is rendered as GitHub does it',
	},
	browser: {
		packages: { 'playwright-core': '1.65.1', 'github-markdown-css': '5.9.0' },
		without: 'no comment is looked at in a browser',
	},
	// Not `latest`: each version is another measurement, and docs/agents.md names the same ones.
	claude: {
		packages: { '@anthropic-ai/claude-code': '2.1.197' },
		scripts: '@anthropic-ai/claude-code',
		root: agentsRoot,
		without: 'Claude Code does not run the evals',
	},
	codex: {
		packages: { '@openai/codex': '0.171.0' },
		root: agentsRoot,
		without: 'Codex does not run the evals',
	},
	gemini: {
		packages: { '@google/gemini-cli': '0.61.0' },
		root: agentsRoot,
		without: 'Gemini CLI does not run the evals',
	},
	pi: {
		packages: { '@mariozechner/pi-coding-agent': '0.73.1' },
		root: agentsRoot,
		without: 'pi does not run the evals',
	},
}

/** What CI installs for every change; the other agents are for whoever changes how they are run. */
const usual = ['node', 'cmark', 'browser', 'claude', 'codex']

const names = /** @type {PartName[]} */ (Object.keys(parts))

/** GitHub's own runners have Google Chrome instead of Debian's Chromium. */
const browsers = ['/usr/bin/chromium', '/usr/bin/google-chrome']

/** The fonts keep the measured widths and the marks alike on every machine. */
const debianPackages = ['chromium', 'fonts-liberation', 'fonts-noto-color-emoji']

const minutes = 60_000

export function browserPath() {
	return browsers.find((path) => existsSync(path))
}

export function node24Path() {
	return problemOf('node') ? undefined : `${partsRoot}node_modules/node/bin/node`
}

/**
 * Why a part cannot be used, with the command that brings it; undefined when it can be.
 * @param {PartName} name
 */
export function problemOf(name) {
	const lacking = lackingIn(name)
	return lacking && `${lacking} is not installed: run node scripts/install-test-parts.mjs --only ${name}`
}

/** @param {PartName} name */
function lackingIn(name) {
	const wrong = wrongPackages(name)[0]
	if (wrong) return `${wrong} ${parts[name].packages[wrong]}`
	return name === 'browser' && !browserPath() ? 'Chromium' : undefined
}

/** @param {PartName} name */
function wrongPackages(name) {
	const { packages, made } = parts[name]
	const wrong = Object.keys(packages).filter((key) => installedVersion(key, rootOf(name)) !== packages[key])
	if (wrong.length === 0 && made && !existsSync(`${rootOf(name)}node_modules/${made}`)) return [`${made.split('/')[0]}`]
	return wrong
}

/** @param {PartName} name */
function rootOf(name) {
	return parts[name].root ?? partsRoot
}

/** @param {string} packageName @param {string} root */
function installedVersion(packageName, root) {
	try {
		return JSON.parse(readFileSync(`${root}node_modules/${packageName}/package.json`, 'utf8')).version
	} catch {
		return undefined
	}
}

/** @param {PartName} name */
function install(name) {
	const wrong = wrongPackages(name)
	if (wrong.length > 0) installPackages(name, wrong)
	if (name === 'browser' && !browserPath()) installBrowser()
	const lacking = lackingIn(name)
	if (lacking) throw new Error(`${lacking} is still absent, although its install command did not fail`)
}

/**
 * @param {PartName} name
 * @param {string[]} wrong
 */
function installPackages(name, wrong) {
	const root = rootOf(name)
	mkdirSync(root, { recursive: true })
	allowScripts(root)
	// npm leaves a package of the right version alone, built or not.
	for (const key of wrong) rmSync(`${root}node_modules/${key}`, { recursive: true, force: true })
	const wanted = Object.entries(parts[name].packages).map(([key, version]) => `${key}@${version}`)
	run('npm', ['install', '--prefix', root, '--save-exact', '--no-audit', '--no-fund', ...wanted], 8 * minutes)
}

/** Newer npm runs no install script that the folder's own package.json does not name. @param {string} root */
function allowScripts(root) {
	const file = `${root}package.json`
	const manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { private: true }
	const allowed = Object.values(parts).flatMap(({ packages, scripts, root: own = partsRoot }) =>
		scripts && own === root ? [`${scripts}@${packages[scripts]}`] : [],
	)
	manifest.allowScripts = Object.fromEntries(allowed.map((key) => [key, true]))
	writeFileSync(file, `${JSON.stringify(manifest, undefined, '\t')}\n`)
}

function installBrowser() {
	if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Error(`no ${browsers.join(' or ')}, and only root on Debian can have Chromium installed by this script`)
	}
	run('apt-get', ['update', '-q'], 3 * minutes)
	run('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...debianPackages], 8 * minutes)
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {number} timeout
 */
function run(command, args, timeout) {
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
	const { error, status, signal, stdout, stderr } = spawnSync(command, args, { env, timeout, encoding: 'utf8' })
	if (status === 0) return
	const said = `${stdout ?? ''}\n${stderr ?? ''}`.split('\n').filter((line) => line.trim() !== '')
	const why = error?.message ?? (signal ? `ended by ${signal}` : `exit status ${status}`)
	throw new Error([`${command} ${args[0]}: ${why}`, ...said.slice(-12)].join('\n    '))
}

/** @param {PartName} name */
function bring(name) {
	const versions = Object.entries(parts[name].packages).map(([key, version]) => `${key} ${version}`)
	if (!lackingIn(name)) {
		console.log(`${name}: there (${versions.join(', ')})`)
		return true
	}
	const start = performance.now()
	try {
		install(name)
		console.log(`${name}: installed in ${Math.round((performance.now() - start) / 1000)} s (${versions.join(', ')})`)
		return true
	} catch (error) {
		console.log(`${name}: NOT installed, so ${parts[name].without}\n    ${error instanceof Error ? error.message : error}`)
		return false
	}
}

function main() {
	const { values } = parseArgs({ options: { only: { type: 'string' }, strict: { type: 'boolean', default: false } } })
	const wanted = values.only === undefined ? usual : values.only.split(',').map((name) => name.trim())
	const unknown = wanted.filter((name) => !names.some((known) => known === name))
	if (unknown.length > 0) throw new Error(`--only knows ${names.join(', ')}, not ${unknown.join(', ')}`)
	const failed = names.filter((name) => wanted.includes(name) && !bring(name))
	if (failed.length > 0 && values.strict) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
