import { describe, expect, test } from 'vitest'
import type { OutputFile } from '../model.ts'
import { faultsOf, gradeWith, otherFile, textFile } from './testing.ts'

const person = {
	type: 'object',
	properties: { name: { type: 'string', pattern: '^[A-Z]' }, age: { type: ['integer', 'null'] } },
	required: ['name'],
	additionalProperties: false,
}

function grade(schema: Record<string, unknown>, text: string) {
	const { outcome, evidence } = gradeWith('json-schema', { schema }, [textFile('x.json', text)], 'x.json')
	return `${outcome}: ${evidence}`
}

describe('json-schema grades', () => {
	test.each<[string, OutputFile[], string, string, unknown]>([
		['valid', [textFile('x.json', '{"name":"A","age":null}')], 'x.json', 'pass', 'valid against the schema: outputs/x.json'],
		['any name', [textFile('x', '{"name":"A"}')], 'x', 'pass', 'valid against the schema: outputs/x'],
		['CRLF', [textFile('x.json', '{\r\n"name":"A"}\r\n')], 'outputs', 'pass', 'valid against the schema: outputs/x.json'],
		['others ignored', [textFile('x.json', '{"name":"A"}'), textFile('a.md', 'x')], 'outputs', 'pass', expect.any(String)],
		['missing property', [textFile('x.json', '{}')], 'outputs', 'fail', "outputs/x.json must have required property 'name'"],
		['in depth', [textFile('x.json', '{"name":1}')], 'outputs', 'fail', 'outputs/x.json /name must be string'],
		[
			'one of two',
			[textFile('a.json', '{"name":"A"}'), textFile('b/B.JSON', '[]')],
			'outputs',
			'fail',
			'outputs/b/B.JSON must be object',
		],
		[
			'not JSON',
			[textFile('x.json', '{"name":')],
			'outputs',
			'fail',
			expect.stringMatching(/^outputs\/x\.json is not JSON: .*JSON/),
		],
		['two documents', [textFile('x.json', '{"name":"A"}{}')], 'outputs', 'fail', expect.stringContaining('is not JSON')],
		['empty file', [textFile('x.json', ' \n')], 'outputs', 'fail', 'outputs/x.json is not JSON: it is empty'],
		[
			'no JSON file',
			[textFile('a.md', '{"name":"A"}')],
			'outputs',
			'fail',
			'there is no *.json file in outputs/ (1 text file, 12 bytes: a.md)',
		],
		['no files', [], 'outputs', 'fail', 'outputs/ is empty'],
		['no file', [textFile('x.json', '{"name":"A"}')], 'y.json', 'fail', 'outputs/y.json does not exist'],
		['binary', [otherFile('x.json', 'binary')], 'outputs', 'fail', 'outputs/x.json is a binary file, not JSON text'],
		['link', [otherFile('x.json', 'link')], 'x.json', 'error', 'outputs/x.json is a symbolic link, which is not read'],
		[
			'link beside a valid one',
			[textFile('a.json', '{"name":"A"}'), otherFile('x.json', 'link')],
			'outputs',
			'error',
			'outputs/x.json is a symbolic link, which is not read',
		],
		[
			'cut',
			[textFile('x.json', '{"name":"A"}', true)],
			'outputs',
			'error',
			'outputs/x.json is larger than what is read, so the rest is not known',
		],
		['text not read', [{ path: 'x.json', kind: 'text', bytes: 1, cut: false }], 'outputs', 'error', expect.any(String)],
		['no message', [], 'last-message', 'error', 'the agent left no final message'],
	])('%s', (_name, files, at, outcome, evidence) => {
		expect(gradeWith('json-schema', { schema: person }, files, at)).toEqual({ outcome, evidence })
	})

	test('the last message', () => {
		const outputs = { files: [], lastMessage: '{"name":"A"}' }
		const evidence = 'valid against the schema: the last message'
		expect(gradeWith('json-schema', { schema: person }, outputs, 'last-message')).toEqual({ outcome: 'pass', evidence })
	})

	test('names five violations at most', () => {
		const { evidence } = gradeWith('json-schema', { schema: { type: 'array', items: { type: 'string' } } }, [
			textFile('x.json', '[1,2,3,4,5,6,7]'),
		])
		expect(evidence).toBe(`${[0, 1, 2, 3, 4].map((at) => `outputs/x.json /${at} must be string`).join('; ')}; and 2 more`)
	})
})

describe('json-schema knows', () => {
	test.each<[string, Record<string, unknown>, string, string]>([
		['extra property', person, '{"name":"A","x":1}', 'fail: outputs/x.json must NOT have additional properties ("x")'],
		['enum', { enum: ['a', 'b'] }, '"c"', 'fail: outputs/x.json must be equal to one of the allowed values (["a","b"])'],
		['format', { type: 'string', format: 'email' }, '"x"', 'fail: outputs/x.json must match format "email"'],
		['format passes', { type: 'string', format: 'date' }, '"2024-02-29"', 'pass: valid against the schema: outputs/x.json'],
		['draft 2020-12', { type: 'array', prefixItems: [{ type: 'string' }] }, '[1]', 'fail: outputs/x.json /0 must be string'],
		[
			'draft-07',
			{ $schema: 'http://json-schema.org/draft-07/schema#', type: 'array', items: [{ type: 'string' }] },
			'[1]',
			'fail: outputs/x.json /0 must be string',
		],
		['$ref', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, '1', 'fail: outputs/x.json must be string'],
		[
			'duplicates',
			{ type: 'array', uniqueItems: true },
			'[{"a":1,"b":2},{"b":2,"a":1}]',
			'fail: outputs/x.json must NOT have duplicate items',
		],
		[
			'no duplicates',
			{ type: 'array', uniqueItems: true },
			'[1,"1",[1],{"1":1},null]',
			'pass: valid against the schema: outputs/x.json',
		],
		['duplicates allowed', { type: 'array', uniqueItems: false }, '[1,1]', 'pass: valid against the schema: outputs/x.json'],
		[
			'pointer escapes',
			{ type: 'object', additionalProperties: { type: 'string' } },
			'{"a/b~":1}',
			'fail: outputs/x.json /a~1b~0 must be string',
		],
	])('%s', (_name, schema, text, expected) => expect(grade(schema, text)).toBe(expected))
})

