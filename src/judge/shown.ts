import type { AssertionDefinition } from '../definition.ts'
import type { Subjects } from '../graders/grader.ts'
import { openArmed } from '../graders/session/grade.ts'
import type { Grade } from '../model.ts'
import { renderTranscript } from './transcript-text.ts'

/** Assertions that a judge sees the same of a session for; `transcriptText` is absent where they are about the outputs. */
export type ShownGroup = { assertions: AssertionDefinition[]; transcriptText?: string | undefined }

/** Groups assertions by the part of the transcript that is shown for them; where nothing can be shown, the grade is there already. */
export function groupByShown(
	assertions: AssertionDefinition[],
	subjects: Subjects,
): { groups: ShownGroup[]; grades: Map<number, Grade> } {
	const grades = new Map<number, Grade>()
	const groups = new Map<string, ShownGroup>()
	for (const assertion of assertions) {
		const shown = showFor(assertion, subjects)
		if ('grade' in shown) {
			grades.set(assertion.index, shown.grade)
			continue
		}
		const key = shown.text === undefined ? 'outputs' : `text ${shown.text}`
		const group = groups.get(key) ?? { assertions: [], transcriptText: shown.text }
		group.assertions.push(assertion)
		groups.set(key, group)
	}
	return { groups: [...groups.values()], grades }
}

function showFor({ target, scope }: AssertionDefinition, subjects: Subjects): { text?: string } | { grade: Grade } {
	if (target.source === 'artifact') {
		if (subjects.artifact !== undefined) return { text: `The artifact itself:\n${subjects.artifact}` }
		return { grade: { outcome: 'error', evidence: 'this assertion belongs to no artifact whose text could be shown' } }
	}
	if (target.source !== 'transcript') return {}
	const opened = openArmed(scope, undefined, subjects)
	return 'grade' in opened ? opened : { text: renderTranscript(opened.view) }
}
