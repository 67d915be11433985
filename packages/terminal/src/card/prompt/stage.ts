import type { Decision, RulesAnswer, RulesProposal } from '@countersign/core'
import type { Key } from '../keys/key.ts'
import type { AllowChoice } from './choice.ts'

/** The current stage of the prompt. */
export type Stage =
  | { readonly kind: 'choose' }
  /** The confirmation: the same key again, or `y` to the grant just shown. */
  | {
      readonly kind: 'again'
      readonly grant: AllowChoice | null
      /** The change that a chosen rule makes; absent while it is checked. */
      readonly proposal?: RulesProposal
    }
  | { readonly kind: 'grant' }
  | { readonly kind: 'code'; readonly text: string; readonly tries: number; readonly proposal?: RulesProposal }
  | {
      readonly kind: 'reason'
      readonly of: 'approve' | 'reject'
      readonly text: string
      readonly proposal?: RulesProposal
    }
  /** Decided, waiting for the passphrase. The text is never shown. */
  | {
      readonly kind: 'passphrase'
      readonly decision: Decision
      readonly rule?: RulesAnswer
      readonly text: string
      readonly tries: number
    }
  /** The key is being unlocked. */
  | { readonly kind: 'opening'; readonly decision: Decision; readonly rule?: RulesAnswer; readonly tries: number }
  /** Submitted; keys are ignored. */
  | { readonly kind: 'sent' }

/** The whole prompt as data. Times are monotonic milliseconds. */
export interface PromptState {
  readonly stage: Stage
  readonly focus: 'approve' | 'reject'
  readonly paintedAt: number
  readonly keyAt: number
  readonly armed: boolean
  /** Pages shown so far. */
  readonly read: number
  /** The secrets have been shown. */
  readonly revealed: boolean
  /** A note about the last key. */
  readonly note: string | null
}

export type PromptInput =
  /** The keys of one chunk. Several at once were not pressed by hand, unless text is being typed. */
  | { readonly kind: 'keys'; readonly keys: readonly Key[]; readonly at: number }
  | { readonly kind: 'tick'; readonly at: number }
  /** The decision was submitted and not accepted. */
  | { readonly kind: 'refused'; readonly message: string; readonly at: number }
  /** What the chosen rule would change. */
  | { readonly kind: 'proposed'; readonly proposal: RulesProposal; readonly at: number }
  /** Wrong passphrase. */
  | { readonly kind: 'locked'; readonly at: number }

export type PromptEffect =
  | {
      readonly kind: 'decide'
      readonly decision: Decision
      readonly passphrase?: string
      /** A rule to add after the approval. */
      readonly rule?: RulesAnswer
    }
  | { readonly kind: 'withdraw' }
  /** The key could not be unlocked; the call stays held. */
  | { readonly kind: 'give-up' }
  | { readonly kind: 'page'; readonly page: number }
  /** Show everything again, with secrets. */
  | { readonly kind: 'reveal' }
  | { readonly kind: 'help' }
  | { readonly kind: 'grants' }
  | { readonly kind: 'grant'; readonly choice: AllowChoice }

export interface Step {
  readonly state: PromptState
  readonly effects: readonly PromptEffect[]
}
