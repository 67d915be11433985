import type { StoreRow, StoreTable, StoreValue } from '@countersign/core'
import type { Statement } from '../connection/client.ts'
import { stored } from '../read/values.ts'
import type { Table } from '../schema/schema.ts'
import { approverOf } from '../write/statements.ts'

const TYPES = { text: 'text', whole: 'bigint', real: 'double precision', bytes: 'bytea' } as const

/** The columns of a table. */
export function namesOf({ columns }: StoreTable): string {
  return columns.map(({ name }) => `"${name}"`).join(', ')
}

/** Inserts rows of another store in their order. */
export function insertStatement(table: Table, spec: StoreTable, rows: readonly StoreRow[]): Statement {
  const columns = [
    ...spec.columns.map(({ name, type }) => ({
      name,
      type: TYPES[type],
      values: rows.map((row) => written(row[name] ?? null)),
    })),
    ...(spec.name === 'call' ? [approvers(rows)] : []),
  ]
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')
  return {
    text:
      `INSERT INTO ${table(spec.name)} (${names}) SELECT ${names} ` +
      `FROM unnest(${arrays}) WITH ORDINALITY AS one (${names}, place) ORDER BY place`,
    values: columns.map(({ values }) => values),
  }
}

/** The column that SQLite reads from the decision. */
function approvers(rows: readonly StoreRow[]) {
  const values = rows.map(({ decision }) => {
    const approver = approverOf(typeof decision === 'string' ? decision : null)
    return approver === null ? null : stored(approver)
  })
  return { name: 'approver', type: 'text', values }
}

function written(value: StoreValue): unknown {
  if (typeof value === 'string') return stored(value)
  return value instanceof Uint8Array ? Buffer.from(value) : value
}
