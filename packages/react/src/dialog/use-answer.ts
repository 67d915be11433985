import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { ServerClockContext } from '../source/server-clock.ts'
import { type Approval, type ApprovalAnswer, questionOf } from './approval.ts'

/** Who gave the answer that was sent. */
export type AnsweredBy = 'person' | 'deadline'

/** The one answer to a question. */
export interface AnswerOnce {
  /** The question, as `questionOf` names it; empty where nothing is asked. */
  readonly about: string
  /** Whose answer was sent; null while there is none, or where it did not count. */
  readonly sentBy: AnsweredBy | null
  /** What became of an answer that did not count. */
  readonly said: string | null
  /** Sends an answer, and tells whether it was: not where there is one already. */
  send(answer: Omit<ApprovalAnswer, 'id'>, by: AnsweredBy): boolean
}

type Sent = Pick<AnswerOnce, 'sentBy' | 'said'>

const NONE: Sent = { sentBy: null, said: null }
const UNKNOWN = 'It is not known whether the answer arrived.'

/** INVARIANT: L10, questions whose answers are remembered. */
const MOST = 100

/**
 * Sends at most one answer to each question, whoever is first: a person, or the deadline. Only one that did not count,
 * since its promise failed, makes room for another. INVARIANT: L6
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
      note(({ said }) => ({ sentBy: by, said: by === 'person' ? null : said }))
      const asked = async (): Promise<unknown> => onAnswer({ id, ...answer })
      asked().catch((error: unknown) => {
        taken.current.delete(about)
        note(() => ({ sentBy: null, said: error instanceof Error ? error.message : UNKNOWN }))
      })
      return true
    },
    [about, id, onAnswer],
  )
  return { ...(given.get(about) ?? NONE), about, send }
}

/** A timer holds no longer than this; nobody waits so long for an answer. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Whether the time is over; then answers no, once, where no gate does it and nobody has answered. It counts for as long as
 * something is asked, whether the question is on the screen or not; and draws nothing anew before. An answer that is on
 * its way is waited for: the no follows where that one did not count. INVARIANT: L3, silence never allows.
 */
export function useDeadline(approval: Approval | null, { about, sentBy, send }: AnswerOnce): boolean {
  const { aheadMs } = useContext(ServerClockContext)
  const [passed, setPassed] = useState<string | null>(null)
  const told = useRef<string | null>(null)
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
    if (!isOver || !isOurs || sentBy !== null || told.current === about) return
    if (send({ approved: false, reason: 'nobody answered in time' }, 'deadline')) told.current = about
  }, [isOver, isOurs, sentBy, about, send])
  return isOver
}
