import type { Json } from '../call/json/json.ts'
import { bareSecrets, decoded } from './bare-secrets.ts'
import { scanText } from './scan-text.ts'
import { secretForms, textForms } from './secret-forms.ts'

/** INVARIANT: L10. What is read of one result: its beginning and its end. */
const MAX_HEAD = 512 * 1024
const MAX_TAIL = 128 * 1024
/** Values of a result that are read, and how deep. */
const MAX_VALUES = 10_000
const MAX_DEPTH = 32
/** Windows of one session, about 10 MB; credentials of one result. */
const MAX_WINDOWS = 131_072
const MAX_FOUND = 256
const MAX_SOURCES = 1024
/** A longer argument is checked by itself only. */
const MAX_PIECE = 256
/** A window with fewer different characters is filler: `AAAAAAAAAAAA`. */
const MIN_DISTINCT = 5

/** Credentials that results of one session contained. */
export interface ReadSecrets {
  /** Remembers the credentials in a result, and where it came from. */
  learn(result: unknown, source: string): void
  /** The credentials among these arguments; undefined for none. */
  leaving(args: Json): { readonly from: readonly string[]; readonly isFull: boolean } | undefined
}

/**
 * INVARIANT: L10. The memory of one session. It keeps rolling hashes of windows, keyed with numbers that nobody else knows,
 * and never a credential itself. It ends with the session.
 */
export function createReadSecrets(newId: () => string): ReadSecrets {
  const windows = new Map<number, KnownWindows>()
  const sources: string[] = []
  const key = newId()
  const bases = [oddNumber(key.slice(0, 8)), oddNumber(key.slice(8, 16))] as const
  let count = 0
  let isFull = false

  function remember(form: string, length: number, source: number): void {
    const { filter, known } = windows.get(length) ?? { filter: new Uint8Array(65_536), known: new Map() }
    windows.set(length, { filter, known })
    eachWindow(form, length, bases, null, (hash, at) => {
      if (known.has(hash) || new Set(form.slice(at, at + length)).size < MIN_DISTINCT) return
      if (count >= MAX_WINDOWS) isFull = true
      else {
        known.set(hash, source)
        filter[filterIndex(hash)] = 1
        count += 1
      }
    })
  }

  function learnFrom(result: unknown, source: string): void {
    let found = 0
    let index = -1
    for (const text of textsOf(result)) {
      const named = scanText(text).map(({ start, end, kind }) => ({ text: text.slice(start, end), kind }))
      for (const secret of [...named, ...bareSecrets(text, source)]) {
        if (found >= MAX_FOUND || sources.length >= MAX_SOURCES) {
          isFull = true
          return
        }
        found += 1
        if (index < 0) index = sources.push(source) - 1
        const meant = decoded(secret.text)
        for (const one of meant === undefined ? [secret.text] : [secret.text, meant])
          for (const { form, length } of secretForms(one, secret.kind)) remember(form, length, index)
      }
    }
  }

  return {
    learn(result, source) {
      try {
        learnFrom(result, source)
      } catch {
        isFull = true // a result that cannot be read may contain anything
      }
    },
    leaving(args) {
      if (count === 0 && !isFull) return undefined
      const found = new Set<number>()
      // SECURITY: all of the arguments, which are bounded: nothing hides behind a long beginning.
      const texts = [...textsOf(args, Infinity)]
      // Parts of one credential may be in several arguments.
      if (texts.length > 1)
        texts.push([...textsOf(args, Infinity, 'values')].filter((text) => text.length <= MAX_PIECE).join(''))
      for (const text of texts)
        for (const form of textForms(text))
          for (const [length, { filter, known }] of windows)
            eachWindow(form, length, bases, filter, (hash) => {
              const source = known.get(hash)
              if (source !== undefined) found.add(source)
            })
      const from = [...new Set([...found].map((at) => sources[at] ?? ''))]
      return from.length === 0 && !isFull ? undefined : { from, isFull }
    },
  }
}

/** Windows of one length: where each was read, by its hash, and which hashes are worth a lookup. */
interface KnownWindows {
  readonly filter: Uint8Array
  readonly known: Map<number, number>
}

function filterIndex(hash: number): number {
  return Math.floor(hash / 0x20_0000) >>> 16
}

function oddNumber(hex: string): number {
  return Number.parseInt(hex, 16) | 1
}

/** Visits the hash of every window of a text: 53 bits of two polynomials. */
function eachWindow(
  text: string,
  length: number,
  [one, other]: readonly [number, number],
  filter: Uint8Array | null,
  visit: (hash: number, at: number) => void,
): void {
  let high = 0
  let low = 0
  const highPower = power(one, length)
  const lowPower = power(other, length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) + 1
    const gone = at < length ? 0 : text.charCodeAt(at - length) + 1
    high = (Math.imul(high, one) + code - Math.imul(gone, highPower)) | 0
    low = (Math.imul(low, other) + code - Math.imul(gone, lowPower)) | 0
    if (at >= length - 1 && (filter === null || filter[high >>> 16] === 1))
      visit((high >>> 0) * 0x20_0000 + (low >>> 11), at - length + 1)
  }
}

function power(base: number, exponent: number): number {
  let result = 1
  for (let at = 0; at < exponent; at++) result = Math.imul(result, base)
  return result
}

/** The texts in a value, bounded. A long one is read at its beginning and its end. */
function* textsOf(value: unknown, most = MAX_HEAD, kind: 'named' | 'values' = 'named'): Iterable<string> {
  const rest: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }]
  let head = most
  for (let seen = 0; (seen < MAX_VALUES || most === Infinity) && head > 0; seen++) {
    const next = rest.pop()
    if (next === undefined) return
    const one = next.value instanceof Uint8Array ? decodeBytes(next.value) : next.value
    if (typeof one === 'string') {
      yield one.length <= head ? one : `${one.slice(0, head)}\n${one.slice(-Math.min(MAX_TAIL, one.length - head))}`
      head -= one.length
    } else if (typeof one === 'object' && one !== null && (next.depth < MAX_DEPTH || most === Infinity))
      for (const [key, item] of entriesOf(one)) {
        const isNamed = kind === 'named' && !Array.isArray(one)
        const isText = typeof item === 'string'
        rest.push({ value: isText && isNamed ? `${key}=${item}` : item, depth: next.depth + 1 })
        if (isNamed && !isText) rest.push({ value: key, depth: next.depth + 1 })
      }
  }
}

function decodeBytes(bytes: Uint8Array): string {
  const decoder = new TextDecoder()
  if (bytes.length <= MAX_HEAD) return decoder.decode(bytes)
  return `${decoder.decode(bytes.subarray(0, MAX_HEAD))}\n${decoder.decode(bytes.subarray(-MAX_TAIL))}`
}

/** The items of a list or an object. Views on memory other than bytes contain no text. */
function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  if (ArrayBuffer.isView(value)) return []
  const items = Array.isArray(value) ? value.slice(0, MAX_VALUES) : value
  return Object.entries(items).reverse()
}
