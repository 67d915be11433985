import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { ServerClockContext } from '../source/server-clock.ts'
import { type Approval, type ApprovalAnswer, questionOf } from './approval.ts'

/** The origin of an answer. */
export type AnsweredBy = 'person' | 'deadline'

/** Sends at most one answer to a question. */
export interface AnswerOnce {
  /** The id of the question, from `questionOf`; empty if there is none. */
  readonly about: string
  /** The origin of the sent answer; null if none was sent or it failed. */
  readonly sentBy: AnsweredBy | null
  /** Why the last answer failed. */
  readonly failure: string | null
  /** Sends an answer; false if there is one already. */
  send(answer: Omit<ApprovalAnswer, 'id'>, by: AnsweredBy): boolean
}

type Sent = Pick<AnswerOnce, 'sentBy' | 'failure'>

const NONE: Sent = { sentBy: null, failure: null }
const UNKNOWN = 'Your answer may not have arrived.'

/** INVARIANT: L10, answered questions to remember. */
const MOST = 100

/**
 * Sends at most one answer per question, by the person or the deadline. Another is possible only if the promise of the
 * first rejects. INVARIANT: L6
 */
export function useAnswerOnce(approval: Approval | null, onAnswer: (answer: ApprovalAnswer) => unknown): AnswerOnce {
  const id = approval?.id ?? ''
  const about = useMemo(() => (approval === null ? '' : questionOf(approval)), [approval])
  const taken = useRef(new Set<string>())
  const [given, setGiven] = useState<ReadonlyMap<string, Sent>>(() => new Map())
  const send = useCallback(
    (answer: Omit<ApprovalAnswer, 'id'>, by: AnsweredBy): boolean => {
      if (about === '' || taken.current.has(about)) return false
      taken.current = new Set([...[...taken.current].slice(1 - MOST), about])
      const note = (next: (before: Sent) => Sent): void =>
        setGiven((now) => new Map([...[...now].slice(1 - MOST), [about, next(now.get(about) ?? NONE)]]))
      note(({ failure }) => ({ sentBy: by, failure: by === 'person' ? null : failure }))
      const asked = async (): Promise<unknown> => onAnswer({ id, ...answer })
      asked().catch((error: unknown) => {
        taken.current.delete(about)
        note(() => ({ sentBy: null, failure: error instanceof Error ? error.message : UNKNOWN }))
      })
      return true
    },
    [about, id, onAnswer],
  )
  return { ...(given.get(about) ?? NONE), about, send }
}

/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Whether the deadline has passed. If no gate enforces it and nobody answered, answers no once, even while the dialog
 * is hidden. Waits for an answer in flight and says no if that fails. INVARIANT: L3, silence never allows.
 */
export function useDeadline(approval: Approval | null, { about, sentBy, send }: AnswerOnce): boolean {
  const { aheadMs } = useContext(ServerClockContext)
  const [passed, setPassed] = useState<string | null>(null)
  const answered = useRef<string | null>(null)
  const id = approval?.id ?? null
  const expiresAt = approval?.expiresAt ?? null
  useEffect(() => {
    if (id === null || expiresAt === null) return
    const left = expiresAt - aheadMs - Date.now()
    if (left > LONGEST_MS) return
    const timer = setTimeout(() => setPassed(id), Math.max(0, left))
    return () => clearTimeout(timer)
  }, [id, expiresAt, aheadMs])
  const isOver = id !== null && expiresAt !== null && passed === id
  const isOurs = approval !== null && !approval.gated && approval.answered === null
  useEffect(() => {
    if (!isOver || !isOurs || sentBy !== null || answered.current === about) return
    if (send({ approved: false, reason: 'nobody answered in time' }, 'deadline')) answered.current = about
  }, [isOver, isOurs, sentBy, about, send])
  return isOver
}
