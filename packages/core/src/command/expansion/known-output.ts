import { CAPS } from '../model/limits.ts'
import type { Input } from './standard-input.ts'
import { filteredText, isTextFilter } from './text-filters.ts'
import type { ShellWord } from './word-builder.ts'

/** Whether the output of a program can be known. */
export function mayPrintKnown(program: string): boolean {
  return program === 'echo' || program === 'printf' || isTextFilter(program)
}

/**
 * What a command prints when it follows from its words and input: `echo`, `printf`, and filters such as `base64 -d` and
 * `rev` of known text. Null otherwise.
 */
export function printedText(words: readonly ShellWord[], input: Input): string | null {
  const [name, ...rest] = words
  if (name?.value == null || name.glob || !mayPrintKnown(name.value)) return null
  const values: string[] = []
  for (const word of rest) {
    if (word.value === null || word.glob) return null
    values.push(word.value)
  }
  if (name.value === 'echo') return echoed(values)
  if (name.value === 'printf') return formatted(values)
  return input.kind === 'text' && input.known ? filteredText(name.value, values, input.text) : null
}

function echoed(words: readonly string[]): string {
  let at = 0
  let escapes = false
  let line = '\n'
  for (; at < words.length && /^-[neE]{1,3}$/.test(words[at] ?? ''); at++) {
    if (words[at]?.includes('e') === true) escapes = true
    if (words[at]?.includes('n') === true) line = ''
  }
  const text = words.slice(at).join(' ')
  return (escapes ? unescaped(text) : text) + line
}

const DIRECTIVE = /%(?:%|[-+ 0#]{0,4}\d{0,3}(?:\.\d{1,3})?([sbcdiuxXoq]))/g

/** `printf` with a known format: `%s`, `%b`, `%c` and numbers; the format repeats for remaining arguments. */
function formatted(words: readonly string[]): string | null {
  const start = words[0] === '--' ? 1 : words[0] === '-v' ? 2 : 0
  const format = words[start]
  if (format === undefined || (start === 0 && format.startsWith('-'))) return null
  const args = words.slice(start + 1)
  if (/%[^%\-+ 0#.\dsbcdiuxXoq]/.test(format) || args.length > 256) return null
  let used = 0
  let text = ''
  do {
    const before = used
    text += unescaped(
      format.replace(DIRECTIVE, (_, kind: string | undefined) => {
        if (kind === undefined) return '%'
        const value = args[used++] ?? ''
        // Inserted values must survive the unescaping of the format.
        return (kind === 'b' ? unescaped(value) : kind === 'c' ? value.slice(0, 1) : value).replaceAll('\\', '\\\\')
      }),
    )
    if (used === before) break
  } while (used < args.length && text.length < CAPS.variable)
  return text
}

/** The value of `$(…)`: text without trailing newlines. */
export function withoutLastLines(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end--
  return text.slice(0, end)
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
}
const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|([\s\S]))/g

/** A text with its backslash escapes turned into characters, as `printf` and `echo -e` do. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(ESCAPE, (whole, hex?: string, wide?: string, octal?: string, one?: string) => {
    const digits = hex ?? wide
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255)
    return SIMPLE[one ?? ''] ?? whole
  })
}
