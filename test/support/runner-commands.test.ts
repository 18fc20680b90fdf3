import { describe, expect, test } from 'vitest'
import { parseRunnerCommands } from './runner-commands.ts'

const names = (output: string) => parseRunnerCommands(output).map(({ name }) => name)

describe('what the runner obeys', () => {
	test('both forms, with their properties and escapes', () => {
		const output = [
			'::error file=a%2Cb.ts,line=3,title=A%3AB::first%0Asecond %25 done',
			'##[warning file=c.ts;line=4]x%3By%5Dz',
			'::endgroup::',
			'::ADD-MASK::secret',
		].join('\n')
		expect(parseRunnerCommands(output)).toEqual([
			{ name: 'error', properties: { file: 'a,b.ts', line: '3', title: 'A:B' }, data: 'first\nsecond % done' },
			{ name: 'warning', properties: { file: 'c.ts', line: '4' }, data: 'x;y]z' },
			{ name: 'endgroup', properties: {}, data: '' },
			{ name: 'add-mask', properties: {}, data: 'secret' },
		])
	})

	test.each([
		['plain', '::error::x'],
		['after blanks and tabs', ' \t ::error::x'],
		['after a no-break space', '\u00a0::error::x'],
		['after an ideographic space', '\u3000::error::x'],
		['after a next-line control', '\u0085::error::x'],
		['after a line separator, which ends no line', '\u2028::error::x'],
		['after \\r\\n', 'text\r\n::error::x'],
		['after a lone \\r', 'text\r::error::x'],
		['after a vertical tab, which ends no line', '\v::error::x'],
		['V1 at the start', '##[error]x'],
		['V1 in the middle', 'text ##[error]x'],
		['V1 behind a prefix', '| ##[error]x'],
		['V1 where V2 is unknown', '::nothing:: ##[error]x'],
		['a soft hyphen in the second separator', '::error:\u00ad:x'],
	])('%s: a command', (_name, output) => {
		expect(names(output)).toEqual(['error'])
	})

	test.each([
		['text before it', 'text ::error::x'],
		['a prefix', '| ::error::x'],
		['a byte order mark before it, which .NET does not trim', '\ufeff::error::x'],
		['an unknown name', '::errors::x'],
		['no second separator', '::error'],
		['a blank before the name', ':: error::x'],
		['V1 without its end', '##[error x'],
		['V1 behind another bracket, as only the first is looked at', '##[oops] ##[error]x'],
		['an escaped V1', '##\\[error]x'],
		['the command of the checkout plug-in', '::internal-set-repo-path repoFullName=a/b,workspaceRepo=true::x'],
		['nothing', ''],
	])('%s: no command', (_name, output) => {
		expect(names(output)).toEqual([])
	})

	test('properties without a name or a value are dropped, the last of a name counts', () => {
		const [command] = parseRunnerCommands('::error  line==3,=,file=,title=a=b,title=c=d,col ::x')
		expect(command?.properties).toEqual({ line: '3', title: 'c=d' })
	})
})

describe('stop-commands', () => {
	test('its token silences both forms until it comes back, in either form and any case', () => {
		const output = [
			'::stop-commands::Token-1',
			'::error::a',
			'x ##[error]b',
			'::stop-commands::other',
			'::token-1::',
			'::error::c',
		]
		expect(parseRunnerCommands(output.join('\n'))).toEqual([
			{ name: 'stop-commands', properties: {}, data: 'Token-1' },
			{ name: 'error', properties: {}, data: 'c' },
		])
		expect(names('##[stop-commands]t\n::error::a\ntext ##[t]\n::debug::b')).toEqual(['stop-commands', 'debug'])
	})

	test('a wrong token does not resume, and a spent token means nothing', () => {
		expect(names('::stop-commands::t1\n::t2::\n::error::a')).toEqual(['stop-commands'])
		expect(names('::stop-commands::t1\n::t1::\n::t1::\n::error::a')).toEqual(['stop-commands', 'error'])
	})

	test.each(['', 'error', 'Pause-Logging'])('the token "%s" is refused and silences nothing', (token) => {
		expect(names(`::stop-commands::${token}\n::warning::a`)).toEqual(['stop-commands', 'warning'])
	})
})
