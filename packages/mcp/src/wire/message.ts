import type { JsonObject } from '@countersign/core'
import type { Members } from '../json/member-scanner.ts'

/** A request id exactly as spelled: large integers, `1.0` and `1` stay as they are. */
export type RawId = string

/**
 * One JSON-RPC message. `bytes` is the line or body as received; messages that are not gated are forwarded byte for
 * byte. SECURITY: A1 a gated call never is: it is serialized from what was approved.
 */
export type Message = RpcRequest | RpcNotification | RpcResponse

export interface RpcRequest {
  readonly kind: 'request'
  readonly id: RawId
  readonly method: string
  readonly bytes: Buffer
  /** Parsed strictly on first use; throws a `StrictJsonError`. */
  params(): JsonObject
  /** The located members of `params`; null when there are none. */
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
  /** The `result`, parsed on first use; throws for an error response. */
  result(): JsonObject
  /** The bytes of one member of the `result` (or the `error`); null when it is missing. */
  member(name: string): Buffer | null
  /** The names of these members. */
  names(): Iterable<string>
}

/** Input that is not a valid message. It is answered or reported, never forwarded. */
export interface Malformed {
  readonly kind: 'malformed'
  readonly code: 'parse' | 'batch' | 'duplicate-key' | 'not-rpc' | 'too-large' | 'too-deep' | 'bad-utf8'
  /** The id to answer, if one could be read. */
  readonly id: RawId | null
  /** For a batch: its ids. */
  readonly ids?: readonly RawId[]
  /** It looks like a response: whoever waits for it must be told. */
  readonly answers?: boolean
  readonly message: string
}

/**
 * One key for all spellings of an id: `1`, `1.0` and `1e0` are the same, `"1"` is another. Numbers that lose digits
 * when parsed keep their spelling.
 */
export function idKey(raw: RawId): string {
  if (raw.startsWith('"')) {
    if (!raw.includes('\\')) return raw
    try {
      return JSON.stringify(JSON.parse(raw))
    } catch {
      return raw
    }
  }
  const number = Number(raw)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? raw : String(number)
}
