import type { Target } from '../../definition.ts'
import { checkAssertion } from '../../graders/registry.ts'
import type { CaseDefinition } from './case.ts'
import { toEvalId } from './definition.ts'

type Grader = CaseDefinition['graders'][number]
type Check = { grader?: string; options?: Record<string, unknown>; target?: unknown } | { without: string }
/** Our patterns have these flags; the others change nothing about whether something is found. */
const FLAGS = /[ims]/g

/**
 * The cases of a plugin as an evals file (run-evals' form, with our graders), and what does not carry over, each with its place.
 * A grader that needs a transcript or mocks is left out by name: as a sentence it would be another check.
 */
export function toEvalsFile(skill: string, cases: CaseDefinition[]): { text: string; leftOut: string[] } {
	const leftOut: string[] = []
	const evals = cases.flatMap((item) => {
		const say = (what: string) => leftOut.push(`${item.dir}: ${what}`)
		for (const what of listSettings(item)) say(what)
		const assertions = item.graders.flatMap((grader) => {
			const check = refuse(toCheck(grader))
			if ('without' in check) say(`grader ${grader.name} (${check.without})`)
			return 'without' in check ? [] : [{ ...toCommon(item, grader), ...check }]
		})
		if (assertions.length === 0) {
			say('the whole case, because no grader is left')
			return []
		}
		const expected = item.expected_outcome
		return {
			...{ id: toEvalId(item.dir), name: item.name, prompt: item.execution.prompt },
			...(expected === undefined ? {} : { expected_output: expected }),
			assertions,
		}
	})
	return { text: `${JSON.stringify({ skill_name: skill, evals }, undefined, 2)}\n`, leftOut }
}

/** What our graders would refuse, such as a look-ahead, which their engine does not have. */
function refuse(check: Check): Check {
	if ('without' in check || check.grader === undefined) return check
	const target = check.target === 'last-message' ? { source: 'last-message' } : (check.target ?? { source: 'outputs' })
	const [fault] = checkAssertion(check.grader, check.options, target as Target)
	return fault ? { without: fault.message } : check
}

function toCommon({ severityOf }: CaseDefinition, grader: Grader) {
	const severity = severityOf(grader.name)
	return {
		...(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(grader.name) ? { id: grader.name } : {}),
		text: grader.type === 'llm' ? grader.criteria.trim() || grader.name : grader.name,
		...(severity === 'error' ? {} : { severity }),
		...(grader.weight === undefined ? {} : { weight: grader.weight }),
	}
}

function toCheck(grader: Grader): Check {
	if (grader.type === 'llm') return toJudge(grader.focus)
	if (grader.type === 'file_exists') {
		if (/[*?]/.test(grader.path)) return { without: 'its path is a pattern' }
		return { grader: grader.exists === false ? 'file-not-exists' : 'file-exists', options: { path: grader.path } }
	}
	if (grader.type !== 'regex') return { without: `${grader.type} needs a transcript` }
	const target = toTarget(grader.target)
	if (target === undefined) return { without: `${String(grader.target)} needs a transcript` }
	const match = grader.match ?? 'contains'
	if (match.startsWith('count:')) return { without: `"${match}" counts` }
	const flags = grader.flags?.match(FLAGS)?.join('')
	const options = { pattern: grader.pattern, ...(flags ? { flags } : {}) }
	return { grader: match === 'contains' ? 'regex' : 'not-regex', options, target }
}

function toJudge(focus: Extract<Grader, { type: 'llm' }>['focus']): Check {
	const target = toTarget(focus)
	return target === undefined ? { without: `a judge of ${String(focus)} needs a transcript` } : { target }
}

function toTarget(target: Extract<Grader, { type: 'regex' }>['target'] = 'last_message'): unknown {
	if (typeof target === 'object') return { source: 'file', path: target.path }
	return target === 'last_message' ? 'last-message' : undefined
}

/** Whatever else the case sets: how it is run is said elsewhere here. */
function listSettings({ runs, context, execution, tags, plugins }: CaseDefinition): string[] {
	const { prompt: _prompt, max_turns, timeout_seconds, allowed_tools, env, ...others } = execution
	const free = tags.filter((tag) => !tag.startsWith('severity:'))
	return [
		...(runs === 3 ? [] : [`runs: ${runs}`]),
		...(max_turns === 10 ? [] : [`max_turns: ${max_turns}`]),
		...(timeout_seconds === 300 ? [] : [`timeout_seconds: ${timeout_seconds}`]),
		...(allowed_tools.length > 0 ? [`allowed_tools: ${allowed_tools.join(', ')}`] : []),
		...(Object.keys(env).length > 0 ? [`env: ${Object.keys(env).join(', ')}`] : []),
		...(free.length > 0 ? [`tags: ${free.join(', ')}`] : []),
		...(plugins === undefined ? [] : ['plugins']),
		...Object.entries(others).flatMap(([key, value]) => (value === undefined ? [] : [key])),
		...Object.entries(context ?? {}).flatMap(([key, value]) => (value?.length ? [`context.${key}`] : [])),
	]
}
