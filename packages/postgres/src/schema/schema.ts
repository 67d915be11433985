import { createHash } from 'node:crypto'
import type { Statement } from '../connection/client.ts'

/** The names of one tenant's tables. */
export type Table = (name: string) => string

/** Names a tenant's tables with their schema: the search path of a connection is never trusted. */
export function tablesOf(schema: string): Table {
  return (name) => `"${schema}"."${name}"`
}

/** The channel on which commits of this tenant are announced. */
export function channelOf(schema: string): string {
  return `countersign_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`
}

/** The hash of the entry `$1`. Its line may be archived, after which only a span covers it. */
export function markedLeaf(table: Table): string {
  return `coalesce((SELECT leaf FROM ${table('entry')} WHERE seq = $1), (SELECT 'archived' FROM ${table('span')} WHERE "to" >= $1 LIMIT 1))`
}

/** Reads what every transaction checks first, the hash of the last entry, and the newest version of the list of gates. */
export function guardStatement(table: Table, marked: number): Statement {
  return {
    name: 'guard',
    text:
      `SELECT version, size, revision, gates, (SELECT leaf FROM ${table('entry')} WHERE seq = size) AS leaf, ` +
      `${markedLeaf(table)} AS marked FROM ${table('head')} WHERE one = 1`,
    values: [marked],
  }
}
