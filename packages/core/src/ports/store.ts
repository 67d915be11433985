/**
 * The store: where processes meet. Every change is one atomic `commit` with its conditions, so the same port fits
 * SQLite and PostgreSQL, and no decision, permit or grant can be used twice.
 * @module
 */

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

/** One call as the store keeps it. Arguments live whole only in `sealed`, and only until the call closes. */
export interface StoredCall {
  readonly id: string
  readonly session: string | null
  readonly state: CallState
  /** The process that holds it (see Owners). */
  readonly owner: string
  /** `ask` dies with its caller; `submit` outlives it until the deadline. */
  readonly mode: 'ask' | 'submit'
  readonly tool: string
  readonly agent: string
  readonly risk: string
  readonly supervision: string
  /** Id of the rule that won, or the preset's row. */
  readonly rule: string
  readonly callDigest: string
  readonly requestDigest: string | null
  /** One redacted line: what the call would do, with some arguments where that says too little. */
  readonly summary: string
  readonly sealed: Uint8Array | null
  readonly openedAt: number
  readonly expiresAt: number | null
  /** The signed decision, sealed while the call is open; afterwards only who decided what and when. */
  readonly decision: string | null
  readonly outcome: string | null
  readonly closedAt: number | null
}

/** A compare-and-swap on one call: happens only when it is in state `from` (and, if given, still the same request). */
export interface CallMove {
  readonly id: string
  readonly from: CallState | readonly CallState[]
  readonly to: CallState
  readonly requestDigest?: string
  readonly set?: Partial<
    Pick<
      StoredCall,
      | 'owner'
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
    >
  >
}

/** A grant as the store keeps it: the signed decision that gave it travels along, so an edited row is no grant. */
export interface StoredGrant {
  readonly id: string
  readonly session: string | null
  /** Canonical JSON of the grant. */
  readonly body: string
  /** Canonical JSON of the signed decision it came from. */
  readonly decision: string
  readonly uses: number
  readonly maxUses: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

/** An entry to be appended; its line is made once the sequence number is known, inside the transaction. */
export interface EntryDraft {
  readonly kind: string
  readonly callId: string | null
  line(seq: number): string
}

/** Something counted towards a limit. */
export interface CounterUse {
  /** The session, or a wider scope that a limit counts: see `counterScope`. */
  readonly session: string
  readonly name: string
  readonly at: number
  readonly amount: number
  /** What the counter may come to with this use, summed from each `from`; conflicts when it would be more. */
  readonly bounds?: readonly { readonly from: number; readonly most: number }[]
}

/** Everything that happens at once or not at all. */
export interface Change {
  readonly entries: readonly EntryDraft[]
  /** Inserts a call; conflicts when the id is taken or a bound is reached. */
  readonly open?: {
    readonly call: StoredCall
    readonly maxHeldInSession: number
    readonly maxHeld: number
    /** What open calls may weigh, sealed, with this one. A call of up to 16 KiB need not be weighed. */
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
   * Entries that were written to an archive: these hashes stand for them from now on, and their lines are dropped.
   * The first span begins where the archive ended before; throws CS_STORE_WRITE when another process was there first.
   */
  readonly archive?: readonly Span[]
  /** True: on disk, against power loss, before the promise resolves. False: within 50 ms. */
  readonly durable: boolean
}

/** What became of a change: all of it, or nothing and the condition that failed. */
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
        | 'heavy-session'
        | 'heavy-store'
        | 'over-limit'
    }

/** One line of the journal as the store keeps it. */
export interface StoredEntry {
  readonly seq: number
  readonly line: string
  /** Hex RFC 6962 leaf hash as stored; verification recomputes it from the line. */
  readonly leaf: string
}

/** Entries of one call with the middle left out where there are many. */
export interface EntryOutline {
  readonly entries: readonly StoredEntry[]
  readonly more: number
}

/** The compact range of the entries from+1..to: what is kept of them once their lines are archived. */
export interface Span {
  readonly from: number
  readonly to: number
  /** Concatenated hex of the full subtrees that cover the range, left to right. */
  readonly nodes: string
}

/** How far the journal reaches, and the hashes the next entry is added to. */
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
  /** The agent as its row names it, its parents before it. */
  readonly agent?: string
  readonly risk?: string
  /** Id of the approver whose decision a started or closed call carries. */
  readonly approver?: string
  readonly since?: number
  /** Keyset cursor: rows opened before this id, in falling order of time; rising when `state` is held. */
  readonly before?: string
  readonly limit?: number
  /** Leaves `sealed` out, which is null then: a list of large calls is read without their arguments. */
  readonly unsealed?: true
}

/** Calls, grants, counters and the journal in one place, shared by every process of a home. */
export interface Store {
  /**
   * Applies a change in one transaction. Throws CS_STORE_… when it could not; then nothing happened. `beside` says how
   * many other calls are under way: with some, a store may write theirs in the same transaction.
   */
  commit(change: Change, beside?: number): Promise<Committed>
  call(id: string): Promise<StoredCall | undefined>
  calls(query: CallQuery): Promise<readonly StoredCall[]>
  grants(): Promise<readonly StoredGrant[]>
  /** Sum of a counter of a session, or of a wider scope, since `from` (wall milliseconds). */
  counted(session: string, name: string, from: number): Promise<number>
  /** Differs from an earlier answer when another process wrote since. Cheap enough for every 50 ms. */
  version(): number
  head(): Promise<JournalHead>
  /** Entries from..to (both included, rising). */
  entries(from: number, to: number): Promise<readonly StoredEntry[]>
  /** Entries of one call, rising, as far as their lines are not archived. */
  entriesOf(callId: string): Promise<readonly StoredEntry[]>
  /** The same, at most so many: the first and the last of them, and how many more lie between. */
  outlineOf(callId: string, most: number): Promise<EntryOutline>
  /** Spans of archived entries, rising and without gaps from 0; empty when nothing was archived. */
  spans(): Promise<readonly Span[]>
  checkpoints(): Promise<readonly { readonly size: number; readonly note: string }[]>
  saveCheckpoint(size: number, note: string): Promise<void>
  close(): Promise<void>
}
