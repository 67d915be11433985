import { entryWords, type JournalEntry, type Json, type SafeText, safeText, subjectOf } from '@countersign/core'
import { timeText } from '@countersign/terminal/card'
import { layRow } from '../terminal/layout.ts'

/** Facts about the call of an entry, if known. */
export interface CallFacts {
  readonly tool: string
  readonly risk: string
  /** The command, file or URL it is about. */
  readonly subject?: string
}

/** How to draw an entry. */
export interface EntryLook {
  /** The name of the call in lists. */
  readonly name: SafeText
  readonly columns: number
}

const WIDTHS = [19, 9, 8, 8, 0]

const LONGEST_SUBJECT = 48

/** An entry as one line: time, kind, call, risk, tool with its command or file, and outcome. */
export function entryLine(entry: JournalEntry, facts: CallFacts | undefined, { name, columns }: EntryLook): string {
  const cells = [timeText(entry.at), safeText(entry.kind), name]
  if (facts !== undefined) cells.push(safeText(facts.risk), safeText(whatText(facts)))
  return layRow([...cells, outcomeText(entry)], WIDTHS, columns)
}

function whatText({ tool, subject = '' }: CallFacts): string {
  const cut = subject.length > LONGEST_SUBJECT ? `${subject.slice(0, LONGEST_SUBJECT).toWellFormed()}…` : subject
  return joined([tool, cut])
}

/** The facts in a `judged` entry. */
export function factsOf(entry: JournalEntry): CallFacts | undefined {
  if (entry.kind !== 'judged') return undefined
  return { tool: textOf(entry['tool']), risk: textOf(fieldOf(entry['risk'], 'level')), subject: subjectOf(entry) }
}

/** SECURITY: A12 entries quote agents and files, so all text is escaped for the terminal. */
function outcomeText(entry: JournalEntry): SafeText {
  return safeText(entryWords(entry, (at) => timeText(at).slice(-8)))
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function fieldOf(value: Json | undefined, field: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  return (value as { readonly [key: string]: Json })[field]
}
