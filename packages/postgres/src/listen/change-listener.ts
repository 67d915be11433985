import type pg from 'pg'
import type { StoreAddress } from '../connection/address.ts'
import { connect, cut, rest, send, type Timeouts } from '../connection/client.ts'
import { channelOf } from '../schema/schema.ts'
import type { ForeignChanges } from './foreign-changes.ts'

export interface ListenerOptions {
  readonly address: StoreAddress
  readonly timeouts: Timeouts
  readonly changes: ForeignChanges
  /** Names this process in its own announcements. */
  readonly news: string
  /** Reads the store's revision. */
  revision(): Promise<number>
  /** Called with the newest version of the list of gates, as each commit announces it. */
  gates(version: number): void
}

/** `notified`: the server announces changes. `polling`: a pooler swallows announcements, or there is no connection. */
export type ListenerState = 'notified' | 'polling'

/** Someone asked for the version this recently: changes matter now. */
const ASKED_MS = 2000
const POLL_MS = 100
/** While announcements arrive, the revision is still compared at times: it tells when they stop. */
const COMPARE_MS = 2000
/** Our own announcement must come back within this time. */
const PROBE_MS = 2000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** A connection whose announcements are swallowed is tried again after this time. */
const RETRY_MS = 60_000

/**
 * Notices commits of other gates: by notification where that works, else by reading the revision while someone asks for
 * it. It never keeps the process alive.
 */
export class ChangeListener {
  readonly #options: ListenerOptions
  readonly #channel: string
  #state: ListenerState = 'polling'
  #client: pg.Client | undefined
  #probe: (() => void) | undefined
  /** The highest revision that was announced. */
  #announced = 0
  /** A revision that was read before it was announced. */
  #unheard: number | undefined
  #asked = -Infinity
  #compared = -Infinity
  #polling: Promise<void> | undefined
  #pause = FIRST_PAUSE_MS
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#channel = channelOf(options.address.schema)
  }

  get state(): ListenerState {
    return this.#state
  }

  /** Changes were made by others since the last call if it differs. In memory: the first calls start the listening. */
  version(): number {
    const now = performance.now()
    if (now - this.#asked > ASKED_MS && this.#client === undefined && this.#timer === undefined) void this.#listen()
    this.#asked = now
    const everyMs = this.#state === 'notified' ? COMPARE_MS : POLL_MS
    if (now - this.#compared > everyMs) void this.compare().catch(() => {})
    return this.#options.changes.version
  }

  /** Reads the revision now. */
  compare(): Promise<void> {
    this.#polling ??= this.#read().finally(() => {
      this.#polling = undefined
    })
    return this.#polling
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#polling?.catch(() => {})
    if (this.#client !== undefined) cut(this.#client)
  }

  async #read(): Promise<void> {
    const { changes, revision } = this.#options
    this.#compared = performance.now()
    const own = changes.ownCommits
    const found = await revision()
    // A commit of ours was under way: it compares for itself.
    if (own !== changes.ownCommits || own % 2 === 1) return
    if (this.#state === 'polling') return void changes.see(found)
    if (this.#unheard !== undefined) {
      // A change was never announced: what stands between us and the server swallows announcements.
      this.#unheard = undefined
      this.#state = 'polling'
      this.#retry(RETRY_MS)
    }
    if (changes.see(found) && found > this.#announced) this.#unheard = found
  }

  async #listen(): Promise<void> {
    const { address, timeouts, news } = this.#options
    this.#timer = undefined
    if (this.#isClosed) return
    let client: pg.Client | undefined
    try {
      client = await connect(address, timeouts)
      rest(client)
      if (this.#isClosed) return cut(client)
      this.#client = client
      const mine = client
      client.on('notification', ({ payload = '' }) => this.#hear(payload))
      client.on('end', () => this.#lose(mine))
      await send(client, [{ text: `LISTEN ${this.#channel}` }], timeouts)
      // In a transaction of its own: behind a pooler, another server connection may run it.
      const isHeard = new Promise<boolean>((resolve) => {
        this.#probe = () => resolve(true)
        setTimeout(() => resolve(false), PROBE_MS).unref()
      })
      await send(client, [{ text: 'SELECT pg_notify($1, $2)', values: [this.#channel, `probe ${news}`] }], timeouts)
      if (!(await isHeard)) throw new Error('announcements are swallowed')
      this.#pause = FIRST_PAUSE_MS
      this.#state = 'notified'
      // Changes before the listening were not announced to us.
      await this.#options.revision().then((found) => this.#seeSince(found))
    } catch {
      if (client !== undefined) this.#lose(client)
      else this.#retry()
    }
  }

  #seeSince(revision: number): void {
    const { changes } = this.#options
    if (changes.ownCommits % 2 === 0) changes.see(revision)
  }

  #hear(payload: string): void {
    const { changes, news, gates } = this.#options
    const [from, ...numbers] = payload.split(' ')
    if (from === 'probe') {
      if (numbers[0] === news) this.#probe?.()
    } else if (from !== news) {
      const [revision, list] = numbers.map(Number)
      if (!Number.isSafeInteger(revision) || !Number.isSafeInteger(list)) return
      gates(list ?? 0)
      this.#announced = Math.max(this.#announced, revision ?? 0)
      changes.hear(revision ?? 0)
      if (this.#unheard !== undefined && this.#announced >= this.#unheard) this.#unheard = undefined
    }
  }

  #lose(client: pg.Client): void {
    cut(client)
    if (this.#client !== client) return
    this.#client = undefined
    this.#state = 'polling'
    this.#retry()
  }

  #retry(after?: number): void {
    if (this.#isClosed || this.#timer !== undefined) return
    const pause = after ?? this.#pause * (0.5 + Math.random())
    this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause * 2)
    this.#timer = setTimeout(() => void this.#again(), pause)
    this.#timer.unref()
  }

  async #again(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) cut(client)
    await this.#listen()
  }
}
