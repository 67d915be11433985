import type { Clock } from '@countersign/core'
import type { AgentEvent } from './event.ts'
import { DELEGATE } from './sub-agent.ts'

/** A time limit that stands still while a person is being asked and nothing else is at work. */
export interface WorkingTime {
  /** Every event of the agent and of those below it. */
  hear(event: AgentEvent): void
  end(): void
}

/** Calls `over` once when `limitMs` of work have passed. */
export function countWorkingTime(clock: Clock, limitMs: number, over: () => void): WorkingTime {
  const waiting = new Set<string>()
  /** Turns of models by the name of their agent, and calls that no person is asked about. */
  const working = new Set<string>()
  /** Calls that hand a task on: the work is that of the agent below. */
  const handing = new Set<string>()
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
        if (event.call.tool === DELEGATE) handing.add(event.callId)
        else working.add(event.callId)
        return
      case 'held':
        working.delete(event.callId)
        waiting.add(event.callId)
        return
      case 'approved':
      case 'started':
        waiting.delete(event.callId)
        if (!handing.has(event.callId)) working.add(event.callId)
        return
      case 'completed':
      case 'failed':
      case 'refused':
        for (const calls of [waiting, working, handing]) calls.delete(event.callId)
        return
      default:
        return
    }
  }

  return {
    hear(event) {
      note(event)
      const isStill = waiting.size > 0 && working.size === 0
      if (isStill && cancel !== null) {
        cancel()
        cancel = null
        left -= clock.monotonic() - since
      } else if (!isStill && cancel === null) {
        since = clock.monotonic()
        cancel = arm()
      }
    },
    end: () => cancel?.(),
  }
}
