// @ts-check
/** What docs/formats.md shows as refused: a name for people, and a document. The messages come from the code (`npm run docs`). */

const item = { id: 1, prompt: 'Write it.', assertions: ['It is written'] }
const suite = (/** @type {object} */ more) => ({ skill_name: 'reporter', evals: [{ ...item, ...more }] })
const assertion = (/** @type {object} */ value) => suite({ assertions: [value] })

/** @type {[string, unknown][]} */
export const REFUSALS = [
	['a file that is cut off', '{"skill_name": "reporter", "evals": ['],
	['a key twice', '{"evals": [], "evals": []}'],
	['no `evals`', { cases: [item] }],
	['an empty list', { skill_name: 'reporter', evals: [] }],
	['trigger evals', [{ query: 'Write a report', should_trigger: true }]],
	['one eval a file, in words of its own', { query: 'Write it.', expected_behavior: ['It is written'] }],
	['no id', suite({ id: undefined })],
	['an id that names no directory', suite({ id: '../1' })],
	['one id twice', { skill_name: 'reporter', evals: [item, { ...item, id: '1' }] }],
	['no prompt', { skill_name: 'reporter', evals: [{ id: 1, task: 'Write it.', assertions: ['It is written'] }] }],
	['no assertions', suite({ assertions: undefined })],
	['assertions under another name', suite({ assertions: undefined, must_include: ['total'] })],
	['an empty list of assertions', suite({ assertions: [] })],
	['two lists that differ', suite({ expectations: ['It is good'] })],
	['an assertion without a sentence', assertion({ id: 'a' })],
	['an unknown severity', assertion({ text: 'It is written', severity: 'info' })],
	['a misspelled field', assertion({ text: 'It is written', sevrity: 'warning' })],
	['a check that would have no effect', assertion({ text: 'It is written', pattern: 'written' })],
	['a type with more than it understands', assertion({ text: 'It is there', type: 'file_exists', path: 'a.md', value: 'x' })],
	['an unknown grader', assertion({ text: 'It is written', grader: 'llm' })],
	['an option that does not exist', assertion({ text: 'It is written', grader: 'contains', options: { vaule: 'x' } })],
	['a pattern with look-ahead', assertion({ text: 'It is written', grader: 'regex', options: { pattern: '(?=x)y' } })],
	['a target outside of `outputs/`', assertion({ text: 'It is written', target: { source: 'file', path: '../a.md' } })],
	['files that are no paths', suite({ files: [1] })],
	['a name that could be more than a name', { ...suite({}), skill_name: '@octocat' }],
]
