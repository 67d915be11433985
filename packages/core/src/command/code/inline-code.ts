import type { CommandWord } from '../model/decomposition.ts'
import type { Language } from './language-syntax.ts'

/** Code that an interpreter is given on its command line or through its input. */
export interface InlineCode {
  readonly language: Language
  /** Its text; where it is not fully known, as it is written. */
  readonly text: string
  readonly known: boolean
  /** Where the words behind the code start: files the code is run over, or its arguments. */
  readonly next: number
}

interface Interpreter {
  readonly language: Language
  /** Letters of short options that take code, and whether the code may be joined to them. */
  readonly short: string
  /** Long options that take code. */
  readonly long: readonly string[]
  /** Short options that take another value: code stands behind them, not in them. */
  readonly valued: string
}

const interpreter = (language: Language, short: string, long = '', valued = ''): Interpreter => ({
  language,
  short,
  long: long.split(' ').filter((name) => name !== ''),
  valued,
})

const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map([
  ['python', interpreter('python', 'c', '', 'WXm')],
  ['node', interpreter('node', 'ep', '--eval --print', 'rC')],
  ['bun', interpreter('node', 'ep', '--eval --print', 'r')],
  ['deno', interpreter('node', '', 'eval')],
  ['perl', interpreter('perl', 'eE', '', 'IMmFiDVx')],
  ['ruby', interpreter('ruby', 'e', '', 'IrFEWi0KTx')],
  ['php', interpreter('php', 'rBRE', '--run', 'dcf')],
  ['lua', interpreter('lua', 'e', '', 'l')],
  ['rscript', interpreter('r', 'e')],
  ['osascript', interpreter('osascript', 'e', '', 'l')],
  ['elixir', interpreter('other', 'e', '--eval')],
  ['julia', interpreter('other', 'eE', '--eval --print')],
  ['groovy', interpreter('other', 'e')],
  ['scala', interpreter('other', 'e')],
  ['clojure', interpreter('other', 'e', '--eval')],
  ['guile', interpreter('other', 'c')],
  ['racket', interpreter('other', 'e', '--eval')],
  ['sbcl', interpreter('other', '', '--eval')],
  ['tclsh', interpreter('other', '')],
  ['octave', interpreter('other', '', '--eval')],
  ['erl', interpreter('other', '', '-eval -run -s')],
  ['ghc', interpreter('other', 'e', '', 'oiIXWfOtHLlDUcCSp')],
  ['jshell', interpreter('other', '')],
])

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['nodejs', 'node'],
  ['tsx', 'node'],
  ['ts-node', 'node'],
  ['pypy', 'python'],
  ['luajit', 'lua'],
  ['r', 'rscript'],
  ['iex', 'elixir'],
  ['clj', 'clojure'],
  ['irb', 'ruby'],
  ['octave-cli', 'octave'],
  ['runghc', 'ghc'],
  ['runhaskell', 'ghc'],
  ['ghci', 'ghc'],
  ['amm', 'scala'],
  ['ipython', 'python'],
])

/** Every name of an interpreter, with the one it stands for. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...[...INTERPRETERS.keys()].map((name) => [name, name] as const),
  ...ALIASES,
])

/** The interpreter a name stands for: `python3.12` is `python`. */
export function interpreterOf(program: string): string | null {
  const named = NAMES.get(program)
  if (named !== undefined) return named
  const last = program.charCodeAt(program.length - 1)
  if (last < 48 || last > 57) return null
  const versioned = /^([a-z]{3,9})[\d.]{1,9}$/.exec(program)?.[1]
  if (versioned === undefined) return null
  const name = ALIASES.get(versioned) ?? versioned
  return INTERPRETERS.has(name) ? name : null
}

/** Names of programs that run awk code. */
export const AWKS: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk', 'goawk'])

type Stdin = { readonly kind: string; readonly text?: string }

/** The code an interpreter is given: by option, or through its input when it has no script. Null when there is none. */
export function inlineCode(program: string, args: readonly CommandWord[], stdin: Stdin): InlineCode | null {
  if (AWKS.has(program)) return awkCode(args)
  const name = interpreterOf(program)
  const known = name === null ? undefined : INTERPRETERS.get(name)
  if (known === undefined) return null
  const found: CommandWord[] = []
  let next = args.length
  let script: CommandWord | undefined
  for (let at = 0; at < args.length && script === undefined; at++) {
    const word = args[at]
    if (word === undefined) break
    // What follows a module's name is for the module.
    if (known.language === 'python' && /^-[bBdEiIOqsSuvx]*m/.test(word.value ?? '')) return null
    const taken = takesCode(known, word, args[at + 1])
    if (taken === 'value') at++
    else if (taken === 'code') found.push(args[++at] ?? word)
    else if (taken !== null) found.push(taken)
    if (taken !== null) next = at + 1
    else if (word.value === null || !word.value.startsWith('-') || word.value === '-') script = word
  }
  if (found.length > 0) return joined(known.language, found, next)
  const read = script === undefined || script.value === '-' || script.value === '/dev/stdin'
  const asked = args.some(
    ({ value }) => value !== null && /^(?:-m|--test|--check|-V|--version|-h|--help|-l|-v)$/.test(value),
  )
  if (!read || asked || stdin.kind !== 'literal') return null
  return { language: known.language, text: stdin.text ?? '', known: true, next: args.length }
}

/** Whether a word takes the next as code or as another value, or carries code itself. */
function takesCode(
  known: Interpreter,
  word: CommandWord,
  next: CommandWord | undefined,
): 'code' | 'value' | CommandWord | null {
  const value = word.value ?? unquoted(word.text)
  if (known.long.includes(value)) return 'code'
  const long = known.long.find((name) => value.startsWith(`${name}=`))
  if (long !== undefined) return { ...word, value: word.value?.slice(long.length + 1) ?? null }
  if (!/^-[A-Za-z0-9]/.test(value)) return null
  for (let at = 1; at < value.length; at++) {
    const letter = value[at] ?? ''
    const last = at === value.length - 1
    if (known.short.includes(letter)) {
      if (last) return 'code'
      // `-pe code` in node is `-p -e code`; elsewhere what follows the letter is the code.
      if (known.language === 'node') continue
      return { text: word.text, value: word.value === null ? null : value.slice(at + 1), glob: false }
    }
    if (known.valued.includes(letter))
      return last && 'WXrCmIEdcf'.includes(letter) && next !== undefined ? 'value' : null
    if (!/[A-Za-z0-9]/.test(letter)) return null
  }
  return null
}

function joined(language: Language, words: readonly CommandWord[], next: number): InlineCode {
  return {
    language,
    text: words.map((word) => word.value ?? unquoted(word.text)).join('\n'),
    known: words.every((word) => word.value !== null),
    next,
  }
}

function unquoted(text: string): string {
  return /^(["'])[\s\S]*\1$/.test(text) ? text.slice(1, -1) : text
}

const AWK_VALUES = new Set([
  '-F',
  '-v',
  '--assign',
  '--field-separator',
  '-f',
  '--file',
  '-i',
  '--include',
  '-l',
  '--load',
])

/** awk's program: its first plain word. */
function awkCode(args: readonly CommandWord[]): InlineCode | null {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) break
    if (word.value === '-e' || word.value === '--source') return joined('awk', args.slice(at + 1, at + 2), at + 2)
    if (word.value === '-f' || word.value === '--file') return null
    if (word.value !== null && AWK_VALUES.has(word.value)) at++
    else if (word.value === null || !word.value.startsWith('-')) return joined('awk', [word], at + 1)
  }
  return null
}
