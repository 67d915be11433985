import type { IntentTags, JsonObject } from '@countersign/core'

/** A tool as a model is told of it. */
export interface ToolOffer {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/** One message of a conversation, as models read it. */
export type Message =
  | { readonly role: 'person'; readonly text: string }
  | { readonly role: 'agent'; readonly text: string; readonly calls: readonly AskedCall[] }
  | { readonly role: 'tool'; readonly results: readonly CallResult[] }

/** A tool call as the model asked for it: nothing in it is trusted. */
export interface AskedCall {
  readonly id: string
  readonly tool: string
  /** An object, or whatever the model wrote instead of one. */
  readonly args: unknown
  /** What the provider wants back with the call in later turns; nobody else reads it. */
  readonly carried?: JsonObject
}

/** What the model is told of a call: its result, or why it did not run. */
export interface CallResult {
  readonly id: string
  readonly tool: string
  readonly text: string
  readonly isError: boolean
}

/** A piece of one turn of a model, as it streams. A turn ends with `end` or `failed`. */
export type ModelPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'call'; readonly call: AskedCall }
  /** What the agent says of its turn beside its words; it may only raise. */
  | { readonly kind: 'intent'; readonly tags: IntentTags }
  | { readonly kind: 'end'; readonly why: 'stop' | 'calls' | 'length' | 'filtered'; readonly tokens: Tokens }
  | ModelFailed

/** The turn broke off: nothing of it may be acted on. */
export interface ModelFailed {
  readonly kind: 'failed'
  /** One line that says what to do. */
  readonly message: string
  /** Asking the same again may help. */
  readonly retryable: boolean
  /** How long the provider wants to be left alone; null where it does not say. */
  readonly waitMs: number | null
}

/** What a turn cost; 0 where the model does not say, and then it is estimated. */
export interface Tokens {
  readonly input: number
  readonly output: number
}

/** Whoever writes the turns: a provider, or a script. It never runs a tool. */
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
