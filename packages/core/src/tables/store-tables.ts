import { toBase64 } from '../call/base64.ts'
import type { Crypto } from '../ports/crypto.ts'
import { bytesOrNull, count, type DatabaseRow, damagedRow, type RowReader } from './row-reader.ts'

/** A value in a row of a store. */
export type StoreValue = string | number | Uint8Array | null

/** A row of a store in the form that every store has: its columns have the names of the store port. */
export type StoreRow = { readonly [column: string]: StoreValue }

type ColumnType = 'text' | 'whole' | 'real' | 'bytes'

/** A table that every store has. */
export interface StoreTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: ColumnType; readonly isNullable: boolean }[]
  /** The columns that order its rows; null where the order of insertion counts. */
  readonly order: readonly string[] | null
  /** Rows read at once: those of some tables are large. */
  readonly page: number
}

/** The tables of a store without what follows from them: the head of the journal, counts of waiting calls. */
export const STORE_TABLES: readonly StoreTable[] = [
  table('entry', 'seq whole, call text?, line text, leaf text', ['seq'], 500),
  table('span', 'from whole, to whole, nodes text', ['from']),
  table('checkpoint', 'size whole, note text', ['size']),
  table(
    'call',
    'id text, session text?, state text, owner text, mode text, tool text, agent text, risk text, supervision text, ' +
      'rule text, callDigest text, requestDigest text?, summary text, sealed bytes?, openedAt whole, expiresAt whole?, ' +
      'decision text?, outcome text?, closedAt whole?, openedAfter whole, contain text?',
    null,
    20,
  ),
  table(
    'standing',
    'id text, session text?, body text, decision text, uses whole, maxUses whole?, expiresAt whole?, revokedAt whole?',
    null,
  ),
  table('counter', 'session text, name text, at whole, amount real', ['session', 'name', 'at']),
  table(
    'changed_file',
    'workspace text, path text, kind text, content text, mark text, seen text?, backup text?, call text, agent text, at whole',
    ['workspace', 'path'],
  ),
  table('unrecorded', 'workspace text, call text, agent text, since whole', ['workspace', 'call']),
  table('unseen_scope', 'workspace text, everything text?, installedSince whole?', ['workspace']),
]

function table(name: string, columns: string, order: readonly string[] | null, page = 200): StoreTable {
  return {
    name,
    columns: columns.split(', ').map((one) => {
      const [, column = '', type, mark] = /^(\w+) (text|whole|real|bytes)(\?)?$/.exec(one) ?? []
      return { name: column, type: type as ColumnType, isNullable: mark !== undefined }
    }),
    order,
    page,
  }
}

/** A row of a table as a driver returned it. */
export function storeRowOf({ columns }: StoreTable, row: DatabaseRow, { text }: Pick<RowReader, 'text'>): StoreRow {
  const values: Record<string, StoreValue> = {}
  for (const { name, type, isNullable } of columns) {
    if (row[name] === null && !isNullable) throw damagedRow(name)
    if (row[name] === null) values[name] = null
    else if (type === 'bytes') values[name] = bytesOrNull(row, name)
    else values[name] = type === 'text' ? text(row, name) : count(row, name)
  }
  return values
}

/** How many rows a table has, and a digest of them. */
export interface TableDigest {
  readonly rows: number
  readonly digest: string
}

const MODULUS = 2n ** 256n

/**
 * Digests rows as the sum of their hashes, so that it does not depend on how a database sorts texts. Where the order of
 * insertion counts, a row is hashed with its place.
 */
export async function digestTable(
  { columns, order }: StoreTable,
  pages: AsyncIterable<readonly StoreRow[]>,
  crypto: Pick<Crypto, 'sha256'>,
  onPage?: (rows: readonly StoreRow[]) => Promise<void>,
): Promise<TableDigest> {
  let [rows, sum] = [0, 0n]
  for await (const page of pages) {
    for (const row of page) {
      rows += 1
      const values = columns.map(({ name }) => row[name] ?? null)
      const known = values.map((value) => (value instanceof Uint8Array ? toBase64(value) : value))
      const text = JSON.stringify([order === null ? rows : 0, ...known])
      sum = (sum + BigInt(`0x${crypto.sha256(text)}`)) % MODULUS
    }
    await onPage?.(page)
  }
  return { rows, digest: sum.toString(16) }
}
