/**
 * The store: where processes meet. Every change is one atomic `commit` with its conditions, so the same port fits
 * SQLite and PostgreSQL, and no decision, permit or grant can be used twice.
 * @module
 */

import type { RecordedChanges, SeenContents, UnrecordedCall, WorkspaceChanges } from './changes.ts'

/** `held` waits for a person, `ready` needs nobody, `decided` has a signed decision; the last two wait for their caller. */
export const WAITING_STATES = ['held', 'ready', 'decided'] as const

/** A call that is not over: it waits, or it has `started`, with its intent on record. */
export const OPEN_STATES = [...WAITING_STATES, 'started'] as const

/** Every state of a call. */
export const CALL_STATES = [...OPEN_STATES, 'closed'] as const

/** One of `WAITING_STATES`. */
export type WaitingState = (typeof WAITING_STATES)[number]

/** One of `CALL_STATES`. */
export type CallState = (typeof CALL_STATES)[number]

/** The row of a call. The arguments are only in `sealed`, and only until the call closes. */
export interface StoredCall {
  readonly id: string
  readonly session: string | null
  readonly state: CallState
  /** The process that holds it (see `Owners`). */
  readonly owner: string
  /** `ask` dies with its caller; `submit` outlives it until the deadline. */
  readonly mode: 'ask' | 'submit'
  readonly tool: string
  readonly agent: string
  readonly risk: string
  readonly supervision: string
  /** The id of the deciding rule, or of the preset's row. */
  readonly rule: string
  readonly callDigest: string
  readonly requestDigest: string | null
  /** One redacted line on what the call would do. */
  readonly summary: string
  readonly sealed: Uint8Array | null
  readonly openedAt: number
  readonly expiresAt: number | null
  /** The signed decision, sealed while the call is open; afterwards only who decided what and when. */
  readonly decision: string | null
  readonly outcome: string | null
  readonly closedAt: number | null
  /** Canonical JSON of the bounds it ran with; null when it was not contained. */
  readonly contain: string | null
}

/** A compare-and-swap on one call: only in state `from`, and only with the same request if `requestDigest` is set. */
export interface CallMove {
  readonly id: string
  readonly from: CallState | readonly CallState[]
  readonly to: CallState
  readonly requestDigest?: string
  readonly set?: Partial<
    Pick<
      StoredCall,
      | 'owner'
      | 'mode'
      | 'requestDigest'
      | 'sealed'
      | 'supervision'
      | 'risk'
      | 'rule'
      | 'summary'
      | 'expiresAt'
      | 'decision'
      | 'outcome'
      | 'closedAt'
      | 'contain'
    >
  >
}

