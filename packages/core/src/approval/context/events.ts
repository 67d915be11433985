import { deepFreeze } from '../../call/json/freeze.ts'
import type { SignedDecision } from '../decision/decision.ts'
import type { Outcome, Refusal } from '../outcome/outcome.ts'
import type { Judgement } from '../request/judgement.ts'
import type { HeldCallView } from '../request/view.ts'

/** Every step a call takes, as it happens. Listening can neither stop nor move a call. */
export type GateEvent =
  | { readonly kind: 'judged'; readonly callId: string; readonly judgement: Judgement }
  | { readonly kind: 'notice'; readonly callId: string; readonly effect: string; readonly judgement: Judgement }
  | {
      readonly kind: 'held'
      readonly callId: string
      readonly view: HeldCallView
      readonly session: string | null
      readonly expiresAt: number
      /** The number of its entry; the entry before it, of the same commit, is its judgement. */
      readonly seq: number
    }
  | { readonly kind: 'decided'; readonly callId: string; readonly signed: SignedDecision; readonly by: string }
  | { readonly kind: 'decision-refused'; readonly callId: string; readonly code: string; readonly message: string }
  | { readonly kind: 'started'; readonly callId: string }
  | { readonly kind: 'ended'; readonly callId: string; readonly outcome: Outcome }
  | { readonly kind: 'refused'; readonly callId: string; readonly refusal: Refusal }
  | { readonly kind: 'policy-changed'; readonly hash: string }
  /** Something needs a person's attention, though no call ran because of it. */
  | { readonly kind: 'problem'; readonly code: string; readonly message: string }

/** Hears every event. What it throws is ignored: a listener decides nothing. */
export type GateListener = (event: GateEvent) => void

export interface Events {
  emit(event: GateEvent): void
  /** Calls `listener` for every event from now on, or for those of some kinds; the returned function ends it. */
  subscribe(listener: GateListener, kinds?: readonly GateEvent['kind'][]): () => void
}

/** A listener that throws is dropped silently from that event: it may not disturb the call. */
export function createEvents(): Events {
  const listeners = new Set<{ readonly listener: GateListener; readonly kinds: ReadonlySet<string> | null }>()
  return {
    emit(event) {
      let isFrozen = false
      for (const { listener, kinds } of listeners) {
        if (kinds?.has(event.kind) === false) continue
        // Only for somebody who hears it: a judgement has many parts.
        if (!isFrozen) freezeEvent(event)
        isFrozen = true
        try {
          const answer: unknown = listener(event)
          if (answer instanceof Promise) answer.catch(() => {})
        } catch {
          // INVARIANT: a surface's bug never decides a call.
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

/** INVARIANT: a listener is the asker's code as often as not, so what it is shown is frozen; only the call it handed in is its own. */
function freezeEvent(event: GateEvent): void {
  deepFreeze(event, 'judgement' in event ? event.judgement.given : undefined)
}
