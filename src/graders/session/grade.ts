import type { AssertionDefinition, Scope } from '../../definition.ts'
import type { Grade } from '../../model.ts'
import type { Fact } from '../../transcript.ts'
import type { FilesGrader, Listening, SessionGrader, SpendingGrader, Subjects } from '../grader.ts'
import { resolveTarget, resolveTexts } from '../target.ts'
import { concludeAbsence } from './absence.ts'
import { openView, type View } from './view.ts'
import { explainUnarmed, type When } from './when.ts'

/** A grader of what the agent did: in its window, and only where its conditions hold. */
export function gradeSession<O>(grader: SessionGrader<O>, options: O, scope: Scope | undefined, subjects: Subjects): Grade {
	const opened = openArmed(scope, grader.when(options), subjects)
	return 'grade' in opened ? opened.grade : grader.grade(options, opened.view)
}

/** A grader of texts: those of its target, or what was said in its window. */
export function gradeTexts<O>(
	grader: FilesGrader<O>,
	options: O,
	{ target, scope }: AssertionDefinition,
	subjects: Subjects,
): Grade {
	const { on = 'assistant', when, isNegative }: Listening = grader.listens?.(options) ?? { isNegative: false }
	const readsTexts = target.source === 'transcript' && grader.reads === undefined
	const opened = readsTexts || when ? openArmed(scope, when, subjects) : undefined
	if (opened && 'grade' in opened) return opened.grade
	if (readsTexts && opened) {
		const subject = resolveTexts(opened.view, on)
		const grade = grader.grade(options, subject)
		// No words at all are neither proof that something was not said nor a broken agent.
		if (subject.files.length === 0 && isNegative) {
			return { outcome: 'skipped', evidence: `there is nothing of ${subject.label}` }
		}
		const restsOnAbsence = grade.outcome === (isNegative ? 'pass' : 'fail')
		return restsOnAbsence ? concludeAbsence(opened.view, SPOKEN[on], false, grade) : grade
	}
	const source = target.source === 'outputs' && grader.reads === 'message' ? 'last-message' : target.source
	const resolved = resolveTarget(target.source === 'file' || source === 'file' ? target : { source }, subjects)
	return 'grade' in resolved ? resolved.grade : grader.grade(options, resolved.subject)
}

const SPOKEN: Record<'assistant' | 'user' | 'all', Fact[]> = {
	assistant: ['texts'],
	user: ['prompts'],
	all: ['texts', 'prompts'],
}

/** The transcript's own figures; tokens that were counted outside it where it has none. */
export function gradeSpending<O>(grader: SpendingGrader<O>, options: O, { transcript, totalTokens }: Subjects): Grade {
	const { usage } = transcript ?? {}
	return grader.grade(options, {
		agent: transcript?.agent ?? 'this agent',
		costUsd: transcript?.costUsd,
		tokens: usage ? usage.input + usage.output : totalTokens,
	})
}

/** The window, or the grade where there is none: `skipped` for what is known not to have happened, `error` for what nobody can tell. */
export function openArmed(scope: Scope | undefined, when: When, { transcript }: Subjects): { view: View } | { grade: Grade } {
	if (!transcript) return { grade: { outcome: 'error', evidence: 'there is no transcript of this run that can be read' } }
	const opened = openView(transcript, scope)
	const unarmed = 'view' in opened ? explainUnarmed(when, opened.view) : opened
	if ('view' in opened && !unarmed) return opened
	const { reason, isKnown } = unarmed ?? { reason: 'there is no window', isKnown: false }
	if (!isKnown) {
		return {
			grade: { outcome: 'error', evidence: `${transcript.agent} does not record what tells whether this applies: ${reason}` },
		}
	}
	const label = 'view' in opened ? `the trigger was not met in ${opened.view.label}: ${reason}` : reason
	return { grade: { outcome: 'skipped', evidence: label } }
}
