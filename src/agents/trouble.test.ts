import { describe, expect, test } from 'vitest'
import { classifyTrouble } from './trouble.ts'

describe('the status decides', () => {
	test.each([
		[401, 'key'],
		[403, 'key'],
		[408, 'passing'],
		[429, 'passing'],
		[500, 'passing'],
		[529, 'passing'],
		[400, undefined],
		[404, undefined],
	] as const)('%i', (status, expected) => {
		expect(classifyTrouble({ message: '', status })).toBe(expected)
	})

	test('over the words', () => {
		expect(classifyTrouble({ message: 'invalid api key', status: 429 })).toBe('passing')
	})
})

describe('without a status, the words do', () => {
	test.each([
		['401 {"type":"error","error":{"type":"authentication_error"}}', 'key'],
		['unexpected status 401 Unauthorized: Incorrect API key provided', 'key'],
		['Not logged in · Please run /login', 'key'],
		['Missing environment variable: `CODEX_API_KEY`.', 'key'],
		['When using Gemini API, you must specify the GEMINI_API_KEY environment variable.', 'key'],
		['[API Error: {"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]', 'key'],
		['No API key found for anthropic.', 'key'],
		['No authentication information found.', 'key'],
		['429 {"type":"error"}', 'passing'],
		['exceeded retry limit, last status: 429 Too Many Requests', 'passing'],
		['unexpected status 500 Internal Server Error', 'passing'],
		['connect ECONNREFUSED 127.0.0.1:9', 'passing'],
		['stream disconnected before completion', 'passing'],
		['We’re currently experiencing high demand, which may cause temporary errors.', 'passing'],
		['model not found', undefined],
		['there are 429 files', undefined],
		['', undefined],
	] as const)('%s', (message, expected) => {
		expect(classifyTrouble({ message })).toBe(expected)
	})
})