describe('json-schema is not fooled by', () => {
	test.each<[string, Record<string, unknown>, string, RegExp]>([
		['an inherited property', { type: 'object', required: ['toString'] }, '{}', /^fail: .*'toString'/],
		['an inherited __proto__', { type: 'object', required: ['__proto__'] }, '{}', /^fail: .*'__proto__'/],
		['__proto__ where nothing more is allowed', person, '{"name":"A","__proto__":{}}', /^fail: .*\("__proto__"\)/],
		['a name in __proto__', person, '{"__proto__":{"name":"A"}}', /^fail: /],
		['__proto__ among unique items', { type: 'array', uniqueItems: true }, '[{"__proto__":1},{}]', /^pass: /],
		['a slow pattern', { type: 'string', pattern: '^(a+)+$' }, `"${'a'.repeat(100_000)}!"`, /^fail: /],
		[
			'a slow key pattern',
			{ type: 'object', patternProperties: { '^(a+)+$': false } },
			`{"${'a'.repeat(100_000)}!":1}`,
			/^pass: /,
		],
		['a slow format', { type: 'string', format: 'url' }, `"http://${':'.repeat(500_000)}"`, /^fail: /],
		[
			'many unique items',
			{ type: 'array', uniqueItems: true },
			JSON.stringify(Array.from({ length: 30_000 }, (_, at) => ({ at }))),
			/^pass: /,
		],
		['an endless reference', { $ref: '#' }, '1', /^error: the grader json-schema could not finish: Maximum call stack/],
		[
			'endless depth',
			{ type: 'object', properties: { a: { $ref: '#' } } },
			`${'{"a":'.repeat(50_000)}{}${'}'.repeat(50_000)}`,
			/^error: the grader json-schema could not finish/,
		],
	])('%s', (_name, schema, text, expected) => {
		const started = performance.now()
		expect(grade(schema, text)).toMatch(expected)
		expect(performance.now() - started).toBeLessThan(5_000)
	})
})

describe('json-schema refuses', () => {
	const deep = (levels: number): Record<string, unknown> => (levels === 1 ? { type: 'string' } : { not: deep(levels - 1) })
	const cyclic: Record<string, unknown> = { type: 'object' }
	cyclic.not = cyclic

	test.each<[string, unknown, RegExp]>([
		['nothing', undefined, /^\/options\/schema "schema" must be a JSON Schema/],
		['true', true, /must be a JSON Schema, as an object/],
		['a list', [], /must be a JSON Schema, as an object/],
		[
			'an unknown keyword',
			{ type: 'object', propertes: {} },
			/^\/options\/schema the schema cannot be used: unknown keyword: "propertes"/,
		],
		['an unknown type', { type: 'strin' }, /schema is invalid: data\/type must be/],
		['an unknown format', { type: 'string', format: 'nope' }, /unknown format "nope"/],
		['a keyword without type', { required: ['a'] }, /missing type "object" for keyword "required"/],
		['a reference to nothing', { $ref: '#/$defs/x' }, /can't resolve reference #\/\$defs\/x/],
		['a remote reference', { $ref: 'https://example.com/x.json' }, /can't resolve reference https:\/\/example\.com/],
		['a bad pattern', { type: 'string', pattern: '(' }, /pattern/],
		['look-ahead', { type: 'string', pattern: '(?=a)' }, /look-ahead and look-behind are not supported/],
		['a bad key pattern', { type: 'object', patternProperties: { '(a)\\1': true } }, /back-references are not supported/],
		[
			'draft-04',
			{ $schema: 'http://json-schema.org/draft-04/schema#' },
			/"\$schema" is "http:\/\/json-schema.org\/draft-04\/schema#", which is not/,
		],
		['2019-09', { $schema: 'https://json-schema.org/draft/2019-09/schema' }, /is not supported/],
		['a $schema that is no text', { $schema: 7 }, /"\$schema" is 7, which is not supported/],
		[
			'2020-12 keywords in draft-07',
			{ $schema: 'http://json-schema.org/draft-07/schema', type: 'array', prefixItems: [] },
			/prefixItems/,
		],
		['$async', { $async: true, type: 'string' }, /"\$async", which is not supported/],
		['65 levels', deep(65), /nested more than 64 levels/],
		['a cycle', cyclic, /nested more than 64 levels/],
		['too many parts', { enum: Array.from({ length: 20_001 }, (_, at) => at) }, /more than 20000 parts/],
		['__proto__', JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'), /the key "__proto__"/],
		['what is not JSON', { const: new Map() }, /not JSON/],
	])('%s', (_name, schema, fault) => {
		expect(faultsOf('json-schema', { schema })).toEqual([expect.stringMatching(fault)])
	})

	test('but takes 64 levels', () => expect(faultsOf('json-schema', { schema: deep(64) })).toEqual([]))
	test('but takes names of the prototype', () => {
		expect(faultsOf('json-schema', { schema: { type: 'object', properties: { constructor: { type: 'string' } } } })).toEqual([])
	})
})