/** The row of a grant, with the signed decision that gave it: an edited row does not count. */
export interface StoredGrant {
  readonly id: string
  readonly session: string | null
  /** Canonical JSON of the grant. */
  readonly body: string
  /** Canonical JSON of the signed decision that gave it. */
  readonly decision: string
  readonly uses: number
  readonly maxUses: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

/** An entry to be appended. Its line is made inside the transaction, once the sequence number is known. */
export interface EntryDraft {
  readonly kind: string
  readonly callId: string | null
  line(seq: number): string
}

/** Something counted towards a limit. */
export interface CounterUse {
  /** The session, or a wider scope of a limit: see `counterScope`. */
  readonly session: string
  readonly name: string
  readonly at: number
  readonly amount: number
  /** Upper bounds of the counter including this use, each summed since `from`; exceeding one is a conflict. */
  readonly bounds?: readonly { readonly from: number; readonly most: number }[]
}

/** One transaction: everything in it happens, or nothing. */
export interface Change {
  readonly entries: readonly EntryDraft[]
  /** Inserts a call; conflicts when the id is taken or a bound is reached. */
  readonly open?: {
    readonly call: StoredCall
    readonly maxHeldInSession: number
    /** The last tenth is open only to sessions that have no call waiting, unless one session may have all. */
    readonly maxHeld: number
    /** The most bytes of sealed calls that may wait, with this one. A call of up to 16 KiB need not be counted. */
    readonly maxBytesInSession?: number
    readonly maxBytes?: number
  }
  readonly move?: CallMove
  readonly addGrant?: StoredGrant
  /** Counts one use; conflicts when the grant is spent, expired at `at`, or revoked. */
  readonly useGrant?: { readonly id: string; readonly at: number }
  readonly revokeGrant?: { readonly id: string; readonly at: number }
  readonly count?: readonly CounterUse[]
  /**
   * Replaces archived entries by their hashes and drops their lines. The first span begins where the archive ended
   * before; throws CS_STORE_WRITE when another process archived them first.
   */
  readonly archive?: readonly Span[]
  /** Notes that a call may change files, until `changed` of the same call says which. */
  readonly unrecorded?: UnrecordedCall
  /** Records the files that a call changed. */
  readonly changed?: RecordedChanges
  /** Marks contents as seen. */
  readonly seen?: SeenContents
  /** True: on disk before the promise resolves, safe from power loss. False: within 50 ms. */
  readonly durable: boolean
}

/** The result of a commit: everything happened, or nothing because of one condition. */
export type Committed =
  | { readonly kind: 'committed'; readonly size: number }
  | {
      readonly kind: 'conflict'
      readonly what:
        | 'call-exists'
        | 'call-moved'
        | 'grant-gone'
        | 'full-session'
        | 'full-store'
        /** The rest is kept for sessions that have no call waiting. */
        | 'last-places'
        | 'heavy-session'
        | 'heavy-store'
        | 'over-limit'
    }

/** One line of the journal in the store. */
export interface StoredEntry {
  readonly seq: number
  readonly line: string
  /** Hex RFC 6962 leaf hash as stored; verification recomputes it from the line. */
  readonly leaf: string
}

/** Entries of one call, without the middle if there are many. */
export interface EntryOutline {
  readonly entries: readonly StoredEntry[]
  readonly more: number
}

/** The compact range of the entries from+1..to, kept once their lines are archived. */
export interface Span {
  readonly from: number
  readonly to: number
  /** Concatenated hex of the full subtrees that cover the range, left to right. */
  readonly nodes: string
}

/** The size of the journal, and the frontier of its Merkle tree. */
export interface JournalHead {
  readonly size: number
  /** Concatenated hex of the compact range's node hashes, widest first. */
  readonly frontier: string
}

/** Which calls to read: newest first, or oldest first when `state` is held. */
export interface CallQuery {
  readonly state?: CallState | readonly CallState[]
  readonly session?: string | null
  readonly tool?: string
  readonly outcome?: string
  /** The agent as in its row, with its parents before it. */
  readonly agent?: string
  readonly risk?: string
  /** The id of the approver who decided a started or closed call. */
  readonly approver?: string
  readonly since?: number
  /** Keyset cursor: rows opened before this id, in falling order of time; rising when `state` is held. */
  readonly before?: string
  readonly limit?: number
  /** Returns null for `sealed`: a list of large calls is read without their arguments. */
  readonly unsealed?: true
}

/** Calls, grants, counters and the journal in one place, shared by every process of a home. */
export interface Store {
  /**
   * Applies a change in one transaction. Throws CS_STORE_… if it cannot, and then nothing happened; but CS_STORE_UNSURE if
   * it can't be found out whether it happened. `beside` is the number of other calls under way: a store may write them in
   * the same transaction.
   */
  commit(change: Change, beside?: number): Promise<Committed>
  call(id: string): Promise<StoredCall | undefined>
  calls(query: CallQuery): Promise<readonly StoredCall[]>
  grants(): Promise<readonly StoredGrant[]>
  /** The sum of a counter of a session or a wider scope since `from` (wall-clock milliseconds). */
  counted(session: string, name: string, from: number): Promise<number>
  /** Files of a workspace that gated calls changed, by path. */
  changes(workspace: string): Promise<WorkspaceChanges>
  /** Workspaces with changed files. */
  changedWorkspaces(): Promise<readonly string[]>
  /** Changes when another process writes. Cheap enough for every 50 ms. */
  version(): number
  head(): Promise<JournalHead>
  /** Entries from..to (both included, rising). */
  entries(from: number, to: number): Promise<readonly StoredEntry[]>
  /** Entries of one call, rising; archived ones are missing. */
  entriesOf(callId: string): Promise<readonly StoredEntry[]>
  /** The first and the last entries of one call, at most `most`, and how many lie between. */
  outlineOf(callId: string, most: number): Promise<EntryOutline>
  /** Spans of archived entries, rising and without gaps from 0; empty when nothing was archived. */
  spans(): Promise<readonly Span[]>
  checkpoints(): Promise<readonly { readonly size: number; readonly note: string }[]>
  saveCheckpoint(size: number, note: string): Promise<void>
  close(): Promise<void>
}
