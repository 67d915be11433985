import { useEffect, useRef } from 'react'
import type { Approval, ApprovalAnswer } from './approval.ts'
import { useServerNow } from './server-clock.ts'

/**
 * Whether the time is over; then answers no, once, where no gate does it. It counts for as long as something is asked,
 * whether the question is on the screen or not. INVARIANT: L3, silence never allows.
 */
export function useDeadline(approval: Approval | null, onAnswer: (answer: ApprovalAnswer) => void): boolean {
  const now = useServerNow()
  const told = useRef<string | null>(null)
  const id = approval?.id ?? null
  const isOver = approval !== null && approval.expiresAt !== null && now >= approval.expiresAt
  const isOurs = approval !== null && !approval.gated && approval.answered === null
  useEffect(() => {
    if (id === null || !isOver || !isOurs || told.current === id) return
    told.current = id
    onAnswer({ id, approved: false, reason: 'nobody answered in time' })
  }, [isOver, isOurs, id, onAnswer])
  return isOver
}
