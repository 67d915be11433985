import { OUTCOMES } from '../approval/outcome/outcome.ts'
import { canonicalJson } from '../call/json/canonical.ts'
import { isJsonObject, type Json } from '../call/json/json.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { EntryKind } from '../journal/entry-kind.ts'
import { CSV_START, csvRow, cutCell } from './csv.ts'

/** New rows of the two tables. */
export interface TableRows {
  readonly calls: string
  readonly decisions: string
}

/** Entries as two tables for a spreadsheet: one row per call, and one per decision. The same entries give the same bytes. */
export interface CallTables {
  /** The rows that are complete with this entry. */
  take(entry: JournalEntry): TableRows
  /** The calls that did not end. */
  end(): TableRows
}

const CALL_COLUMNS = [
  'call',
  'asked (UTC)',
  'tool',
  'agent',
  'arguments (redacted)',
  'risk',
  'supervision',
  'rule',
  'policy',
  'decision',
  'decided by',
  'approver key',
  'decided (UTC)',
  'surface',
  'reason',
  'edited',
  'outcome',
  'ended (UTC)',
  'first entry',
  'last entry',
]

const DECISION_COLUMNS = [
  'entry',
  'decided (UTC)',
  'call',
  'decision',
  'by',
  'approver key',
  'surface',
  'signed (UTC)',
  'reason',
  'edited arguments (redacted)',
  'grant',
  'request digest',
  'signature',
]

/** The first rows of the tables. */
export const TABLE_HEADS: TableRows = {
  calls: CSV_START + csvRow(CALL_COLUMNS),
  decisions: CSV_START + csvRow(DECISION_COLUMNS),
}

const NOTHING: TableRows = { calls: '', decisions: '' }

/** `refused` is not the end: a second call with the id of a running one is refused, too. */
const ENDS: ReadonlySet<EntryKind> = new Set<EntryKind>(OUTCOMES.filter((outcome) => outcome !== 'refused'))

/** INVARIANT: L10 calls without an end that are remembered; the oldest gets its row early. */
const MOST_OPEN = 10_000

/** Cells only, no entries: a journal may have thousands of open calls with long arguments. */
interface OpenCall {
  readonly first: { readonly seq: number; readonly at: number }
  last: number
  judged: readonly string[]
  decided: readonly string[]
  outcome: string
  endedAt?: number
}

const NO_JUDGED = ['', '', '', '', '', '', '']
const NO_DECIDED = ['', '', '', '', '', '', '']

export function createCallTables(): CallTables {
  const open = new Map<string, OpenCall>()

  function callRows(entry: JournalEntry): string {
    const { call: id } = entry
    if (id === null) return ''
    const call = open.get(id)
    // Feedback about a call that ended is in the journal only.
    if (call === undefined && entry.kind === 'feedback') return ''
    const { seq, at } = entry
    const now: OpenCall = call ?? {
      first: { seq, at },
      last: seq,
      judged: NO_JUDGED,
      decided: NO_DECIDED,
      outcome: 'open',
    }
    now.last = seq
    if (entry.kind === 'judged') now.judged = judgedCells(entry)
    if (entry.kind === 'decided') now.decided = decidedCells(entry)
    const isEnd = ENDS.has(entry.kind)
    if (isEnd || entry.kind === 'refused') {
      now.outcome = entry.kind
      now.endedAt = entry.at
    }
    if (isEnd) {
      open.delete(id)
      return rowOf(id, now)
    }
    if (call !== undefined) return ''
    open.set(id, now)
    if (open.size <= MOST_OPEN) return ''
    const [oldest] = open
    if (oldest === undefined) return ''
    open.delete(oldest[0])
    return rowOf(...oldest)
  }

  return {
    take(entry) {
      if (entry.call === null) return NOTHING
      return { calls: callRows(entry), decisions: entry.kind === 'decided' ? decisionRow(entry) : '' }
    },
    end() {
      const calls = [...open].map(([id, call]) => rowOf(id, call)).join('')
      open.clear()
      return { calls, decisions: '' }
    },
  }
}

function rowOf(id: string, { first, last, judged, decided, outcome, endedAt }: OpenCall): string {
  return csvRow([id, timeOf(first.at), ...judged, ...decided, outcome, timeOf(endedAt), first.seq, last])
}

function judgedCells(entry: JournalEntry): readonly string[] {
  return [
    entry['tool'],
    agentOf(entry['agent']),
    entry['args'],
    fieldOf(entry['risk'], 'level'),
    entry['supervision'],
    fieldOf(entry['rule'], 'id'),
    entry['policy'],
  ].map(keptText)
}

function decidedCells(entry: JournalEntry): readonly string[] {
  const { decision, by, key, surface, reason, edited = null } = entry
  const isEdited = edited === null ? 'no' : 'yes'
  return [decision, by, key, timeOf(entry.at), surface, reason, isEdited].map(keptText)
}

/** Cut as its cell will be, and copied: a part of a string keeps all of it in memory. */
function keptText(value: Json | undefined): string {
  return JSON.parse(JSON.stringify(cutCell(textOf(value)))) as string
}

function decisionRow(entry: JournalEntry): string {
  return csvRow([
    entry.seq,
    timeOf(entry.at),
    entry.call,
    textOf(entry['decision']),
    textOf(entry['by']),
    textOf(entry['key']),
    textOf(entry['surface']),
    timeOf(entry['signedAt']),
    textOf(entry['reason']),
    textOf(entry['edited']),
    textOf(entry['grant']),
    textOf(entry['request']),
    textOf(entry['signature']),
  ])
}

/** Dates past the year 9999 and before 1970 stay numbers: spreadsheets do not know them. */
const LAST_DATE = 253_402_300_799_999

function timeOf(at: unknown): string {
  if (typeof at !== 'number') return ''
  return Number.isSafeInteger(at) && at >= 0 && at <= LAST_DATE ? new Date(at).toISOString() : String(at)
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : canonicalJson(value)
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? (value[name] as Json | undefined) : undefined
}

function agentOf(value: Json | undefined): string {
  return Array.isArray(value) ? value.map((name: Json) => textOf(name)).join(' › ') : textOf(value)
}
