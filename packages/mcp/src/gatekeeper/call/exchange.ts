import type { JsonObject, Outcome } from '@countersign/core'
import type { Protocol } from '../../wire/client-info.ts'
import type { Malformed, Message, RawId, RpcResponse } from '../../wire/message.ts'

/** The context of one exchange with one client. */
export interface Exchange {
  /**
   * Aborted when the client cancels or disconnects: held calls are withdrawn and never run. With the reason
   * `half-closed` the client only stopped sending: calls that need no person still run.
   */
  readonly signal: AbortSignal
  /** Sends bytes to the waiting client: progress, an elicitation. */
  toClient(bytes: Buffer): void
  /** The protocol of the client. */
  readonly protocol: Protocol
  /** The elicitation capabilities of the client, from `initialize` or the request’s `_meta`. */
  readonly elicitation: { readonly form: boolean; readonly url: boolean }
  /** The name that the client claims; null when it gave none. */
  readonly agent?: string | null
  /** Sends a request of our own to the server; the response never reaches the client. */
  askServer?(method: string, params: JsonObject): Promise<JsonObject>
}

/** A forwarded request, passed back to `fromServer` with its response. */
export interface SentRequest {
  readonly id: RawId
  readonly method: string
  /** For `tools/list`: the page. */
  readonly cursor?: string | null
  /** For a gated call: inspects the response. */
  readonly answered?: (message: Message) => MessageAction
}

/** What to do with a message. */
export type MessageAction =
  /** Forward exactly these bytes. */
  | {
      readonly kind: 'forward'
      readonly bytes: Buffer
      /** For a request: passed to `fromServer` with its response. */
      readonly asked?: SentRequest
      /** For a gated call: called once if no response will come; `fromServer` handles responses itself. */
      readonly settle?: (end: CallEnd) => Promise<void>
      /** Called once the bytes are on their way, for work that need not delay them. */
      readonly after?: () => Promise<void>
    }
  /** Answer it here; nothing is forwarded. */
  | {
      readonly kind: 'answer'
      readonly bytes: Buffer
      /** The HTTP status, if not the usual one. */
      readonly status?: 404
    }
  | { readonly kind: 'drop' }

/** How a forwarded call ended. */
export type CallEnd =
  | { readonly kind: 'result'; readonly isError: boolean }
  | { readonly kind: 'error'; readonly message: string }
  /** It continues as a task, whose end is not seen here. */
  | { readonly kind: 'task' }
  /** Allowed, but never sent: cancelled at the last moment. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** The server or the client disconnected before a response came. */
  | { readonly kind: 'lost'; readonly why: string }

/** Judges all messages of one client, on stdio and HTTP alike. */
export interface Gatekeeper {
  /**
   * A message from the client. INVARIANT: never throws; what cannot be judged is refused. Synchronous when nothing
   * needs a decision, so that the data path has no promises.
   */
  fromClient(message: Message | Malformed, exchange: Exchange): Promise<MessageAction> | MessageAction
  /** A message from the server: tool lists are checked, the rest is forwarded. `asked` is the request it answers. */
  fromServer(message: Message | Malformed, asked: SentRequest | null): Promise<MessageAction> | MessageAction
  /** Whether the client may come back for a decision or with requested input. */
  readonly isAwaited: boolean
  /** The client disconnected: its held calls are withdrawn, and the session is summarized in the journal. */
  close(): Promise<void>
}

/** The server ended the session: its client must start another. */
export class SessionEnded extends Error {
  constructor() {
    super('the server ended the session; initialize again')
    this.name = 'SessionEnded'
  }
}

const LONGEST_DETAIL = 300

/**
 * How a call ended, by its response; `input-required` when the server needs input first. Since 2026-07-28 a server may
 * turn a call into a task by itself; before, only on request.
 */
export function endOf(answer: RpcResponse, asTask: boolean): CallEnd | 'input-required' {
  if (answer.failed)
    return { kind: 'error', message: textOf(answer.member('message')) ?? 'the server answered with an error' }
  const type = textOf(answer.member('resultType'))
  if (type === 'input_required') return 'input-required'
  if (type === 'task' || (asTask && answer.member('task') !== null)) return { kind: 'task' }
  return { kind: 'result', isError: isTrue(answer.member('isError')) }
}

/** The outcome for the journal. */
export function outcomeOf(end: CallEnd): { readonly outcome: Outcome; readonly detail: string | null } {
  switch (end.kind) {
    case 'result':
      return end.isError
        ? { outcome: 'failed', detail: 'the tool answered with an error' }
        : { outcome: 'completed', detail: null }
    case 'error':
      return { outcome: 'failed', detail: end.message.slice(0, LONGEST_DETAIL) }
    case 'task':
      return { outcome: 'released', detail: 'the server continues it as a task' }
    case 'unsent':
      return { outcome: 'failed', detail: `never sent to the server: ${end.why}` }
    case 'lost':
      return { outcome: 'unknown', detail: end.why.slice(0, LONGEST_DETAIL) }
  }
}

function isTrue(bytes: Buffer | null): boolean {
  return bytes !== null && bytes.length === 4 && bytes.toString('latin1') === 'true'
}

const LONGEST_TEXT = 4096

function textOf(bytes: Buffer | null): string | null {
  if (bytes === null || bytes[0] !== 0x22 || bytes.length > LONGEST_TEXT) return null
  try {
    return JSON.parse(bytes.toString('utf8')) as string
  } catch {
    return null
  }
}
