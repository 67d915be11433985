import type { Span, Store } from '../ports/store.ts'
import { type Damage, damage } from './damage.ts'
import { checkEntry, type FoundEntry, nameMisplaced } from './entry-check.ts'
import { type HeadsOptions, readHeads } from './signed-heads.ts'
import { TreeCheck, type VerifiedHead } from './tree-check.ts'

/** Where a journal is read from; a store is one. */
export type JournalSource = Pick<Store, 'head' | 'entries' | 'spans' | 'checkpoints'>

export interface VerifyOptions extends HeadsOptions {
  /** The end of an earlier intact verdict: only later entries are read. */
  readonly verified?: VerifiedHead
  /** Entries read at once, 1,000 by default; other work can run between two pages. */
  readonly page?: number
  onProgress?(done: number, total: number): void
}

/** The result of a verification. */
export type JournalVerdict =
  | {
      readonly kind: 'intact'
      readonly size: number
      /** Hex root over all entries. */
      readonly root: string
      /** Concatenated hex of the tree's frontier. */
      readonly frontier: string
      /** Of entries 1..archived only the hashes are in the store. */
      readonly archived: number
      /** The sizes of the largest signed checkpoint, and of the largest one kept outside the store; later entries are not covered yet. */
      readonly signedTo: number
      readonly keptTo: number
      /** How many signed heads only the archive can prove. */
      readonly unproven: number
    }
  | { readonly kind: 'damaged'; readonly damage: Damage }

/** A service's report on its journal. */
export interface VerifiedJournal {
  readonly size: number
  readonly root: string | null
  readonly signedTo: number
  readonly keptTo: number
  readonly damage: readonly { readonly kind: string; readonly message: string }[]
  readonly at: number
  /** When every entry was last read; later verifications continued from there. */
  readonly wholeAt: number
}

const PAGE = 1000

/** Verifies a store's journal from the first entry to its head, and against every signed checkpoint, stored or kept outside. */
export async function verifyJournal(source: JournalSource, options: VerifyOptions): Promise<JournalVerdict> {
  for (let attempt = 1; ; attempt++) {
    // Checkpoints are read before the head: one signed meanwhile must not look like a truncation.
    const stored = await source.checkpoints()
    const spans = await source.spans()
    const verdict = await verifyOnce(source, stored, spans, options)
    if (verdict.kind === 'intact' || attempt === 3 || spans.length === (await source.spans()).length) return verdict
  }
}

async function verifyOnce(
  source: JournalSource,
  stored: readonly { readonly size: number; readonly note: string }[],
  spans: readonly Span[],
  options: VerifyOptions,
): Promise<JournalVerdict> {
  const head = await source.head()
  const { heads, damages } = readHeads(stored, options, head.size)
  const tree = new TreeCheck(heads, options.crypto)
  const { verified } = options
  if (verified !== undefined && verified.size > head.size)
    return damaged(damage('rolled-back', head.size + 1, verified.size))
  const gap = tree.archive(spans)
  const base = tree.size
  const baseRoot = tree.root
  const found: Damage[] = [...damages]
  const isResumed = gap === undefined && verified !== undefined && verified.size > base
  if (isResumed) tree.resume(verified)
  let rotation = base === 0 || isResumed
  const bad =
    gap ??
    (await readEntries(rowsOf(source, tree.size, head.size, options), tree, options, (entry) => {
      rotation ||= entry['kind'] === 'rotated' && entry['through'] === base && entry['root'] === baseRoot
    }))
  if (bad !== undefined) found.push(bad)
  else if (tree.size < head.size) found.push(damage('truncated', tree.size + 1, head.size))
  else if (tree.frontier !== head.frontier) found.push(damage('head-mismatch', Math.max(1, head.size)))
  else if (await hasStrays(source, head.size)) found.push(damage('head-mismatch', head.size + 1))
  if (bad === undefined && !rotation) found.push(damage('missing', 1, base, 'no entry records their archiving'))
  if (tree.misfit !== undefined) {
    const rewritten = found.length === damages.length
    const kind = !rewritten ? 'changed' : tree.misfit.after === 0 ? 'rebuilt' : 'forked'
    found.push(damage(kind, tree.misfit.after + 1, tree.misfit.size))
  }
  const beyond = tree.beyond()
  if (bad === undefined && tree.size === head.size && beyond !== undefined) {
    found.push(damage(beyond.from === 'kept' ? 'rolled-back' : 'truncated', tree.size + 1, beyond.size))
  }
  return verdictOf(tree, found, base)
}

