import { useContext, useEffect, useRef, useState } from 'react'
import type { Approval, ApprovalAnswer } from './approval.ts'
import { ServerClockContext } from './server-clock.ts'

/** A timer holds no longer than this; nobody waits so long for an answer. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Whether the time is over; then answers no, once, where no gate does it. It counts for as long as something is asked,
 * whether the question is on the screen or not; and draws nothing anew before. INVARIANT: L3, silence never allows.
 */
export function useDeadline(approval: Approval | null, onAnswer: (answer: ApprovalAnswer) => unknown): boolean {
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
    if (id === null || !isOver || !isOurs || told.current === id) return
    told.current = id
    onAnswer({ id, approved: false, reason: 'nobody answered in time' })
  }, [isOver, isOurs, id, onAnswer])
  return isOver
}
