import type { IntentTags, JsonObject } from '@countersign/core'

/** A tool as offered to a model. */
export interface ToolOffer {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/** One message of a conversation. */
export type Message =
  | { readonly role: 'person'; readonly text: string }
  | { readonly role: 'agent'; readonly text: string; readonly calls: readonly AskedCall[] }
  | { readonly role: 'tool'; readonly results: readonly CallResult[] }

/** A tool call as the model requested it. Untrusted. */
export interface AskedCall {
  readonly id: string
  readonly tool: string
  /** An object, or whatever the model sent instead. */
  readonly args: unknown
  /** Provider data to send back in later turns; nobody else reads it. */
  readonly carried?: JsonObject
}

/** The result of a call for the model, or why it did not run. */
export interface CallResult {
  readonly id: string
  readonly tool: string
  readonly text: string
  readonly isError: boolean
}

/** A streamed piece of a model turn. A turn ends with `end` or `failed`. */
export type ModelPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'call'; readonly call: AskedCall }
  /** The agent’s own tags for its turn; they can only raise risk. */
  | { readonly kind: 'intent'; readonly tags: IntentTags }
  | { readonly kind: 'end'; readonly why: 'stop' | 'calls' | 'length' | 'filtered'; readonly tokens: Tokens }
  | ModelFailed

/** The turn failed: nothing of it may be acted on. */
export interface ModelFailed {
  readonly kind: 'failed'
  /** One line with advice. */
  readonly message: string
  /** A retry may help. */
  readonly retryable: boolean
  /** The requested delay; null when unknown. */
  readonly waitMs: number | null
}

/** The tokens of a turn; 0 when unreported, then estimated. */
export interface Tokens {
  readonly input: number
  readonly output: number
}

/** A source of turns: a provider or a script. It never runs a tool. */
export interface Model {
  /** `provider/name`, for people. */
  readonly name: string
  turn(
    input: {
      readonly system: string
      readonly messages: readonly Message[]
      readonly tools: readonly ToolOffer[]
    },
    signal: AbortSignal,
  ): AsyncIterable<ModelPart>
}
