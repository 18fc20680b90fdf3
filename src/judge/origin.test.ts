import { expect, test } from 'vitest'
import { noteOrigin } from './origin.ts'

test.each([
	[{ judgeModel: 'm-1', agentModel: 'm-1' }, ["is the agent's too"]],
	[{ judgeModel: 'anthropic/M-1', agentModel: 'm-1' }, ["is the agent's too"]],
	[{ judgeModel: 'm-1', authors: ['m-2', 'm-1'] }, ['wrote these assertions']],
	[{ judgeModel: 'm-1', agentModel: 'm-1', authors: ['m-1'] }, ["is the agent's too", 'wrote these assertions']],
	[{ judgeModel: 'm-1', agentModel: 'm-10', authors: ['m'] }, []],
	[{ agentModel: 'm-1', authors: ['m-1'] }, []],
	[{ judgeModel: 'm-1' }, []],
])('%j', (origin, sentences) => {
	expect(noteOrigin(origin)).toEqual(sentences.map((sentence) => expect.stringContaining(sentence)))
})