export interface ExportOptions extends VerifyOptions {
  /** Spans of the entries before the first line, if the lines do not begin with entry 1. */
  readonly after?: readonly Span[]
  /** The last expected entry: later heads are ignored. */
  readonly through?: number
}

/** Verifies the lines of an export or an archive. Without a kept checkpoint only form and order can be checked. */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  options: ExportOptions,
): Promise<JournalVerdict> {
  const { heads, damages } = readHeads([], options, 0)
  const { through } = options
  const tree = new TreeCheck(
    through === undefined ? heads : heads.filter((head) => head.size <= through),
    options.crypto,
  )
  const gap = tree.archive(options.after ?? [])
  const base = tree.size
  const bad = gap ?? (await readEntries(entriesOf(lines), tree, options))
  const found = bad === undefined ? [...damages] : [...damages, bad]
  const end = Math.max(through ?? 0, tree.beyond()?.size ?? 0)
  if (tree.misfit !== undefined) found.push(damage('changed', tree.misfit.after + 1, tree.misfit.size))
  else if (bad === undefined && end > tree.size) found.push(damage('truncated', tree.size + 1, end))
  return verdictOf(tree, found, base)
}

async function readEntries(
  rows: AsyncIterator<FoundEntry>,
  tree: TreeCheck,
  options: VerifyOptions,
  onEntry?: (entry: { readonly [field: string]: unknown }) => void,
): Promise<Damage | undefined> {
  for (let row = await rows.next(); row.done !== true; row = await rows.next()) {
    const seq = tree.size + 1
    if (row.value.seq !== undefined && row.value.seq !== seq)
      return damage('missing', seq, Math.max(seq, row.value.seq - 1))
    const check = checkEntry(row.value, seq, options.crypto)
    if (check.kind === 'misplaced') return nameMisplaced(check, seq, rows)
    if (check.kind === 'bad')
      return isTorn(check.damage, row.value, await rows.next()) ? damage('truncated', seq) : check.damage
    onEntry?.(check.entry)
    tree.append(check.leaf)
  }
  return undefined
}

/** Whether this is the last line of an export, cut off in the middle. */
function isTorn(found: Damage, row: FoundEntry, next: IteratorResult<FoundEntry>): boolean {
  return found.kind === 'not-canonical' && row.seq === undefined && next.done === true && !row.line.endsWith('}')
}

async function* rowsOf(
  source: JournalSource,
  base: number,
  size: number,
  options: VerifyOptions,
): AsyncGenerator<FoundEntry> {
  const { page = PAGE } = options
  for (let from = base + 1; from <= size; from += page) {
    yield* await source.entries(from, Math.min(size, from + page - 1))
    options.onProgress?.(Math.min(size, from + page - 1), size)
  }
}

async function* entriesOf(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<FoundEntry> {
  for await (const line of lines) if (line !== '') yield { line }
}

/** Whether there are rows past the head that no writer is adding right now. */
async function hasStrays(source: JournalSource, size: number): Promise<boolean> {
  return (await source.entries(size + 1, size + 1)).length > 0 && (await source.head()).size === size
}

function verdictOf(tree: TreeCheck, found: readonly Damage[], archived: number): JournalVerdict {
  const first = found.toSorted((a, b) => a.seq - b.seq)[0]
  if (first !== undefined) return damaged(first)
  const { size, root, frontier, signedTo, keptTo, unproven } = tree
  return { kind: 'intact', size, root, frontier, archived, signedTo, keptTo, unproven }
}

function damaged(first: Damage): JournalVerdict {
  return { kind: 'damaged', damage: first }
}
