import { looksRandom } from './randomness.ts'
import type { SecretSpan } from './span.ts'

/** A token known by its whole shape, since nothing at its beginning tells. */
interface Shape {
  readonly kind: string
  readonly pattern: RegExp
  /** The length its first word can have. */
  readonly least: number
  readonly most: number
}

/** By the character after the first word. */
const SHAPES: ReadonlyMap<number, readonly Shape[]> = new Map(
  Object.entries({
    ':': [{ kind: 'telegram-token', pattern: /(?:bot)?\d{8,10}:AA[\w-]{32,34}(?![\w-])/y, least: 8, most: 13 }],
    '.': [
      { kind: 'terraform-token', pattern: /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}/y, least: 14, most: 14 },
      {
        kind: 'discord-token',
        pattern: /[MNO][A-Za-z]\w{21,26}\.[\w-]{6}\.[\w-]{25,40}(?![\w.-])/y,
        least: 23,
        most: 28,
      },
      { kind: 'vault-token', pattern: /s\.[A-Za-z0-9]{24}(?![\w.(])/y, least: 1, most: 1 },
    ],
    '-': [
      { kind: 'mailchimp-key', pattern: /[a-f0-9]{32}-us\d{1,2}(?!\w)/y, least: 32, most: 32 },
      { kind: 'mailgun-key', pattern: /[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![\w-])/y, least: 32, most: 32 },
    ],
    '/': [{ kind: 'asana-token', pattern: /[12]\/\d{12,19}(?:\/\d{12,19})?:[a-f0-9]{32}(?!\w)/y, least: 1, most: 1 }],
  }).map(([after, shapes]) => [after.charCodeAt(0), shapes]),
)

const NEW_RELIC = /[a-z0-9]{30,44}NRAL(?!\w)/y

/** A client secret of Entra ID: three characters, a digit, `Q~`, and the rest. */
const ENTRA = /[\w.~-]{3}\dQ~[\w.~-]{30,36}(?![\w.~-])/y

/** Whether a word of this length, followed by this character, may begin a token of some shape. */
export function mayHaveShape(after: number, length: number): boolean {
  return length >= 34 || after === 126 || (after >= 45 && after <= 58 && (length === 1 || length >= 8))
}

/** The token a word is part of, by its shape; undefined when it has none. */
export function shapeAt(text: string, start: number, end: number): SecretSpan | undefined {
  const length = end - start
  if (length >= 34 && text.startsWith('NRAL', end - 4)) return matchAt(text, start, NEW_RELIC, 'newrelic-key')
  if (text.startsWith('Q~', end - 1) && end >= 5) return matchAt(text, end - 5, ENTRA, 'azure-secret')
  for (const { kind, pattern, least, most } of SHAPES.get(text.charCodeAt(end)) ?? []) {
    if (length < least || length > most) continue
    const found = matchAt(text, start, pattern, kind)
    if (found !== undefined && (kind !== 'vault-token' || looksRandom(text.slice(start + 2, found.end), 20)))
      return found
  }
  return undefined
}

function matchAt(text: string, start: number, pattern: RegExp, kind: string): SecretSpan | undefined {
  pattern.lastIndex = start
  return pattern.test(text) ? { start, end: pattern.lastIndex, kind } : undefined
}
