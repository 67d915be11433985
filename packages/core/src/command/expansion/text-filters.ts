import { decodeBase64 } from '../../call/base64.ts'

/** The output of a filter with these options; null when unknown. */
type Filter = (args: readonly string[], text: string) => string | null

const DECODES = /^(?:-[a-zA-Z]*[dD][a-zA-Z]*|--decode)$/

const base64: Filter = (args, text) => {
  const plain = args.every((arg) => DECODES.test(arg) || arg === '-i' || arg === '--ignore-garbage')
  return plain && args.some((arg) => DECODES.test(arg)) ? decodeBase64(text) : null
}

const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['cat', (args, text) => (args.every((arg) => arg === '-') ? text : null)],
  ['tee', (_, text) => text],
  ['rev', (args, text) => (args.length === 0 ? text.split('\n').map(reversed).join('\n') : null)],
  ['tac', (args, text) => (args.length === 0 ? `${text.trimEnd().split('\n').toReversed().join('\n')}\n` : null)],
  ['base64', base64],
  ['gbase64', base64],
  ['openssl', (args, text) => (isOpenSslBase64(args) ? decodeBase64(text) : null)],
  [
    'xxd',
    (args, text) => (args.join(' ').replace(/^-(?:r -p|p -r|rp|pr|ps -r|r -ps)$/, '') === '' ? decodeHex(text) : null),
  ],
  ['tr', translated],
])

const isOpenSslBase64 = (args: readonly string[]) =>
  args.includes('-d') && args.every((arg) => /^(?:base64|enc|-base64|-d|-A|-a)$/.test(arg))

const reversed = (line: string) => [...line].toReversed().join('')

/** Whether the output of a program depends only on its input and options. */
export function isTextFilter(program: string): boolean {
  return FILTERS.has(program)
}

/** What a filter prints for a known input; null when unknown. */
export function filteredText(program: string, args: readonly string[], text: string): string | null {
  return text.length > 64 * 1024 ? null : (FILTERS.get(program)?.(args, text) ?? null)
}

function translated(args: readonly string[], text: string): string | null {
  const deletes = args[0] === '-d'
  const from = expanded(args[deletes ? 1 : 0])
  const to = deletes ? '' : expanded(args[1])
  if (from === null || to === null || from.startsWith('-') || args.length !== 2) return null
  const table = new Map<string, string>()
  for (let at = 0; at < from.length; at++) {
    const sign = from[at] ?? ''
    table.set(sign, deletes ? '' : (to[at] ?? to.at(-1) ?? ''))
  }
  return [...text].map((char) => table.get(char) ?? char).join('')
}

const CLASSES: Readonly<Record<string, string>> = {
  '[:lower:]': 'a-z',
  '[:upper:]': 'A-Z',
  '[:space:]': ' \\t\\n',
}

/** The expanded set of `tr`; null when it has unsupported syntax. */
function expanded(set: string | undefined): string | null {
  if (set === undefined) return null
  const named = CLASSES[set] ?? set
  if (named.includes('[:') || named.length > 256) return null
  const plain = named.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\r', '\r')
  let text = ''
  for (let at = 0; at < plain.length; at++) {
    const first = plain.charCodeAt(at)
    const last = plain[at + 1] === '-' && at + 2 < plain.length ? plain.charCodeAt(at + 2) : first
    if (last < first || last - first > 256) return null
    for (let code = first; code <= last; code++) text += String.fromCharCode(code)
    if (last !== first) at += 2
  }
  return text
}

/** The characters of hexadecimal digits; null for anything else. */
function decodeHex(text: string): string | null {
  const digits = text.replace(/\s+/g, '')
  if (digits.length % 2 === 1 || !/^[0-9a-fA-F]*$/.test(digits)) return null
  return digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
}
