import type { JsonObject } from '@countersign/core'

/** The gate's answer to the event before a tool. */
export type HostAnswer =
  /** The tool may run; with other arguments if `args` is not null. */
  | { readonly kind: 'allow'; readonly args: JsonObject | null; readonly reason: string }
  /** The tool may not run. `reason` is one paragraph for the model, never empty. */
  | { readonly kind: 'deny'; readonly reason: string }
  /** The host asks in its own prompt; with other arguments if `args` is not null. */
  | { readonly kind: 'ask'; readonly args: JsonObject | null; readonly reason: string }

/** What the hook's process prints, and its exit code. */
export interface Printed {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** For events that need no answer. */
export const NOTHING: Printed = Object.freeze({ stdout: '', stderr: '', exitCode: 0 })
