import type { JsonObject } from '@countersign/core'
import type { Members } from '../json/member-scanner.ts'

/** The id of a request exactly as it was spelled: ids beyond safe integers, `1.0` and `1` stay what they were. */
export type RawId = string

/**
 * One JSON-RPC message. `bytes` is the line or body as it came: what is not gated goes on byte for byte.
 * SECURITY: A1 what is gated never does; it is serialised again from what was approved.
 */
export type Message = RpcRequest | RpcNotification | RpcResponse

export interface RpcRequest {
  readonly kind: 'request'
  readonly id: RawId
  readonly method: string
  readonly bytes: Buffer
  /** Parsed in full, strictly, when first asked for; throws a `StrictJsonError`. */
  params(): JsonObject
  /** The members of `params`, found and not read; null when there are none. */
  members(): Members | null
}

export interface RpcNotification {
  readonly kind: 'notification'
  readonly method: string
  readonly bytes: Buffer
  params(): JsonObject
  members(): Members | null
}

export interface RpcResponse {
  readonly kind: 'response'
  readonly id: RawId
  readonly failed: boolean
  readonly bytes: Buffer
  /** The `result`, parsed when first asked for; throws for an error response. */
  result(): JsonObject
  /** One member of the `result` (of the `error`, for a failure), as its bytes; null when there is none. */
  member(name: string): Buffer | null
  /** The names of those members. */
  names(): Iterable<string>
}

/** What is not one message, and why: it is answered or reported, and never goes on. */
export interface Malformed {
  readonly kind: 'malformed'
  readonly code: 'parse' | 'batch' | 'duplicate-key' | 'not-rpc' | 'too-large' | 'too-deep' | 'bad-utf8'
  /** The id to answer to, where one could be read. */
  readonly id: RawId | null
  /** For a batch: the ids in it. */
  readonly ids?: readonly RawId[]
  /** It seems to be an answer rather than a question: whoever waits for it must hear of it. */
  readonly answers?: boolean
  readonly message: string
}
