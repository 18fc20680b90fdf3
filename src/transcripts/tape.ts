import type { Event } from '../agents/lines.ts'
import { at, listAt, textAt } from '../agents/lines.ts'
import type { Branch, FileAccess, ToolCall, Transcript } from '../transcript.ts'

/** What the tools of one agent are: which load a skill, which touch files, which start a sub-agent; each with the input that says what. */
export type Tools = {
	skills: Record<string, string[]>
	files: Record<string, { op: FileAccess['op']; paths: string[] }>
	spawns: Record<string, string[]>
	/** It has no tool for skills: reading a skill's SKILL.md is all that can be seen. */
	readsSkills?: boolean
}

type Items = Pick<
	Transcript,
	'toolCalls' | 'skillInvocations' | 'fileAccesses' | 'prompts' | 'texts' | 'spawns' | 'branches' | 'end'
>

/** Collects what happened, in order: each step has the next ordinal, and what a tool's name says of it is found once for all agents. */
export class Tape {
	private readonly items: Items = {
		end: 0,
		toolCalls: [],
		skillInvocations: [],
		fileAccesses: [],
		prompts: [],
		texts: [],
		spawns: [],
		branches: [],
	}
	/** Ids of tools may repeat: the last call with one counts. */
	private readonly calls = new Map<unknown, ToolCall>()
	private readonly tools: Tools

	constructor(tools: Tools) {
		this.tools = tools
	}

	prompt(text: string, branch?: string): void {
		const spot = { at: this.items.end++, branch }
		this.items.prompts.push({ ...spot, text })
		const command = branch === undefined ? /<command-name>([^<]+)<\/command-name>/.exec(text)?.[1] : undefined
		if (command) this.items.skillInvocations.push({ ...spot, skill: command.trim().replace(/^\//, ''), by: 'command' })
	}

	say(text: string, branch?: string): void {
		if (text.trim() !== '') this.items.texts.push({ at: this.items.end++, branch, text })
	}

	/** Out: the ordinal of the call. */
	call(id: unknown, name: string, input: unknown, branch?: string): number {
		const spot = { at: this.items.end++, branch }
		const call: ToolCall = { ...spot, name, input }
		this.items.toolCalls.push(call)
		if (id !== undefined) this.calls.set(id, call)
		const skill = first(input, own(this.tools.skills, name) ?? [])
		if (skill !== undefined) this.items.skillInvocations.push({ ...spot, skill, by: 'tool' })
		const file = own(this.tools.files, name)
		for (const path of file ? readPaths(input, file.paths) : []) this.access(spot, path, file?.op ?? 'read')
		const spawn = own(this.tools.spawns, name)
		if (spawn) this.items.spawns.push({ ...spot, agentType: first(input, spawn) })
		return spot.at
	}

	/** A file that was touched at an ordinal by other means than a tool's input says. */
	access(spot: { at: number; branch?: string | undefined }, path: string, op: FileAccess['op']): void {
		this.items.fileAccesses.push({ ...spot, path: path.replaceAll('\\', '/'), op })
		if (op === 'read' && this.tools.readsSkills) this.readSkill(spot, path)
	}

	/** The skill whose SKILL.md a path or a command names. */
	readSkill(spot: { at: number; branch?: string | undefined }, text: string): void {
		const skill = /([^/\\\s"']+)[/\\]SKILL\.md\b/i.exec(text)?.[1]
		if (skill !== undefined) this.items.skillInvocations.push({ ...spot, skill, by: 'read' })
	}

	finish(id: unknown, result: ToolCall['result']): void {
		const call = this.calls.get(id)
		if (!call) return
		call.result = result
		const { skillInvocations, fileAccesses } = this.items
		// What a call did stands behind it, with its ordinal; all steps since then are few.
		for (const list of [skillInvocations, fileAccesses]) {
			for (let place = list.length - 1; place >= 0 && (list[place]?.at ?? -1) >= call.at; place--) {
				const item = list[place]
				if (item?.at === call.at) item.result = result
			}
		}
	}

	/** A sub-agent whose steps follow; it belongs to the call at an ordinal. */
	branch(branch: Branch): void {
		this.items.branches.push(branch)
		const spawn = this.items.spawns.find((each) => each.at === branch.at && each.child === undefined)
		if (spawn) spawn.child = branch.id
	}

	get spawns(): readonly Transcript['spawns'][number][] {
		return this.items.spawns
	}

	cut(): Items {
		return this.items
	}
}

function own<T>(table: Record<string, T>, name: string): T | undefined {
	return Object.hasOwn(table, name) ? table[name] : undefined
}

function first(input: unknown, keys: string[]): string | undefined {
	return keys.map((key) => textAt(input, key)).find((text) => text !== undefined && text !== '')
}

/** One path, or a list of them. */
function readPaths(input: unknown, keys: string[]): string[] {
	const one = first(input, keys)
	if (one !== undefined) return [one]
	return keys.flatMap((key) => listAt(input, key).filter((each) => typeof each === 'string')) as string[]
}

/** The texts of a message's content, given as one text or as blocks. */
export function textsOf(message: Event | unknown): string[] {
	const content = at(message, 'content')
	if (typeof content === 'string') return [content]
	return listAt(message, 'content').flatMap((block) => (textAt(block, 'type') === 'text' ? (textAt(block, 'text') ?? []) : []))
}
