import type { Crypto } from '../../ports/crypto.ts'
import type { JournalHead, Store } from '../../ports/store.ts'
import { appendLeaf, appendSpan, leafHash, rootOf } from '../merkle.ts'
import { type HeadsOptions, readHeads } from '../signed-heads.ts'

/** What a witness found. Only after `consistent` may it cosign, and remember the new head. */
export type Witnessed =
  | {
      readonly kind: 'consistent'
      readonly head: JournalHead
      /** The newest checkpoint that a gate signed and that fits, with its size; none if none is new. */
      readonly newest?: { readonly size: number; readonly note: string }
    }
  /** The journal is shorter than it was, or than a gate signed. */
  | { readonly kind: 'rolled-back'; readonly known: number; readonly size: number }
  /** Two histories: entries up to `size` are not those that were seen or signed before. */
  | { readonly kind: 'forked'; readonly size: number }
  /** Entries were archived before the witness saw them. */
  | { readonly kind: 'archived'; readonly from: number }

const PAGE = 1000

/** What a witness compares. */
export interface FollowOptions extends Omit<HeadsOptions, 'kept' | 'crypto'> {
  readonly crypto: Crypto
  /** What it saw last; nothing when it begins. */
  readonly seen: JournalHead
  /** Checkpoints from elsewhere, such as those that gates keep outside the store. */
  readonly notes?: readonly string[]
}

/**
 * Follows a journal from what was seen last: reads every new entry, and compares the tree with the store's head and with all
 * signed checkpoints on the way. Nothing that the store says about itself is believed.
 */
export async function followJournal(
  store: Pick<Store, 'head' | 'entries' | 'spans' | 'checkpoints'>,
  { seen, notes = [], ...options }: FollowOptions,
): Promise<Witnessed> {
  const { crypto } = options
  // Before the head: a checkpoint that is signed meanwhile is for the next time.
  const stored = (await store.checkpoints()).filter(({ size }) => size >= seen.size)
  const head = await store.head()
  if (head.size < seen.size) return { kind: 'rolled-back', known: seen.size, size: head.size }
  const all = [...stored.map(({ note }) => note), ...notes]
  const signed = new Map<number, { readonly roots: Set<string>; readonly note: string }>()
  for (const note of all) {
    const [one] = readHeads([], { ...options, kept: [note] }, head.size).heads
    if (one === undefined || one.size < seen.size) continue
    const roots = signed.get(one.size)?.roots ?? new Set<string>()
    signed.set(one.size, { roots: roots.add(one.root), note })
  }
  const longest = Math.max(0, ...signed.keys())
  if (longest > head.size) return { kind: 'rolled-back', known: longest, size: head.size }
  const contradicts = (size: number, frontier: string): boolean => {
    const roots = signed.get(size)?.roots
    return roots !== undefined && [...roots].some((root) => root !== rootOf(frontier, size, crypto))
  }

  let { size, frontier } = seen
  for (const span of seen.size === 0 ? await store.spans() : []) {
    if (span.from !== size) return { kind: 'archived', from: size + 1 }
    frontier = appendSpan(frontier, span, crypto)
    size = span.to
    if (contradicts(size, frontier)) return { kind: 'forked', size }
  }
  if (size > 0 && contradicts(size, frontier)) return { kind: 'forked', size }
  while (size < head.size) {
    const page = await store.entries(size + 1, Math.min(head.size, size + PAGE))
    if (page[0]?.seq !== size + 1) return { kind: 'archived', from: size + 1 }
    for (const { seq, line } of page) {
      if (seq !== size + 1) return { kind: 'forked', size }
      frontier = appendLeaf(frontier, size, leafHash(line, crypto), crypto)
      size = seq
      if (contradicts(size, frontier)) return { kind: 'forked', size }
    }
  }
  if (frontier !== head.frontier) return { kind: 'forked', size }
  const newest = Math.max(0, ...[...signed.keys()].filter((one) => one > seen.size))
  const note = signed.get(newest)?.note
  return {
    kind: 'consistent',
    head: { size, frontier },
    ...(note === undefined ? {} : { newest: { size: newest, note } }),
  }
}
