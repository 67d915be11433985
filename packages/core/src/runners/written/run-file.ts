import { shellQuote } from '../../call/arguments/command-words.ts'
import type { RunFileRow, RunKeys } from '../../knowledge/commands.ts'
import { RUN_FILES } from '../../knowledge/compiled/commands.ts'
import { recipeLeaves } from './make-recipes.ts'
import { type Leaf, leavesOf } from './value-leaves.ts'

/** Something that a file makes other programs run, or a setting that changes what they run. */
export interface Trigger {
  /** Shell code; null for a setting whose value is not run as it is. */
  readonly code: string | null
  /** The keys of the setting, joined by dots; empty if the whole file is code. */
  readonly key: string
  readonly line: number
  /** Completes "runs …", or "this setting …" if there is no code. */
  readonly effect: string
  /** Of a setting. */
  readonly level?: 'medium' | 'high'
}

/** What a file makes others run; `unreadable` if its text is not of the format. */
export type Triggers = { readonly kind: 'triggers'; readonly all: readonly Trigger[] } | { readonly kind: 'unreadable' }

const NOTHING: Triggers = { kind: 'triggers', all: [] }
const MAX_TEXT = 1024 * 1024

/** The rows of knowledge about a file, by its path below the workspace; empty if nothing runs it by its name. */
export function rowsOf(path: string): readonly RunFileRow[] {
  const lower = path.toLowerCase()
  return RUN_FILES.files.filter(({ files }) => files.some((pattern) => endsLike(lower, pattern)))
}

/** What the text of a file makes others run. */
export function triggersIn(rows: readonly RunFileRow[], text: string | undefined): Triggers {
  if (text === undefined || text === '') return NOTHING
  if (text.length > MAX_TEXT) return { kind: 'unreadable' }
  const all: Trigger[] = []
  for (const row of rows) {
    const found = triggersOf(row, text)
    if (found === null) return { kind: 'unreadable' }
    all.push(...found)
  }
  return { kind: 'triggers', all }
}

function triggersOf(row: RunFileRow, text: string): readonly Trigger[] | null {
  const { format, when = 'later' } = row
  const whole = (code: string): readonly Trigger[] => [{ code, key: '', line: 1, effect: when }]
  switch (format) {
    case 'shell':
      return whole(text)
    case 'python':
    case 'ruby':
      return whole(`${format} ${format === 'python' ? '-c' : '-e'} ${shellQuote(text)}`)
    case 'node':
      return whole(`node -e ${shellQuote(text)}`)
    case 'pth':
      return text
        .split('\n')
        .flatMap((line, at) =>
          /^import[\s;]/.test(line)
            ? [{ code: `python -c ${shellQuote(line)}`, key: '', line: at + 1, effect: when }]
            : [],
        )
    case 'make':
      return recipeLeaves(text).map(({ value, line }) => ({ code: codeOf(value), key: '', line, effect: when }))
    default:
      return leavesOf(text, format)?.flatMap((leaf) => keyed(row, leaf)) ?? null
  }
}

function keyed({ runs = [], settings = [] }: RunFileRow, leaf: Leaf): readonly Trigger[] {
  const key = leaf.keys.join('.').toLowerCase()
  const { line, shape, value } = leaf
  const run = runs.find((one) => isNamed(one, key, leaf))
  if (run !== undefined && (shape !== 'list' || run.argv === true))
    return [{ code: codeOf(value), key, line, effect: run.when ?? 'later' }]
  const setting = settings.find((one) => isNamed(one, key, leaf))
  if (setting === undefined) return []
  const { effect = 'changes what runs', level = 'high' } = setting
  return [{ code: null, key, line, effect, level }]
}

function isNamed({ keys, value, argv }: RunKeys, key: string, leaf: Leaf): boolean {
  // The words of a command that is written as a list are not commands.
  if (argv === true && /\.\d+$/.test(key) && typeof leaf.value === 'string') return false
  return (
    keys.some((pattern) => keyMatcher(pattern)(key)) &&
    (value === undefined || new RegExp(value).test(String(leaf.value)))
  )
}

/** `!` starts a shell command in git’s aliases. */
function codeOf(value: Leaf['value']): string {
  return typeof value === 'string' ? value.replace(/^!/, '') : value.map(shellQuote).join(' ')
}

const matchers = new Map<string, (key: string) => boolean>()

/** `*` is one key or part of one, `**` any text. */
function keyMatcher(pattern: string): (key: string) => boolean {
  const known = matchers.get(pattern)
  if (known !== undefined) return known
  const source = pattern
    .toLowerCase()
    .split(/(\*\*|\*)/)
    .map((piece) => (piece === '**' ? '.*' : piece === '*' ? '[^.]*' : piece.replace(/[.\\+?^${}()|[\]]/g, '\\$&')))
    .join('')
  const expression = new RegExp(`^${source}$`)
  const matches = (key: string): boolean => expression.test(key)
  matchers.set(pattern, matches)
  return matches
}

/** Whether a path is, or ends in, a name with `*` for any text without a slash. */
function endsLike(path: string, pattern: string): boolean {
  if (!pattern.includes('*')) return path === pattern || path.endsWith(`/${pattern}`)
  const names = pattern.split('/')
  const last = path.split('/').slice(-names.length)
  return (
    last.length === names.length &&
    names.every((name, at) => keyMatcher(name.replaceAll('.', '\u0001'))((last[at] ?? '').replaceAll('.', '\u0001')))
  )
}
