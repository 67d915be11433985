import type { HeldCallView, Refusal, RiskLevel } from '@countersign/core'
import type { AskedCall, Tokens } from '../model/model.ts'
import type { Stop } from './stop-reason.ts'

/** Every step of the loop, as it happens. Whoever draws it needs nothing else; listening moves nothing. */
export type AgentEvent =
  /** A turn of the model begins; `iteration` counts from 1 for each thing the person says. */
  | { readonly kind: 'turn'; readonly agent: string; readonly iteration: number }
  /** The model did not answer; the same turn is asked again after `waitMs`. What it had said of that turn is void. */
  | { readonly kind: 'retry'; readonly agent: string; readonly message: string; readonly waitMs: number }
  | { readonly kind: 'text'; readonly agent: string; readonly text: string }
  | { readonly kind: 'thought'; readonly agent: string; readonly text: string }
  /** The model asked for a tool; the gate has not answered yet. */
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
  /** Ran under `notify`: a person is told, nobody was asked. */
  | { readonly kind: 'notice'; readonly agent: string; readonly callId: string; readonly effect: string }
  | { readonly kind: 'started'; readonly agent: string; readonly callId: string }
  /** Output of a running command, as it comes; bounded. */
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
  | { readonly kind: 'failed'; readonly agent: string; readonly callId: string; readonly message: string }
  /** It did not run: denied, rejected, expired, withdrawn, stale, refused or unknown, all told apart by `refusal.outcome`. */
  | { readonly kind: 'refused'; readonly agent: string; readonly callId: string; readonly refusal: Refusal }
  | { readonly kind: 'usage'; readonly agent: string; readonly tokens: Tokens }
  /** The loop ended: the model is done, a guard spoke, the person stopped it, or something broke. */
  | { readonly kind: 'stopped'; readonly agent: string; readonly stop: Stop }
