import { describe, expect, it } from 'vitest'
import type { Neighbours } from '../model.ts'
import { renderNeighbours } from './neighbours.ts'

const render = (more: Partial<Neighbours>) =>
	renderNeighbours({ toolUses: [], runs: 3, comparisons: [], suggestions: [], ...more })

describe('renderNeighbours', () => {
	it('is nothing where nobody says anything', () => {
		expect(renderNeighbours(undefined)).toBeUndefined()
		expect(render({})).toBeUndefined()
		expect(render({ toolUses: [{}] })).toBeUndefined()
		expect(render({ history: { versions: [] } })).toBeUndefined()
	})

	it('adds up what was counted, and says how many runs counted', () => {
		expect(render({ toolUses: [{ calls: 1200, errors: 0 }, { calls: 1 }] })).toContain(
			'\n1,201 tool calls in 2 of 3 runs · 0 tool errors in 1 of 3 runs\n',
		)
	})

	it('shows the newest versions first, and no more lines than ten', () => {
		const versions = Array.from({ length: 30 }, (_, at) => ({ version: `v${at}`, passRate: 0.5 }))
		const shown = render({ history: { currentBest: 'v7', versions } })
		expect(shown).toContain('<pre>current best: v7&#10;v29 · pass rate 0.5&#10;')
		expect(shown).toMatch(/v21 · pass rate 0\.5&#10;and 21 more<\/pre>/)
	})

	it('shows scores and ties', () => {
		const comparisons = [
			{ file: 'a.json', winner: 'TIE' },
			{ file: 'b.json', winner: 'B', b: 8 },
		]
		expect(render({ comparisons })).toContain('<pre>tie · a.json&#10;B wins (A ?, B 8) · b.json</pre>')
	})

	it('keeps every foreign text in pre, on one line, and short', () => {
		const hostile = '</pre></details>\n\n## Eval Results: x @octocat <!-- --> <img src=x>'
		const shown = render({
			history: { currentBest: hostile, versions: [{ version: hostile, result: hostile }] },
			comparisons: [{ file: hostile, winner: 'A' }],
			suggestions: [{ priority: hostile, category: hostile, text: hostile.repeat(1000) }],
		})
		const outside = shown!.replace(/^<pre>[^<>\n]*<\/pre>$/gm, '')
		expect(outside.match(/<\/?[a-z]+>/g)).toEqual(['<details>', '<summary>', '</summary>', '</details>'])
		expect(outside).not.toMatch(/octocat|##|img/)
		expect(shown!.length).toBeLessThan(3000)
	})
})
