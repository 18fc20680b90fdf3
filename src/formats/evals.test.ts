import { describe, expect, it } from 'vitest'
import { parseEvals } from './evals.ts'

const read = (document: unknown) => parseEvals(JSON.stringify(document, undefined, 1), 'evals.json', 'fallback')
const one = (more: object) => ({ skill_name: 'demo', evals: [{ id: 1, prompt: 'Do it', assertions: ['It is done'], ...more }] })
const faults = (document: unknown) => read(document).problems.map(({ pointer, message }) => `${pointer}: ${message}`)

describe('parseEvals', () => {
	it('reads run-evals and skill-creator', () => {
		for (const key of ['assertions', 'expectations']) {
			const { value, problems } = read({
				skill_name: 'demo',
				evals: [{ id: 0, name: 'zero', prompt: 'Do it', expected_output: 'done', files: ['a.md'], [key]: ['It is done'] }],
			})
			expect(problems).toEqual([])
			expect(value?.evals[0]).toMatchObject({
				id: '0',
				name: 'zero',
				prompt: 'Do it',
				expectedOutput: 'done',
				files: ['a.md'],
				pointer: '/evals/0',
			})
			expect(value?.evals[0]?.assertions).toEqual([
				{
					index: 1,
					text: 'It is done',
					severity: 'error',
					type: 'regression',
					weight: 1,
					skip: false,
					grader: 'judge',
					options: {},
					target: { source: 'outputs' },
					pointer: `/evals/0/${key}/0`,
					line: expect.any(Number),
				},
			])
		}
	})

	it('takes the name from skill_name, skill or the directory', () => {
		expect(read(one({})).value?.skill).toBe('demo')
		expect(read({ skill: 'other', evals: one({}).evals }).value?.skill).toBe('other')
		expect(read({ evals: one({}).evals }).value?.skill).toBe('fallback')
	})

	it('reads every field of an assertion object', () => {
		const assertion = {
			id: 'a',
			text: 't',
			severity: 'warning',
			type: 'capability',
			weight: 2,
			skip: true,
			grader: 'contains',
			options: { value: 'x' },
			target: { source: 'file', path: 'outputs/a/b.md' },
		}
		const { value, problems } = read(one({ assertions: [assertion] }))
		expect(problems).toEqual([])
		expect(value?.evals[0]?.assertions[0]).toMatchObject({ ...assertion, target: { source: 'file', path: 'a/b.md' } })
	})

	it.each([
		['a list at the top', [], ': there are no evals in this file'],
		['another key', { cases: [] }, ': this is not an evals file: it has "cases" and no "evals"'],
		['evals that are no list', { evals: {} }, ': this is not an evals file: "evals" is an object, not a list'],
		['no evals', { evals: [] }, '/evals: there are no evals in this file'],
		['an eval that is a text', { evals: ['x'] }, '/evals/0: an eval must be an object; this is the text "x"'],
		['a name with a mention', { ...one({}), skill_name: '@octocat' }, '/skill_name: the skill\'s name is the text "@octocat"'],
		['no id', one({ id: undefined }), "/evals/0: this eval's id is missing"],
		['an id that leaves its directory', one({ id: '../x' }), '/evals/0/id: this eval\'s id is the text "../x"'],
		['an id with a fraction', one({ id: 1.5 }), "/evals/0/id: this eval's id is the number 1.5"],
		['an id that ends in a dot', one({ id: 'a.' }), '/evals/0/id: this eval\'s id is the text "a."'],
		['no prompt', one({ prompt: ' ' }), '/evals/0/prompt: this eval\'s prompt is the text " "'],
		['files that are no paths', one({ files: [1] }), '/evals/0/files: "files" must be a list of paths; it is a list'],
		[
			'no assertions',
			one({ assertions: undefined }),
			'/evals/0: this eval has neither "assertions" nor "expectations" (found: id, prompt)',
		],
		['an empty list', one({ assertions: [] }), '/evals/0/assertions: this eval has no assertions'],
		['assertions in one text', one({ assertions: 'x' }), '/evals/0/assertions: "assertions" must be a list; it is the text "x"'],
		[
			'two lists that differ',
			one({ expectations: ['y'] }),
			'/evals/0/expectations: "assertions" and "expectations" are both here and differ',
		],
		[
			'an unknown severity',
			one({ assertions: [{ text: 't', severity: 'Error' }] }),
			'/evals/0/assertions/0/severity: "severity" must be one of "error", "warning", "notice"; it is the text "Error"',
		],
		[
			'a misspelled field',
			one({ assertions: [{ text: 't', severty: 'error' }] }),
			'/evals/0/assertions/0/severty: "severty" is not a known field',
		],
		[
			'no text',
			one({ assertions: [{ id: 'a' }] }),
			'/evals/0/assertions/0: this assertion has no text (looked for text, description, assertion, expectation, name)',
		],
		[
			'a weight of 0',
			one({ assertions: [{ text: 't', weight: 0 }] }),
			'/evals/0/assertions/0/weight: "weight" is not usable: it must be greater than 0',
		],
		[
			'skip in words',
			one({ assertions: [{ text: 't', skip: 'yes' }] }),
			'/evals/0/assertions/0/skip: "skip" must be true or false; it is the text "yes"',
		],
		[
			'an assertion that is null',
			one({ assertions: [null] }),
			'/evals/0/assertions/0: an assertion must be a text or an object; this is null',
		],
		[
			'one assertion id twice',
			one({
				assertions: [
					{ id: 'a', text: 't' },
					{ id: 'A', text: 'u' },
				],
			}),
			'/evals/0/assertions/1: the assertion id A is used twice in this eval',
		],
		[
			'an unknown target',
			one({ assertions: [{ text: 't', target: 'everything' }] }),
			'/evals/0/assertions/0/target: "target" is the text "everything"',
		],
		[
			'a target outside',
			one({ assertions: [{ text: 't', target: { source: 'file', path: '../x' } }] }),
			'/evals/0/assertions/0/target: "target" is the path "../x", which leaves outputs/',
		],
	])('refuses %s', (_name, document, fault) => {
		expect(read(document).problems.some(({ severity }) => severity === 'error')).toBe(true)
		expect(faults(document)).toContain(fault)
	})

	it.each([
		[1, 1],
		[1, '1'],
		['a', 'A'],
		[1, '01'],
	])('refuses the ids %j and %j in one file', (first, second) => {
		const document = { skill_name: 'demo', evals: [one({ id: first }).evals[0], one({ id: second }).evals[0]] }
		expect(faults(document).join()).toContain(`/evals/1: the id ${second} is that of the eval on line`)
	})

	it('says everything that is wrong at once, with lines', () => {
		const problems = read({ skill_name: 1, evals: [{ id: {}, prompt: 1, files: 'x', assertions: [{ text: '' }, 7] }] }).problems
		expect(problems.map(({ code, line }) => `${line} ${code}`)).toEqual([
			'2 skill-name',
			'5 eval-id',
			'6 eval-prompt',
			'7 eval-files',
			'9 assertion-text',
			'12 assertion-shape',
		])
	})
})
