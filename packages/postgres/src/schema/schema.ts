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

/** Reads what every transaction checks first, and which version of the list of gates is the newest. */
export function guardStatement(table: Table): Statement {
  return {
    name: 'guard',
    text: `SELECT version, size, revision, gates FROM ${table('head')} WHERE one = 1`,
    values: [],
  }
}
