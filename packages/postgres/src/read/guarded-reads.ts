import { type Crypto, type JournalSource, parseCheckpoint, verifyJournal } from '@countersign/core'
import type { Answer, Statement } from '../connection/client.ts'
import type { Readers } from '../connection/readers.ts'
import { guardStatement, type Table } from '../schema/schema.ts'
import { guardOf, type KnownHead, type KnownJournal } from './known-head.ts'
import { count, text, textOrNull } from './values.ts'

/** Answers to statements on one snapshot, and the revision of the store there. */
export interface GuardedAnswers {
  readonly revision: number
  readonly answers: readonly Answer[]
}

/** Reads on one snapshot, which is checked as each commit is. */
export async function readGuarded(
  { table, readers, head }: { readonly table: Table; readonly readers: Readers; readonly head: KnownHead },
  statements: readonly Statement[],
): Promise<GuardedAnswers> {
  const { size, mark } = head
  const [guard, ...answers] = await readers.read([guardStatement(table, mark.size), ...statements])
  const row = guard?.rows[0]
  head.check(guardOf(row), mark, size)
  head.grow(count(row, 'size'), textOrNull(row ?? {}, 'leaf'))
  return { revision: count(row, 'revision'), answers }
}

/**
 * Throws unless the journal continues the one that this gate signed. Whoever signs a checkpoint puts it into the store as
 * well: only where it is missing or differs is the journal read.
 */
export async function checkContinues(
  known: KnownJournal | undefined,
  {
    table,
    head,
    crypto,
    source,
    rows,
  }: {
    readonly table: Table
    readonly head: KnownHead
    readonly crypto: Crypto
    readonly source: JournalSource
    rows(statement: Statement): Promise<Answer['rows']>
  },
): Promise<void> {
  if (known === undefined || known.size === 0) return
  const sql = `SELECT note FROM ${table('checkpoint')} WHERE size = $1`
  const [row] = await rows({ text: sql, values: [known.size] })
  if (row !== undefined && parseCheckpoint(text(row, 'note'))?.root === known.root) return
  const journal: JournalSource = {
    head: () => source.head(),
    entries: (from, to) => source.entries(from, to),
    spans: () => source.spans(),
    checkpoints: async () => [],
  }
  const verdict = await verifyJournal(journal, { crypto, publicKeys: [], known: [known] })
  if (verdict.kind === 'damaged' || verdict.keptTo < known.size) throw head.forked(known)
}
