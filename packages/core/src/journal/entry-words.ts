import type { Json } from '../call/json/json.ts'
import type { JournalEntry } from './entry.ts'
import { type EntryKind, isEntryKind } from './entry-kind.ts'

/** Writes a wall-clock time for the reader's place. */
type TimeWords = (at: number) => string

/**
 * What an entry tells besides its kind and its call, in a few words: who did what. Empty if there is nothing, or for a kind
 * of a later version. The text is redacted as in the journal, and not escaped.
 *
 * @example
 * entryWords(entry, String) // → approve by ana on terminal
 */
export function entryWords(entry: JournalEntry, time: TimeWords): string {
  return isEntryKind(entry.kind) ? joined(WORDS[entry.kind](entry, time)) : ''
}

/** A command that failed: its exit code is not told twice. */
export function exitWords(entry: JournalEntry): readonly string[] {
  const exit = entry['exit']
  const code = typeof exit === 'number' ? `exit code ${exit}` : ''
  return code === text(entry, 'detail') ? [code] : [code, text(entry, 'detail')]
}

type Words = (entry: JournalEntry, time: TimeWords) => readonly string[]

const code: Words = (entry) => [text(entry, 'code')]
const codeAndMessage: Words = (entry) => [text(entry, 'code'), text(entry, 'message')]
const server: Words = (entry) => [text(entry, 'server')]
const serverTool: Words = (entry) => [text(entry, 'server'), text(entry, 'tool'), text(entry, 'why')]
const signIn: Words = (entry) => [
  text(entry, 'address'),
  prefixed('at ', text(entry, 'issuer')),
  prefixed('by ', text(entry, 'by')),
]
const grant: Words = (entry) => [text(entry, 'grant').slice(0, 8), prefixed('by ', text(entry, 'by'))]
const trust: Words = (entry) => [text(entry, 'workspace'), text(entry, 'digest').slice(0, 16)]

/** Every kind has its words, so that no door opens without telling who used it. */
const WORDS: Readonly<Record<EntryKind, Words>> = {
  opened: (entry) => [textOf(fieldOf(entry['places'], 'workspace')), prefixed('tier ', text(entry, 'tier'))],
  judged: (entry) => [text(entry, 'supervision'), prefixed('by ', textOf(fieldOf(entry['rule'], 'id')))],
  held: (entry, time) => (typeof entry['expiresAt'] === 'number' ? [`until ${time(entry['expiresAt'])}`] : []),
  notice: (entry) => [prefixed('by ', text(entry, 'rule')), ...textsOf(entry['warnings'])],
  decided: (entry) => [
    text(entry, 'decision'),
    prefixed('by ', text(entry, 'by')),
    prefixed('on ', text(entry, 'surface')),
    text(entry, 'reason'),
  ],
  'decision-refused': codeAndMessage,
  backup: (entry) => [counted(entry, 'files', 'file'), counted(entry, 'bytes', 'byte')],
  started: (entry) => [prefixed('approved by ', text(entry, 'by'))],
  continued: (entry) => [prefixed('round ', text(entry, 'round'))],
  completed: exitWords,
  failed: exitWords,
  denied: code,
  rejected: code,
  expired: code,
  withdrawn: code,
  stale: code,
  released: code,
  refused: codeAndMessage,
  unknown: code,
  feedback: (entry) => [text(entry, 'answer'), prefixed('on ', text(entry, 'surface'))],
  override: (entry) => [text(entry, 'checker'), prefixed('by ', text(entry, 'by'))],
  'grant-given': (entry) => [
    textOf(fieldOf(entry['grant'], 'id')).slice(0, 8),
    prefixed('by ', textOf(fieldOf(entry['grant'], 'givenBy'))),
  ],
  'grant-used': grant,
  'grant-revoked': grant,
  'changes-seen': (entry) => [
    entry['everything'] === true ? 'everything' : counted(entry, 'count', 'file'),
    prefixed('in ', text(entry, 'workspace')),
    prefixed('by ', text(entry, 'by')),
  ],
  'policy-set': (entry) => [
    prefixed('change ', text(entry, 'change')),
    text(entry, 'what'),
    prefixed('by ', text(entry, 'by')),
    prefixed('on ', text(entry, 'surface')),
    text(entry, 'reason'),
  ],
  'policy-changed': (entry) => [text(entry, 'hash').slice(0, 16)],
  'policy-refused': (entry) => textsOf(entry['problems']).slice(0, 1),
  rotated: (entry) => [
    `entries ${text(entry, 'from')} to ${text(entry, 'through')} archived in ${text(entry, 'archive')}`,
  ],
  pruned: (entry) => [text(entry, 'archive')],
  trusted: trust,
  untrusted: trust,
  relayed: server,
  'message-refused': (entry) => [text(entry, 'server'), text(entry, 'from'), text(entry, 'what'), text(entry, 'why')],
  'tool-pinned': server,
  'tool-quarantined': serverTool,
  'tool-reported': (entry) => [...serverTool(entry, String), text(entry, 'about')],
  'tool-accepted': (entry) => [text(entry, 'server'), text(entry, 'tool'), prefixed('by ', text(entry, 'by'))],
  'tool-forgotten': (entry) => [
    text(entry, 'server'),
    ...textsOf(entry['tools']).slice(0, 5),
    prefixed('by ', text(entry, 'by')),
  ],
  'server-signed-in': signIn,
  'server-signed-out': signIn,
  'clock-changed': (entry) => [text(entry, 'difference'), `${entry['offset']} ms`],
  'gates-changed': (entry) => [`version ${entry['version']}`, prefixed('by gate ', text(entry, 'by'))],
  'key-made': (entry) => [text(entry, 'name'), text(entry, 'key')],
  'key-removed': (entry) => [text(entry, 'key'), prefixed('by ', text(entry, 'by'))],
  'home-copied': (entry) => [
    text(entry, 'how'),
    prefixed('to ', text(entry, 'to')),
    prefixed('by ', text(entry, 'by')),
  ],
  'store-copied': (entry) => [prefixed('to ', text(entry, 'to')), prefixed('by ', text(entry, 'by'))],
  'home-restored': (entry) => [prefixed('from ', text(entry, 'from')), prefixed('by ', text(entry, 'by'))],
  'key-recovered': (entry) => [
    text(entry, 'key'),
    prefixed('in the place of ', text(entry, 'replaces')),
    prefixed('by ', text(entry, 'by')),
  ],
  'recovery-refused': (entry) => [prefixed('by ', text(entry, 'by')), counted(entry, 'left', 'attempt', ' left')],
  'recovery-codes-made': (entry) => [text(entry, 'key'), prefixed('by ', text(entry, 'by'))],
}

function counted(entry: JournalEntry, field: string, noun: string, after = ''): string {
  const count = entry[field]
  return typeof count === 'number' ? `${count} ${noun}${count === 1 ? '' : 's'}${after}` : ''
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

function prefixed(prefix: string, words: string): string {
  return words === '' ? '' : `${prefix}${words}`
}

function text(entry: JournalEntry, field: string): string {
  return textOf(entry[field])
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
