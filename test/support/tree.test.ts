import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeTree } from './tree.ts'

test('a tree holds text, JSON and links, and is gone at the end of its block', async () => {
	let dir: string
	{
		await using tree = makeTree({ 'a/b.txt': 'text', 'c.json': { link: 1 }, 'd/link': { link: '../a/b.txt' } })
		dir = tree.dir
		expect(tree.read('a/b.txt')).toBe('text')
		expect(tree.json('c.json')).toEqual({ link: 1 })
		expect(lstatSync(tree.path('d', 'link')).isSymbolicLink()).toBe(true)
		expect(readlinkSync(tree.path('d/link'))).toBe('../a/b.txt')
		expect(tree.read('d/link')).toBe('text')
		tree.write({ 'a/later.txt': 'more' })
		expect(tree.read('a/later.txt')).toBe('more')
	}
	expect(existsSync(dir)).toBe(false)
})

test('every tree is another directory', async () => {
	await using one = makeTree()
	await using two = makeTree()
	expect(one.dir).not.toBe(two.dir)
})
