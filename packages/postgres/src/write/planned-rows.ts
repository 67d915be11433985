import type { Committed } from '@countersign/core'

/** What became of one change of a group; its error when it alone was refused. */
export type Written = { readonly committed: Committed } | { readonly error: unknown }

/** Another gate added this version of the list of gates first. */
export class GateListMoved extends Error {}

/** Sets a row, and notes how to take that back. */
export function setRow<T>(rows: Map<string, T>, id: string, row: T, undo: (() => void)[]): void {
  const before = rows.get(id)
  rows.set(id, row)
  undo.push(() => (before === undefined ? rows.delete(id) : rows.set(id, before)))
}

/** The columns that are given. */
export function withoutUndefined<T extends object>(columns: T): Partial<T> {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<T>
}
