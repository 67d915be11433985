import type { JsonObject } from '@countersign/core'
import type { Era } from '../../wire/client-info.ts'
import type { Malformed, Message, RawId } from '../../wire/message.ts'

/** What a message is judged with: one exchange with one client. */
export interface Exchange {
  /**
   * Aborted when the client cancels or goes away: what is held is withdrawn and never runs. With the reason
   * `'half-closed'` the client only says that nothing more will come: what needs nobody still goes on.
   */
  readonly signal: AbortSignal
  /** Sends bytes to the client while it waits: progress, an elicitation. */
  toClient(bytes: Buffer): void
  /** Which protocol the client speaks. */
  readonly era: Era
  /** What the client said it can do: `initialize` or the request's `_meta`. */
  readonly elicitation: { readonly form: boolean; readonly url: boolean }
  /** What the client calls itself, a claim; null when it said nothing. */
  readonly agent?: string | null
  /** Asks the server something on our own behalf; its answer never reaches the client. */
  askServer?(method: string, params: JsonObject): Promise<JsonObject>
}

/** What a request was, for when its answer comes: handed out with its fate, and handed back to `fromServer`. */
export interface Asked {
  readonly id: RawId
  readonly method: string
  /** For `tools/list`: which page. */
  readonly cursor?: string | null
  /** For a gated call: looks at its answer on the way. */
  readonly answered?: (message: Message) => Fate
}

/** What becomes of one message. */
export type Fate =
  /** Goes on with exactly these bytes. */
  | {
      readonly kind: 'forward'
      readonly bytes: Buffer
      /** Of a request: to be handed to `fromServer` with its answer. */
      readonly asked?: Asked
      /** Of a gated call: told once, when no answer will come. Answers are told by `fromServer` itself. */
      readonly settle?: (end: CallEnd) => Promise<void>
      /** Called once the bytes are on their way: what need not delay them. */
      readonly after?: () => Promise<void>
    }
  /** Is answered here; nothing goes on. */
  | {
      readonly kind: 'answer'
      readonly bytes: Buffer
      /** Over HTTP, when it is no plain answer. */
      readonly status?: 404
    }
  | { readonly kind: 'drop' }

/** How a forwarded call ended. */
export type CallEnd =
  | { readonly kind: 'result'; readonly isError: boolean }
  | { readonly kind: 'error'; readonly message: string }
  /** The server goes on with it as a task: how that ends is not seen here. */
  | { readonly kind: 'task' }
  /** It may run, but was never sent: cancelled at the last moment. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** The server went away, or the client did, before an answer came. */
  | { readonly kind: 'lost'; readonly why: string }

/** The one place where messages are judged: stdio and HTTP both ask here. One for each client. */
export interface Gatekeeper {
  /**
   * A message of the client. INVARIANT: never throws; what cannot be judged is answered with a refusal.
   * At once where nothing needs a look, so that the data path stays without promises.
   */
  fromClient(message: Message | Malformed, exchange: Exchange): Promise<Fate> | Fate
  /** A message of the server: a list of tools is pinned on its way, the rest passes. `asked` is the request it answers. */
  fromServer(message: Message | Malformed, asked: Asked | null): Promise<Fate> | Fate
  /** Whether its client may come back for something: a decision, or a call that its server wants more for. */
  readonly isAwaited: boolean
  /** The client is gone: what it left behind is withdrawn, and the journal gets the summary of its session. */
  close(): Promise<void>
}
