import type { Inner } from './inner.ts'
import { stepOverOptions } from './options.ts'
import type { ShellWord } from './words.ts'

/** Programs that run shell code. */
export const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  'mksh',
  'ash',
  'rbash',
  'fish',
  'csh',
  'tcsh',
  'yash',
])

const TABLE = { short: 'oO', long: ['rcfile', 'init-file', 'command', 'init-command'] }

/** How a shell was started: with code, a script file, or to read its standard input. */
export type ShellUse =
  | { readonly kind: 'code'; readonly inner: Inner }
  | { readonly kind: 'script' }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'unknown' }

/** Reads a shell's own words (without its name). */
export function readShell(program: string, args: readonly ShellWord[]): ShellUse {
  // `+o name` switches an option off and takes a value too.
  const words = args.map((word) =>
    word.value !== null && /^\+[a-zA-Z]+$/.test(word.value) ? { ...word, value: `-${word.value.slice(1)}` } : word,
  )
  const options = stepOverOptions(words, 0, TABLE)
  const separate = options.found.find((option) => option.name === '--command')?.value
  const hasCode = options.found.some((option) => option.name === '-c')
  if (hasCode || separate) {
    const at = separate?.at ?? options.next
    const code = words[at]
    if (code === undefined) return { kind: 'unknown' }
    const from = separate?.from ?? 0
    const positional = words.slice(at + 1).map((word) => (word.glob ? null : word.value))
    return {
      kind: 'code',
      inner: {
        kind: 'code',
        label: `${program} -c`,
        text: code.template.slice(from),
        known: code.value !== null,
        positional,
      },
    }
  }
  if (!options.certain) return { kind: 'unknown' }
  if (options.found.some((option) => option.name === '-s')) return { kind: 'stdin' }
  const script = words[options.next]
  if (script === undefined || script.value === '-' || script.value === '/dev/stdin') return { kind: 'stdin' }
  return { kind: 'script' }
}
