import { shellNames } from '../../knowledge/shell.ts'
import type { ShellWord } from '../expansion/words.ts'
import type { CommandWord } from '../model/decomposition.ts'
import { stepOverOptions } from '../programs/option-parser.ts'
import type { Inner } from './nested-command.ts'

/** Programs that run shell code. */
export const SHELLS = shellNames('shells')

const TABLE = { short: 'oO', long: ['rcfile', 'init-file', 'command', 'init-command'] }

/** How a shell is started: with code or a script at a word, or to read its standard input. */
export type ShellWords =
  | { readonly kind: 'code' | 'script'; readonly at: number; readonly from: number }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'unknown' }

/** What a shell runs: code, a script file, or its standard input. */
export type ShellUse =
  | { readonly kind: 'code'; readonly inner: Inner }
  | { readonly kind: 'script'; readonly file: string }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'unknown' }

/** Finds the code or script among the words of a shell, without its name. */
export function readShellWords(args: readonly CommandWord[]): ShellWords {
  // `+o name` switches an option off and also takes a value.
  const words = args.some((word) => word.value?.startsWith('+') === true) ? args.map(switchedOff) : args
  const options = stepOverOptions(words, 0, TABLE)
  const separate = options.found.find((option) => option.name === '--command')?.value
  if (separate) return { kind: 'code', at: separate.at, from: separate.from }
  if (options.found.some((option) => option.name === '-c'))
    return options.next < words.length ? { kind: 'code', at: options.next, from: 0 } : { kind: 'unknown' }
  if (!options.certain) return { kind: 'unknown' }
  if (options.found.some((option) => option.name === '-s')) return { kind: 'stdin' }
  const script = words[options.next]
  if (script === undefined || script.value === '-' || script.value === '/dev/stdin') return { kind: 'stdin' }
  return { kind: 'script', at: options.next, from: 0 }
}

function switchedOff(word: CommandWord): CommandWord {
  return word.value !== null && /^\+[a-zA-Z]+$/.test(word.value) ? { ...word, value: `-${word.value.slice(1)}` } : word
}

/** Reads the words of a shell, without its name. */
export function readShell(program: string, args: readonly ShellWord[]): ShellUse {
  const use = readShellWords(args)
  if (use.kind === 'stdin' || use.kind === 'unknown') return use
  const word = args[use.at]
  if (word === undefined) return { kind: 'unknown' }
  if (use.kind === 'script') return { kind: 'script', file: word.value ?? '' }
  const positional = args.slice(use.at + 1).map(({ value, glob }) => (glob ? null : value))
  const text = word.template.slice(use.from)
  return {
    kind: 'code',
    inner: { kind: 'code', label: `${program} -c`, text, known: word.value !== null, positional },
  }
}
