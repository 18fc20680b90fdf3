// @ts-check
/**
 * Sums up vitest's JSON reports and prints `N passed, N failed` as its last line.
 *
 *     node scripts/count-tests.mjs REPORT.json...
 *
 * Fails if anything failed, if a report is missing, or if a run had no test. A file that could not be loaded is one failure.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

const reports = process.argv.slice(2)
let passed = 0
let failed = 0
let isSound = reports.length > 0

for (const report of reports) {
	const name = basename(report, '.json')
	if (!existsSync(report)) {
		console.log(`${name}: there is no report, so nothing is known of this run`)
		isSound = false
		continue
	}
	const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success, testResults } = JSON.parse(
		readFileSync(report, 'utf8'),
	)
	const broken = testResults.filter(isBroken)
	for (const { name: file, message } of broken) console.log(`${name}: ${file} could not be run: ${message || 'see above'}`)
	console.log(`${name}: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`)
	passed += numPassedTests
	failed += numFailedTests + broken.length
	if (!(numPassedTests > 0) || success !== true) isSound = false
}

console.log(`${passed} passed, ${failed} failed`)
if (!(isSound && failed === 0)) process.exitCode = 1

/** @param {{ status: string, assertionResults: { status: string }[] }} file */
function isBroken({ status, assertionResults }) {
	return status === 'failed' && assertionResults.every((test) => test.status !== 'failed')
}
