import { asCountersignError, CountersignError } from '../errors.ts'
import type { Heads } from '../ports/checkpoint-anchors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Crypto, Signer } from '../ports/crypto.ts'
import type { JournalHead, Store } from '../ports/store.ts'
import { signCheckpoint } from './checkpoint.ts'
import { appendLeaf, leafHash } from './merkle.ts'

/** Signs the journal as it grows. Entries are appended by the store's commits; this only vouches for them. */
export interface Journal {
  /** Signs the head now, saves the note and keeps it outside; undefined when there is nothing to sign. */
  checkpoint(): Promise<string | undefined>
  /** Called after every commit: a checkpoint follows each 256 entries, yet four in a second at most, or 60 s after the first unsigned one. Never throws. */
  afterCommit(size: number): void
  /** Signs what is still unsigned and stops. Never throws: a problem is reported like any other. */
  close(): Promise<void>
}

export interface JournalParts {
  readonly store: Store
  readonly crypto: Crypto
  readonly signer: Signer
  readonly clock: Clock
  readonly heads: Heads
  /** Names the journal in its checkpoints: no blanks, no `+`. */
  readonly origin: string
  onProblem?(error: CountersignError): void
}

const ENTRIES_PER_CHECKPOINT = 256
const MS_PER_CHECKPOINT = 60_000
/** A checkpoint is synced to the disk, twice: under load there would be nothing else. */
const MS_BETWEEN = 250
const PAGE = 1000

/** Watches commits and signs checkpoints in time; what it cannot sign it reports to `onProblem`. */
export function createJournal(parts: JournalParts): Journal {
  const { store, crypto, signer, clock, heads, origin } = parts
  /** Size up to which this process need not sign; undefined until it has seen a commit. */
  let signed: number | undefined
  let latest = 0
  let vouched: JournalHead | undefined
  let cancel: (() => void) | undefined
  let soon = false
  let running: Promise<void> | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  let closed = false

  async function checkpoint(): Promise<string | undefined> {
    const head = await store.head()
    if (head.size === 0) return undefined
    if (vouched !== undefined && !(await grewFrom(vouched, head))) {
      throw new CountersignError(
        'CS_JOURNAL_DAMAGED',
        'the journal was rewritten since its last checkpoint; run `countersign journal verify`',
      )
    }
    const note = signCheckpoint(head, signer, crypto, origin)
    await store.saveCheckpoint(head.size, note)
    await heads.keep(note)
    vouched = head
    signed = Math.max(signed ?? 0, head.size)
    return note
  }

  /** SECURITY: A29. What was rewritten under a running gate is not signed by it. */
  async function grewFrom(before: JournalHead, head: JournalHead): Promise<boolean> {
    if (before.size > head.size) return false
    if (((await store.spans()).at(-1)?.to ?? 0) > before.size) return true
    let { size, frontier } = before
    while (size < head.size) {
      const page = await store.entries(size + 1, Math.min(head.size, size + PAGE))
      if (page.length === 0) return false
      for (const entry of page) frontier = appendLeaf(frontier, size++, leafHash(entry.line, crypto), crypto)
    }
    return frontier === head.frontier
  }

  function run(): Promise<void> {
    cancel?.()
    cancel = undefined
    soon = false
    lastAt = clock.monotonic()
    running ??= checkpoint()
      .then(() => undefined)
      .catch((error: unknown) =>
        parts.onProblem?.(
          asCountersignError(error, 'CS_STORE_WRITE', 'a checkpoint could not be kept; check the disk'),
        ),
      )
      .finally(() => {
        running = undefined
        signInTime() // what was written meanwhile, or could not be signed
      })
    return running
  }

  /** Behind the step that committed: whoever was just let through does not wait for a signature over what went before. */
  function runSoon(): void {
    if (soon || running !== undefined) return
    cancel?.()
    soon = true
    cancel = clock.after(Math.max(0, lastAt + MS_BETWEEN - clock.monotonic()), () => void run())
  }

  function signInTime(): void {
    if (!closed && signed !== undefined && latest > signed) cancel ??= clock.after(MS_PER_CHECKPOINT, () => void run())
  }

  return {
    checkpoint,
    afterCommit(size) {
      if (closed) return
      latest = Math.max(latest, size)
      // Other processes sign what they wrote: this one counts from the first commit it saw.
      signed ??= size - 1
      if (latest - signed >= ENTRIES_PER_CHECKPOINT) runSoon()
      else signInTime()
    },
    async close() {
      if (closed) return
      closed = true
      await running
      if (signed !== undefined && latest > signed) await run()
      cancel?.()
      cancel = undefined
    },
  }
}
