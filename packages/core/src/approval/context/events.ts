import { deepFreeze } from '../../call/json/freeze.ts'
import type { SignedDecision } from '../decision/decision.ts'
import type { Outcome, Refusal } from '../outcome/outcome.ts'
import type { Judgement } from '../request/judgement.ts'
import type { HeldCallView } from '../request/view.ts'

/** Every step of a call, as it happens. A listener can neither stop nor change a call. */
export type GateEvent =
  | { readonly kind: 'judged'; readonly callId: string; readonly judgement: Judgement }
  | {
      readonly kind: 'notice'
      readonly callId: string
      readonly effect: string
      /** What the checkers warn of, such as a change without undo. */
      readonly warnings: readonly string[]
      readonly judgement: Judgement
    }
  | {
      readonly kind: 'held'
      readonly callId: string
      readonly view: HeldCallView
      readonly session: string | null
      readonly expiresAt: number
      /** The sequence number of its entry. The entry before it, of the same commit, is the judgement. */
      readonly seq: number
    }
  | { readonly kind: 'decided'; readonly callId: string; readonly signed: SignedDecision; readonly by: string }
  | { readonly kind: 'decision-refused'; readonly callId: string; readonly code: string; readonly message: string }
  | {
      readonly kind: 'started'
      readonly callId: string
      /** The command runs in the sandbox. */
      readonly isContained: boolean
    }
  | { readonly kind: 'ended'; readonly callId: string; readonly outcome: Outcome }
  | { readonly kind: 'refused'; readonly callId: string; readonly refusal: Refusal }
  | { readonly kind: 'policy-changed'; readonly hash: string }
  /** Something needs a person's attention; no call ran because of it. */
  | { readonly kind: 'problem'; readonly code: string; readonly message: string }

/** Gets every event. What it throws is ignored: a listener decides nothing. */
export type GateListener = (event: GateEvent) => void

export interface Events {
  emit(event: GateEvent): void
  /** Calls `listener` for every event, or for those of some `kinds`. Returns a function that unsubscribes. */
  subscribe(listener: GateListener, kinds?: readonly GateEvent['kind'][]): () => void
}

export function createEvents(): Events {
  const listeners = new Set<{ readonly listener: GateListener; readonly kinds: ReadonlySet<string> | null }>()
  return {
    emit(event) {
      let isFrozen = false
      for (const { listener, kinds } of listeners) {
        if (kinds?.has(event.kind) === false) continue
        if (!isFrozen) freezeEvent(event) // only if somebody listens: a judgement has many parts
        isFrozen = true
        try {
          const answer: unknown = listener(event)
          if (answer instanceof Promise) answer.catch(() => {})
        } catch {
          // INVARIANT: an error in a listener never decides a call.
        }
      }
    },
    subscribe(listener, kinds) {
      const one = { listener, kinds: kinds === undefined ? null : new Set<string>(kinds) }
      listeners.add(one)
      return () => listeners.delete(one)
    },
  }
}

/** INVARIANT: a listener may be the asker's own code, so events are frozen, except the call object the asker passed in. */
function freezeEvent(event: GateEvent): void {
  deepFreeze(event, 'judgement' in event ? event.judgement.asked : undefined)
}
