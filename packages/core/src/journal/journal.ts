import { asCountersignError, CountersignError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Crypto, Signer } from '../ports/crypto.ts'
import type { Heads } from '../ports/ports.ts'
import type { JournalHead, Store } from '../ports/store.ts'
import { signCheckpoint } from './checkpoint.ts'
import { appendLeaf, leafHash } from './merkle.ts'

/** Signs checkpoints as the journal grows. The store's commits append the entries. */
export interface Journal {
  /** Signs the head now and keeps the checkpoint in and outside the store; undefined when the journal is empty. */
  checkpoint(): Promise<string | undefined>
  /**
   * Call after every commit. Signs after 256 entries, at most four times a second, or 60 s after the first unsigned
   * entry. Never throws.
   */
  afterCommit(size: number): void
  /** Signs the unsigned rest and stops. Never throws; a problem goes to `onProblem`. */
  close(): Promise<void>
}

export interface JournalParts {
  readonly store: Store
  readonly crypto: Crypto
  readonly signer: Signer
  readonly clock: Clock
  readonly heads: Heads
  /** The journal's name in its checkpoints, without blanks and `+`. */
  readonly origin: string
  onProblem?(error: CountersignError): void
}

const ENTRIES_PER_CHECKPOINT = 256
const MS_PER_CHECKPOINT = 60_000
/** A checkpoint is synced to disk twice: without a pause there would be nothing else under load. */
const MS_BETWEEN = 250
const PAGE = 1000

/** Watches commits and signs checkpoints; failures go to `onProblem`. */
export function createJournal(parts: JournalParts): Journal {
  const { store, crypto, signer, clock, heads, origin } = parts
  /** Everything up to this size is signed; undefined before the first commit. */
  let signed: number | undefined
  let latest = 0
  let lastSigned: JournalHead | undefined
  let cancel: (() => void) | undefined
  let soon = false
  let running: Promise<void> | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  let closed = false

  async function checkpoint(): Promise<string | undefined> {
    const head = await store.head()
    if (head.size === 0) return undefined
    if (lastSigned !== undefined && !(await grewFrom(lastSigned, head))) {
      throw new CountersignError(
        'CS_JOURNAL_DAMAGED',
        'the journal was rewritten since its last checkpoint; run `countersign journal verify`',
      )
    }
    const note = signCheckpoint(head, signer, crypto, origin)
    await store.saveCheckpoint(head.size, note)
    await heads.keep(note)
    lastSigned = head
    signed = Math.max(signed ?? 0, head.size)
    return note
  }

  /** SECURITY: A29. A running gate does not sign a journal that was rewritten under it. */
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
        signInTime() // entries written meanwhile, or a failed attempt
      })
    return running
  }

  /** Signs in the background, so that the call which committed does not wait for it. */
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
      // Other processes sign their own entries: this one counts from its first commit.
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
