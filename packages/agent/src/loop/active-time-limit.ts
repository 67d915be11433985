import type { Clock } from '@countersign/core'
import type { AgentEvent } from './event.ts'
import { DELEGATE } from './sub-agent.ts'

/** A time limit that pauses while a person is asked and nothing else is running. */
export interface WorkingTime {
  /** Receives every event of the agent and its sub-agents. */
  onEvent(event: AgentEvent): void
  end(): void
}

/** Calls `over` once after `limitMs` of work. */
export function countWorkingTime(clock: Clock, limitMs: number, over: () => void): WorkingTime {
  const waiting = new Set<string>()
  /** Running model turns by agent, and running calls. */
  const working = new Set<string>()
  /** Delegated calls: the sub-agent does the work. */
  const delegated = new Set<string>()
  let left = limitMs
  let since = clock.monotonic()
  let cancel: (() => void) | null = arm()

  function arm(): () => void {
    return left === Number.POSITIVE_INFINITY ? () => {} : clock.after(left, over)
  }

  function note(event: AgentEvent): void {
    switch (event.kind) {
      case 'turn':
      case 'retry':
        working.add(event.agent)
        return
      case 'stopped':
        working.delete(event.agent)
        return
      case 'requested':
        working.delete(event.agent)
        if (event.call.tool === DELEGATE) delegated.add(event.callId)
        else working.add(event.callId)
        return
      case 'held':
        working.delete(event.callId)
        waiting.add(event.callId)
        return
      case 'approved':
      case 'started':
        waiting.delete(event.callId)
        if (!delegated.has(event.callId)) working.add(event.callId)
        return
      case 'completed':
      case 'failed':
      case 'refused':
        for (const calls of [waiting, working, delegated]) calls.delete(event.callId)
        return
      default:
        return
    }
  }

  return {
    onEvent(event) {
      note(event)
      const isPaused = waiting.size > 0 && working.size === 0
      if (isPaused && cancel !== null) {
        cancel()
        cancel = null
        left -= clock.monotonic() - since
      } else if (!isPaused && cancel === null) {
        since = clock.monotonic()
        cancel = arm()
      }
    },
    end: () => cancel?.(),
  }
}
