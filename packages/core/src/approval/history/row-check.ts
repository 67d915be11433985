import { isJsonObject } from '../../call/json/json.ts'
import { type JournalEntry, parseEntry } from '../../journal/entry.ts'
import type { Store, StoredCall } from '../../ports/store.ts'

/** Rows of one list that are compared. INVARIANT: L10. */
const MAX_ROWS = 1000

/** A row that is compared, with the decision it tells. */
export type CheckedRow = Pick<
  StoredCall,
  'id' | 'tool' | 'agent' | 'risk' | 'supervision' | 'rule' | 'callDigest' | 'outcome'
> & { readonly decision: { readonly kind: string; readonly approver: string } | null }

/**
 * Compares rows with the journal: a row can be edited, an entry cannot without showing. Returns the columns that disagree, by
 * the id of the call; `entries` if entries of the call are missing or filed under another call. SECURITY: A29.
 */
export async function rowsThatDisagree(
  rows: readonly CheckedRow[],
  store: Pick<Store, 'entriesOf' | 'spans'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const isRotated = (await store.spans()).length > 0
  for (const row of rows.slice(0, MAX_ROWS)) {
    const entries = (await store.entriesOf(row.id)).map(({ line }) => parseEntry(line))
    const wrong = disagreements(row, entries, isRotated)
    if (wrong.length > 0) found.set(row.id, wrong)
  }
  return found
}

/** Entries that were archived can't be compared. */
function disagreements(
  row: CheckedRow,
  entries: readonly (JournalEntry | undefined)[],
  isRotated: boolean,
): readonly string[] {
  const known = entries.filter((entry) => entry !== undefined && entry.call === row.id) as readonly JournalEntry[]
  const judged = known.filter(({ kind }) => kind === 'judged')
  if (known.length !== entries.length) return ['entries']
  if (judged.length === 0) return isRotated ? [] : ['entries']
  const wrong = COLUMNS.filter(([name, read]) => !judged.some((entry) => read(entry) === row[name])).map(
    ([name]) => name,
  )
  const { outcome, decision } = row
  if (outcome !== null && !known.some(({ kind }) => kind === outcome)) wrong.push('outcome')
  const isDecided = (entry: JournalEntry): boolean =>
    entry.kind === 'decided' && entry['decision'] === decision?.kind && entry['key'] === decision?.approver
  return decision === null || known.some(isDecided) ? wrong : [...wrong, 'decision']
}

type Column = 'tool' | 'agent' | 'risk' | 'supervision' | 'rule' | 'callDigest' | 'outcome'

const COLUMNS: readonly (readonly [Column, (entry: JournalEntry) => unknown])[] = [
  ['tool', (entry) => entry['tool']],
  ['agent', (entry) => (Array.isArray(entry['agent']) ? entry['agent'].join(' › ') : null)],
  ['risk', (entry) => (isJsonObject(entry['risk']) ? entry['risk']['level'] : null)],
  ['supervision', (entry) => entry['supervision']],
  ['rule', (entry) => (isJsonObject(entry['rule']) ? entry['rule']['id'] : null)],
  ['callDigest', (entry) => entry['digest']],
]
