import { isArray } from '../call/json/canonical.ts'
import type { Json } from '../call/json/json.ts'
import type { JournalEntry } from './entry.ts'
import { ENTRY_KINDS, isEntryKind } from './entry-kind.ts'
import { exitWords } from './entry-words.ts'

/** One step of a call, in words. The texts are redacted as in the journal, and not escaped. */
export interface StoryStep {
  readonly at: number
  readonly kind: string
  readonly words: string
  /** More about it, one text per line. */
  readonly details: readonly string[]
}

const LONGEST_SUBJECT = 120
const MOST_REASONS = 5

/**
 * The command, path, URL or query of a call, from its `judged` entry; otherwise the files it touches, or its arguments.
 *
 * @example
 * subjectOf(entry) // → git push origin main
 */
export function subjectOf(entry: JournalEntry): string {
  const args = entry['args']
  const given = isObject(args) ? args : {}
  const named = SUBJECTS.map((name) => wordsIn(given[name])).find((text) => text !== '')
  const said = named ?? pathsIn(entry) ?? (Object.keys(given).length > 0 ? JSON.stringify(given) : '')
  const line = said.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_SUBJECT ? `${line.slice(0, LONGEST_SUBJECT).toWellFormed()}…` : line
}

const SUBJECTS = ['command', 'cmd', 'argv', 'path', 'file_path', 'file', 'url', 'sql', 'query']

const MOST_PATHS = 3

/** The files that the call touches, as it named them; undefined if it names none. */
function pathsIn(entry: JournalEntry): string | undefined {
  const paths = fieldOf(entry['circumstances'], 'paths')
  const named = Array.isArray(paths) ? paths.flatMap((path) => (isArray(path) ? textOf(path[0]) : [])) : []
  const all = [...new Set(named.filter((path) => path !== ''))]
  if (all.length === 0) return undefined
  return [
    ...all.slice(0, MOST_PATHS),
    ...(all.length > MOST_PATHS ? [`and ${all.length - MOST_PATHS} more`] : []),
  ].join(' ')
}

/** A text, or the words of a command. */
function wordsIn(value: Json | undefined): string {
  return Array.isArray(value) ? textsOf(value).join(' ') : textOf(value)
}

/**
 * Everything that happened to one call, from its entries: judged, held, decided by whom, started, ended.
 *
 * @example
 * for (const { words } of callStory(entries)) console.log(words)
 */
export function callStory(entries: readonly JournalEntry[]): readonly StoryStep[] {
  let startedAt: number | null = null
  return entries.map((entry) => {
    if (entry.kind === 'started') startedAt = entry.at
    const took = isEnd(entry.kind) && startedAt !== null ? entry.at - startedAt : null
    return { at: entry.at, kind: entry.kind, ...stepOf(entry, took) }
  })
}

function isEnd(kind: string): boolean {
  return kind === 'completed' || kind === 'failed' || kind === 'unknown' || kind === 'released'
}

type Told = Pick<StoryStep, 'words' | 'details'>

function stepOf(entry: JournalEntry, tookMs: number | null): Told {
  const text = (field: string): string => textOf(entry[field])
  switch (entry.kind) {
    case 'judged':
      return judgedStep(entry)
    case 'held':
      return told('waited for a person')
    case 'decided':
      return told(
        `${text('decision') === 'approve' ? 'approved' : 'rejected'} by ${text('by')} ${surfaceWords(text('surface'))}`,
        text('reason') === '' ? '' : `“${text('reason')}”`,
        entry['edited'] == null ? '' : 'with edited arguments',
        entry['grant'] == null ? '' : 'and allowed similar calls',
      )
    case 'started': {
      const by = text('by')
      const where = entry['contain'] == null ? '' : ' in the sandbox'
      return told(`started${where}${by === '' ? ', no approval needed' : ''}`)
    }
    case 'backup':
      return told('copies of what it changes were made')
    case 'completed':
    case 'failed':
      return endedStep(entry, tookMs)
    case 'override':
      return told(`approved although the check ${text('checker')} failed`)
    case 'grant-used':
      return told(`allowed by the grant ${text('grant').slice(0, 8)}`)
    case 'feedback':
      return told(
        `${surfaceWords(text('surface'))}: ${text('answer') === 'worth-asking' ? 'worth asking' : 'not worth asking'}`,
      )
    default: {
      const what = isEntryKind(entry.kind) ? ENTRY_KINDS[entry.kind] : entry.kind
      const code = [text('code'), text('message')].filter((part) => part !== '').join(': ')
      return told(`${entry.kind}: ${what}`, code, tookMs === null ? '' : `after ${secondsOf(tookMs)}`)
    }
  }
}

function judgedStep(entry: JournalEntry): Told {
  const rule = textOf(fieldOf(entry['rule'], 'id'))
  const level = textOf(fieldOf(entry['risk'], 'level'))
  const because = [...textsOf(entry['because']), ...textsOf(fieldOf(entry['risk'], 'reasons'))]
  const more = because.length > MOST_REASONS ? [`and ${because.length - MOST_REASONS} more reasons`] : []
  const said = textOf(entry['said'])
  const reasoning = textOf(entry['reasoning'])
  return told(
    `judged: ${level === 'none' ? 'no' : level} risk, ${textOf(entry['supervision'])} by the rule ${rule}`,
    ...because.slice(0, MOST_REASONS),
    ...more,
    said === '' ? '' : `the agent said: “${said}”`,
    reasoning === '' ? '' : `the agent thought: “${reasoning}”`,
  )
}

function endedStep(entry: JournalEntry, tookMs: number | null): Told {
  const exit = entry['exit']
  const facts = [
    ...(typeof exit === 'number' ? [`exit code ${exit}`] : []),
    ...(tookMs === null ? [] : [`after ${secondsOf(tookMs)}`]),
  ]
  const output = textOf(entry['output'])
  return told(
    [entry.kind, ...facts].join(', '),
    ...(typeof exit === 'number' ? exitWords(entry).slice(1) : [textOf(entry['detail'])]),
    ...(output === '' ? [] : ['the end of its output:', ...output.split('\n').map((line) => `  ${line}`)]),
  )
}

function told(words: string, ...details: readonly string[]): Told {
  return { words, details: details.filter((one) => one !== '') }
}

function surfaceWords(surface: string): string {
  return surface === 'web' ? 'in the inbox' : `in the ${surface}`
}

function secondsOf(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

function fieldOf(value: Json | undefined, field: string): Json | undefined {
  return isObject(value) ? value[field] : undefined
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
