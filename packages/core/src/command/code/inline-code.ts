import { type InterpreterRow, type Language, shellKnowledge, shellNames } from '../../knowledge/shell.ts'
import type { CommandWord } from '../model/decomposition.ts'

/** Code that an interpreter gets on its command line or from its standard input. */
export interface InlineCode {
  readonly language: Language
  /** The text; as written where parts are unknown. */
  readonly text: string
  readonly known: boolean
  /** The index of the first word after the code: its input files or arguments. */
  readonly next: number
}

/** The interpreter that a program is: `python3.12` is `python`. */
export function interpreterOf(program: string): string | null {
  const { interpreters, interpreter_aliases: aliases } = shellKnowledge()
  if (Object.hasOwn(interpreters, program)) return program
  if (Object.hasOwn(aliases, program)) return aliases[program] ?? null
  const last = program.charCodeAt(program.length - 1)
  if (last < 48 || last > 57) return null
  const versioned = /^([a-z]{3,9})[\d.]{1,9}$/.exec(program)?.[1]
  if (versioned === undefined) return null
  const name = Object.hasOwn(aliases, versioned) ? (aliases[versioned] ?? versioned) : versioned
  return Object.hasOwn(interpreters, name) ? name : null
}

/** Programs that run awk code. */
export const AWKS = shellNames('awk')

type Stdin = { readonly kind: string; readonly text?: string }

/** The code of an interpreter: by option, or from standard input when it has no script. Null without code. */
export function inlineCode(program: string, args: readonly CommandWord[], stdin: Stdin): InlineCode | null {
  if (AWKS.has(program)) return awkCode(args)
  const name = interpreterOf(program)
  const known = name === null ? undefined : shellKnowledge().interpreters[name]
  if (known === undefined) return null
  const found: CommandWord[] = []
  let next = args.length
  let script: CommandWord | undefined
  for (let at = 0; at < args.length && script === undefined; at++) {
    const word = args[at]
    if (word === undefined) break
    // The words after a module's name belong to the module.
    if (known.language === 'python' && /^-[bBdEiIOqsSuvx]*m/.test(word.value ?? '')) return moduleCode(args, at)
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

/** Options of `timeit` and `pdb` with a value that is not code. */
const OTHER_VALUES = /^(?:-[nru]|--number|--repeat|--unit)$/

/** The code that `python -m timeit` and `python -m pdb -c` run. */
function moduleCode(args: readonly CommandWord[], at: number): InlineCode | null {
  const joinedName = /m(.+)$/s.exec(args[at]?.value ?? '')?.[1]
  const name = joinedName ?? args[at + 1]?.value ?? null
  if (name !== 'timeit' && name !== 'pdb') return null
  const found: CommandWord[] = []
  for (let next = at + (joinedName === undefined ? 2 : 1); next < args.length; next++) {
    const word = args[next]
    const value = word?.value ?? null
    if (word === undefined) break
    if (value !== null && OTHER_VALUES.test(value)) next++
    else if (value === (name === 'pdb' ? '-c' : '-s')) found.push(...args.slice(++next, next + 1))
    else if (value === null || !value.startsWith('-')) {
      if (name === 'pdb') break
      found.push(word)
    }
  }
  if (found.length === 0) return null
  // A command of the debugger that starts with `!` is a statement.
  const code = joined('python', found, args.length)
  return name === 'pdb' ? { ...code, text: code.text.replace(/^\s*!/gm, '') } : code
}

/** Whether a word takes the next one as code or as another value, or holds code itself. */
function takesCode(
  known: InterpreterRow,
  word: CommandWord,
  next: CommandWord | undefined,
): 'code' | 'value' | CommandWord | null {
  const value = word.value ?? unquoted(word.text)
  if (known.code_options.includes(value)) return 'code'
  const long = known.code_options.find((name) => value.startsWith(`${name}=`))
  if (long !== undefined) return { ...word, value: word.value?.slice(long.length + 1) ?? null }
  if (!/^-[A-Za-z0-9]/.test(value)) return null
  for (let at = 1; at < value.length; at++) {
    const letter = value[at] ?? ''
    const last = at === value.length - 1
    if (known.code_letters.includes(letter)) {
      if (last) return 'code'
      // `-pe code` in node is `-p -e code`; elsewhere the code follows the letter.
      if (known.language === 'node') continue
      return { text: word.text, value: word.value === null ? null : value.slice(at + 1), glob: false }
    }
    if (known.value_letters.includes(letter))
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

const AWK_VALUE_OPTIONS = shellNames('awk_value_options')

/** The program of awk: its first plain word. */
function awkCode(args: readonly CommandWord[]): InlineCode | null {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) break
    if (word.value === '-e' || word.value === '--source') return joined('awk', args.slice(at + 1, at + 2), at + 2)
    if (word.value === '-f' || word.value === '--file') return null
    if (word.value !== null && AWK_VALUE_OPTIONS.has(word.value)) at++
    else if (word.value === null || !word.value.startsWith('-')) return joined('awk', [word], at + 1)
  }
  return null
}
