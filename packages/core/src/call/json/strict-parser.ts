import type { Json } from './json.ts'

/** Why a text is refused: invalid JSON, a repeated key, or too deep. */
export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError'
  readonly code: 'parse' | 'duplicate-key' | 'too-deep'

  constructor(code: StrictJsonError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Parses JSON like `JSON.parse`, but refuses an object with a repeated key, which parsers read differently. SECURITY:
 * A6 the gate judges exactly what any server or agent will read.
 */
export function parseStrict(text: string, maxDepth: number): Json {
  const reader: Reader = { text, at: 0, maxDepth }
  const value = readValue(reader, 0)
  skipBlanks(reader)
  if (reader.at !== text.length) throw broken(reader)
  return value
}

interface Reader {
  readonly text: string
  readonly maxDepth: number
  at: number
}

/** INVARIANT: L10, the recursion is at most `maxDepth` deep. */
function readValue(reader: Reader, depth: number): Json {
  skipBlanks(reader)
  switch (reader.text[reader.at]) {
    case '{':
      return readObject(reader, depth + 1)
    case '[':
      return readArray(reader, depth + 1)
    case '"':
      return readString(reader)
    case 't':
      return readWord(reader, 'true', true)
    case 'f':
      return readWord(reader, 'false', false)
    case 'n':
      return readWord(reader, 'null', null)
    default:
      return readNumber(reader)
  }
}

function readObject(reader: Reader, depth: number): Json {
  checkDepth(reader, depth)
  const object: { [key: string]: Json } = {}
  reader.at += 1
  skipBlanks(reader)
  if (take(reader, '}')) return object
  for (;;) {
    skipBlanks(reader)
    if (reader.text[reader.at] !== '"') throw broken(reader)
    const key = readString(reader)
    if (Object.hasOwn(object, key))
      throw new StrictJsonError('duplicate-key', `the key ${JSON.stringify(key.slice(0, 64))} appears twice`)
    skipBlanks(reader)
    if (!take(reader, ':')) throw broken(reader)
    const value = readValue(reader, depth)
    if (key === '__proto__')
      Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
    else object[key] = value
    skipBlanks(reader)
    if (take(reader, '}')) return object
    if (!take(reader, ',')) throw broken(reader)
  }
}

function readArray(reader: Reader, depth: number): Json {
  checkDepth(reader, depth)
  const array: Json[] = []
  reader.at += 1
  skipBlanks(reader)
  if (take(reader, ']')) return array
  for (;;) {
    array.push(readValue(reader, depth))
    skipBlanks(reader)
    if (take(reader, ']')) return array
    if (!take(reader, ',')) throw broken(reader)
  }
}

/** A string without escapes is a slice; any other is decoded by `JSON.parse`. */
function readString(reader: Reader): string {
  const { text } = reader
  const from = reader.at
  let plain = true
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      reader.at = at + 1
      return plain ? text.slice(from + 1, at) : decode(text.slice(from, at + 1), reader)
    }
    if (code < 0x20) throw broken(reader)
    if (code === 0x5c) {
      plain = false
      at += 1
    }
  }
  throw broken(reader)
}

function decode(quoted: string, reader: Reader): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw broken(reader)
  }
}

function readWord<Value extends Json>(reader: Reader, word: string, value: Value): Value {
  if (!reader.text.startsWith(word, reader.at)) throw broken(reader)
  reader.at += word.length
  return value
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

function readNumber(reader: Reader): number {
  NUMBER.lastIndex = reader.at
  const found = NUMBER.exec(reader.text)
  if (found === null) throw broken(reader)
  reader.at = NUMBER.lastIndex
  return Number(found[0])
}

function skipBlanks(reader: Reader): void {
  for (;;) {
    const code = reader.text.charCodeAt(reader.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    reader.at += 1
  }
}

function take(reader: Reader, character: string): boolean {
  if (reader.text[reader.at] !== character) return false
  reader.at += 1
  return true
}

function checkDepth({ maxDepth }: Reader, depth: number): void {
  if (depth > maxDepth) throw new StrictJsonError('too-deep', `nested deeper than ${maxDepth} levels`)
}

function broken({ at }: Reader): StrictJsonError {
  return new StrictJsonError('parse', `invalid JSON at character ${at}`)
}
