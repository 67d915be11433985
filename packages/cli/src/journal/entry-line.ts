import { type JournalEntry, type Json, type SafeText, safeText, subjectOf } from '@countersign/core'
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
  return safeText(wordsOf(entry))
}

function wordsOf(entry: JournalEntry): string {
  const text = (field: string): string => textOf(entry[field])
  switch (entry.kind) {
    case 'opened':
      return joined([textOf(fieldOf(entry['places'], 'workspace')), prefixed('tier ', text('tier'))])
    case 'judged':
      return joined([text('supervision'), prefixed('by ', textOf(fieldOf(entry['rule'], 'id')))])
    case 'held':
      return typeof entry['expiresAt'] === 'number' ? `until ${timeText(entry['expiresAt']).slice(-8)}` : ''
    case 'notice':
      return joined([prefixed('by ', text('rule')), ...textsOf(entry['warnings'])])
    case 'decided':
      return joined([text('decision'), prefixed('by ', text('by')), prefixed('on ', text('surface')), text('reason')])
    case 'decision-refused':
    case 'refused':
      return joined([text('code'), text('message')])
    case 'started':
      return prefixed('approved by ', text('by'))
    case 'continued':
      return prefixed('round ', text('round'))
    case 'completed':
    case 'failed':
      return joined([prefixed('exit code ', text('exit')), text('detail')])
    case 'denied':
    case 'rejected':
    case 'expired':
    case 'withdrawn':
    case 'stale':
    case 'released':
    case 'unknown':
      return text('code')
    case 'feedback':
      return joined([text('answer'), prefixed('on ', text('surface'))])
    case 'override':
      return joined([text('checker'), prefixed('by ', text('by'))])
    case 'grant-given':
      return joined([
        textOf(fieldOf(entry['grant'], 'id')).slice(0, 8),
        prefixed('by ', textOf(fieldOf(entry['grant'], 'givenBy'))),
      ])
    case 'grant-used':
    case 'grant-revoked':
      return joined([text('grant').slice(0, 8), prefixed('by ', text('by'))])
    case 'policy-changed':
      return text('hash').slice(0, 16)
    case 'policy-refused':
      return textOf(Array.isArray(entry['problems']) ? (entry['problems'][0] as Json) : undefined)
    case 'rotated':
      return `entries ${text('from')} to ${text('through')} archived in ${text('archive')}`
    case 'pruned':
      return text('archive')
    case 'trusted':
    case 'untrusted':
      return joined([text('workspace'), text('digest').slice(0, 16)])
    case 'message-refused':
      return joined([text('server'), text('from'), text('what'), text('why')])
    case 'relayed':
    case 'tool-pinned':
    case 'tool-forgotten':
      return text('server')
    case 'tool-quarantined':
    case 'tool-reported':
    case 'tool-accepted':
      return joined([text('server'), text('tool'), text('why')])
    case 'server-signed-in':
    case 'server-signed-out':
      return joined([text('address'), prefixed('at ', text('issuer')), prefixed('by ', text('by'))])
    case 'key-made':
      return joined([text('name'), text('key')])
    default: // an entry kind of a later version: its fields are unknown
      return ''
  }
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : `${prefix}${text}`
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((one: Json) => textOf(one)) : []
}

function fieldOf(value: Json | undefined, field: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  return (value as { readonly [key: string]: Json })[field]
}
