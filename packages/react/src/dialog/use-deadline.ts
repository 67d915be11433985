import { useContext, useEffect, useRef, useState } from 'react'
import { ServerClockContext } from '../source/server-clock.ts'
import type { Approval } from './approval.ts'
import type { AnswerOnce } from './use-answer-once.ts'

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
