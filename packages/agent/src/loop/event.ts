import type { HeldCallView, Refusal, RiskLevel } from '@countersign/core'
import type { AskedCall, Tokens } from '../model/model.ts'
import type { Stop } from './stop-conditions.ts'

/** Every step of the loop as it happens. Listeners need nothing else, and affect nothing. */
export type AgentEvent =
  /** A model turn starts; `iteration` counts from 1 for each message of the person. */
  | { readonly kind: 'turn'; readonly agent: string; readonly iteration: number }
  /** The model did not answer; the turn is retried after `waitMs`. Its text so far is void. */
  | { readonly kind: 'retry'; readonly agent: string; readonly message: string; readonly waitMs: number }
  | { readonly kind: 'text'; readonly agent: string; readonly text: string }
  | { readonly kind: 'thought'; readonly agent: string; readonly text: string }
  /** The model requested a tool; the gate has not answered yet. */
  | { readonly kind: 'requested'; readonly agent: string; readonly callId: string; readonly call: AskedCall }
  | {
      readonly kind: 'judged'
      readonly agent: string
      readonly callId: string
      readonly risk: RiskLevel
      readonly supervision: string
      readonly effect: string | null
    }
  | { readonly kind: 'held'; readonly agent: string; readonly callId: string; readonly view: HeldCallView }
  | {
      readonly kind: 'approved'
      readonly agent: string
      readonly callId: string
      readonly by: string
      readonly surface: string
    }
  /** Runs under `notify`: a person is told, nobody is asked. */
  | { readonly kind: 'notice'; readonly agent: string; readonly callId: string; readonly effect: string }
  | { readonly kind: 'started'; readonly agent: string; readonly callId: string }
  /** Output of a running command; limited. */
  | {
      readonly kind: 'output'
      readonly agent: string
      readonly callId: string
      readonly stream: 'stdout' | 'stderr'
      readonly text: string
    }
  | {
      readonly kind: 'completed'
      readonly agent: string
      readonly callId: string
      readonly text: string
      readonly backup: boolean
    }
  | {
      readonly kind: 'failed'
      readonly agent: string
      readonly callId: string
      readonly message: string
      /** A copy was kept before: what it changed before it failed can be undone. */
      readonly backup: boolean
    }
  /** It did not run; `refusal.outcome` tells why. */
  | { readonly kind: 'refused'; readonly agent: string; readonly callId: string; readonly refusal: Refusal }
  | { readonly kind: 'usage'; readonly agent: string; readonly tokens: Tokens }
  /** The loop ended: the model is done, a limit was reached, the person stopped it, or something failed. */
  | { readonly kind: 'stopped'; readonly agent: string; readonly stop: Stop }
