import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { convertDefinition, TARGETS, type Target } from './convert.ts'
import { detectFormat } from './detect.ts'
import { parseEvals } from './evals.ts'

const convert = (document: unknown, to: Target) => {
	const converted = convertDefinition(JSON.stringify(document), 'evals.json', to, 'given')
	if ('problems' in converted) throw new Error(converted.problems[0]?.message)
	return { document: JSON.parse(converted.text), leftOut: converted.leftOut }
}

const v2 = {
	skill_name: 'pdf',
	note: 'kept',
	evals: [{ id: 7, prompt: 'Do it', expected_output: 'done', files: ['a.pdf'], extra: 1, expectations: ['x', 'y'] }],
}
const native = [{ prompt: 'Do it', expectations: ['x', 'y'] }]

describe('convertDefinition', () => {
	it('skill-creator to run-evals renames the list and keeps everything else in its place', () => {
		const { document, leftOut } = convert(v2, 'run-evals')
		expect(leftOut).toEqual([])
		expect(JSON.stringify(document)).toBe(JSON.stringify(v2).replace('"expectations"', '"assertions"'))
		expect(convert(document, 'skill-creator').document).toEqual(v2)
	})

	it('Evalify to skill-creator numbers from 1, with what Evalify itself leaves empty', () => {
		const expected = {
			skill_name: 'given',
			evals: [{ id: 1, prompt: 'Do it', expected_output: '', files: [], expectations: ['x', 'y'] }],
		}
		expect(convert(native, 'skill-creator').document).toEqual(expected)
		expect(convert({ evals: native }, 'skill-creator').document).toEqual(expected)
		expect(JSON.stringify(convert(native, 'skill-creator').document)).toBe(JSON.stringify(expected))
	})

	it('to Evalify it says what it leaves out', () => {
		const { document, leftOut } = convert(v2, 'evalify')
		expect(document).toEqual(native)
		expect(leftOut).toEqual(['skill_name', 'note', 'evals[0].id', 'evals[0].expected_output', 'evals[0].files', 'evals[0].extra'])
	})

	it('objects become sentences where the target knows only those', () => {
		const objects = {
			skill_name: 'pdf',
			evals: [
				{ id: 1, prompt: 'p', assertions: ['x', { id: 'a', text: 'y', severity: 'warning' }, { name: 'b', description: 'z' }] },
			],
		}
		const { document, leftOut } = convert(objects, 'skill-creator')
		expect(document.evals[0].expectations).toEqual(['x', 'y', 'z'])
		expect(leftOut).toEqual(['evals[0].assertions[1]: id, severity', 'evals[0].assertions[2]: name'])
		expect(convert(objects, 'run-evals')).toEqual({ document: objects, leftOut: [] })
	})

	it('eval_metadata.json becomes a suite of one eval', () => {
		const metadata = { eval_id: 3, eval_name: 'table', prompt: 'p', assertions: ['x'] }
		expect(convert(metadata, 'run-evals').document).toEqual({
			skill_name: 'given',
			evals: [{ id: 3, name: 'table', prompt: 'p', assertions: ['x'] }],
		})
	})

	it('refuses what is no definition', () => {
		expect(convertDefinition('[{"query": "x", "should_trigger": true}]', 'x.json', 'evalify', 'x')).toMatchObject({
			problems: [{ code: 'trigger-evals' }],
		})
	})
})

const corpus = join(import.meta.dirname, '../../../shared/corpus/definitions')
const isAbsent = !existsSync(corpus)
if (isAbsent) console.log('skipped: the corpus of definitions is not here (../shared/corpus/definitions)')

describe.skipIf(isAbsent)('over the corpus', () => {
	const files = isAbsent ? [] : readdirSync(corpus).map((name) => [name, readFileSync(join(corpus, name), 'utf8')] as const)
	const readable = files.filter(([name, text]) =>
		parseEvals(text, name, 'skill').problems.every(({ severity }) => severity !== 'error'),
	)

	it('there are enough', () => expect(readable.length).toBeGreaterThan(25))

	it.each(readable)('%s keeps every byte in its own format, and every eval and sentence in the others', (name, text) => {
		const detected = detectFormat(JSON.parse(text))
		if (!('format' in detected)) throw new Error('not detected')
		const original = parseEvals(text, name, 'skill').value
		for (const to of TARGETS) {
			const converted = convertDefinition(text, name, to, 'skill')
			if ('problems' in converted) throw new Error('not converted')
			if (to === detected.format) expect(converted.text).toBe(text)
			const again = parseEvals(converted.text, name, 'skill').value
			expect(again?.format).toBe(to)
			expect(again?.evals.map(({ prompt }) => prompt)).toEqual(original?.evals.map(({ prompt }) => prompt))
			expect(again?.evals.map(({ assertions }) => assertions.length)).toEqual(
				original?.evals.map(({ assertions }) => assertions.length),
			)
			if (to !== 'evalify')
				expect(again?.evals.map(({ id, files: own }) => [id, own])).toEqual(
					original?.evals.map(({ id, files: own }) => [id, own]),
				)
		}
	})
})
