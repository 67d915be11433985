import { BROKEN, skipSpace, skipString } from '../json/value-skipper.ts'
import type { RawId } from './message.ts'

/** What is known about a malformed line that was meant as a response. */
export interface MalformedResponse {
  /** The id of the request, if exactly one can be found. */
  readonly id: RawId | null
}

const QUOTE = 0x22
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const CLOSE_OBJECT = 0x7d
const CLOSE_ARRAY = 0x5d
const PLAIN_ID = /^(?:-?\d{1,16}|null)(?=[\s,}]|$)/
const LONGEST_ID = 1024

/**
 * Finds the outermost names of a line that cannot be parsed, in one pass: one bad byte in a result must not leave its
 * caller waiting. Null when the line was not meant as a response: servers print all sorts of things. The result only
 * tells which request to fail; the line itself is never forwarded.
 */
export function readMalformedResponse(bytes: Buffer): MalformedResponse | null {
  const names = new Set<string>()
  const ids = new Set<RawId>()
  let depth = 0
  let at = skipSpace(bytes, 0)
  if (bytes[at] !== OPEN_OBJECT) return null
  while (at < bytes.length) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const after = skipString(bytes, at, bytes.length)
      if (after === BROKEN) break
      const colon = skipSpace(bytes, after)
      if (depth === 1 && bytes[colon] === COLON && after - at <= 12) {
        const name = bytes.toString('latin1', at + 1, after - 1)
        names.add(name)
        const id = name === 'id' ? idAt(bytes, skipSpace(bytes, colon + 1)) : null
        if (id !== null) ids.add(id)
      }
      at = after
      continue
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1
    if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1
    at += 1
  }
  const isAnswer = names.has('jsonrpc') && !names.has('method') && (names.has('result') || names.has('error'))
  const [id = null] = ids
  // An error without an id answers nobody.
  return isAnswer && id !== 'null' ? { id: ids.size === 1 ? id : null } : null
}

function idAt(bytes: Buffer, from: number): RawId | null {
  if (bytes[from] !== QUOTE) return PLAIN_ID.exec(bytes.toString('latin1', from, from + 20))?.[0] ?? null
  const after = skipString(bytes, from, bytes.length)
  return after === BROKEN || after - from > LONGEST_ID ? null : bytes.toString('utf8', from, after)
}
