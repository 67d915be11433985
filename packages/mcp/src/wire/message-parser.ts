import { isUtf8 } from 'node:buffer'
import type { Json, JsonObject } from '@countersign/core'
import { disguisedName, knownNames, type Members, readQuoted, type Span, scanMembers } from '../json/member-scanner.ts'
import { parseStrict, StrictJsonError } from '../json/strict-parser.ts'
import { BROKEN, DEEP, skipSpace } from '../json/value-skipper.ts'
import { readBatchIds } from './batch-ids.ts'
import type { Malformed, Message, RawId } from './message.ts'

/** How deep a message may be that is read in full. Arguments have 64 levels below `params`. */
const MOST_DEPTH = 66

/** INVARIANT: L10. What is read in full is read into memory more than once. */
const MOST_READ_BYTES = 16 * 1024 * 1024

const ENVELOPE = knownNames('jsonrpc', 'id', 'method', 'params', 'result', 'error')
const OPEN_ARRAY = 0x5b
const CARRIAGE_RETURN = 0x0d
const OPEN_OBJECT = 0x7b

/**
 * Reads one line. SECURITY: A1 a carriage return is a blank to JSON and the end of a line to some readers (Python's): what
 * stands between two of them would be a message of its own there. So none may stand inside.
 */
export function readLine(bytes: Buffer): Message | Malformed {
  const at = bytes.indexOf(CARRIAGE_RETURN)
  if (at !== -1 && skipSpace(bytes, at) < bytes.length)
    return malformed('not-rpc', null, 'a carriage return inside a line')
  return readMessage(bytes)
}

/**
 * Reads one line or body as one JSON-RPC message. Only its outermost members are looked at, in one pass over the
 * bytes: a result of megabytes is neither decoded nor parsed.
 */
export function readMessage(bytes: Buffer): Message | Malformed {
  const from = skipSpace(bytes, 0)
  if (!isUtf8(bytes)) return malformed('bad-utf8', null, 'not valid UTF-8')
  if (bytes[from] === OPEN_ARRAY) {
    const ids = readBatchIds(bytes, from)
    return { ...malformed('batch', null, 'a batch; send each message on its own'), ids }
  }
  const top = scanMembers(bytes, from, bytes.length, 'result')
  if (top === DEEP) return malformed('too-deep', null, 'nested too deep')
  if (top === BROKEN || skipSpace(bytes, top.end) < bytes.length) return malformed('parse', null, 'not JSON')
  return fromMembers(bytes, top)
}

function fromMembers(bytes: Buffer, top: Members): Message | Malformed {
  const { spans } = top
  const id = readId(bytes, spans.get('id'))
  const method = readText(bytes, spans.get('method'))
  const answers = method === null && (spans.has('result') || spans.has('error'))
  const refuse = (code: Malformed['code'], message: string): Malformed => ({
    ...malformed(code, id ?? null, message),
    answers,
  })
  if (top.repeated !== null) return refuse('duplicate-key', `\`${shorten(top.repeated)}\` stands there twice`)
  const disguised = disguisedName(top, ENVELOPE)
  if (disguised !== null) return refuse('duplicate-key', `\`${shorten(disguised)}\` looks like another member`)
  if (!isVersion2(bytes, spans.get('jsonrpc'))) return refuse('not-rpc', 'no JSON-RPC 2.0')
  if (id != null && !isExactId(id))
    return refuse('not-rpc', 'the id is neither text nor an integer that all read alike')
  if (answers) return fromAnswer(bytes, top, id, refuse)
  if (method === null || spans.has('result') || spans.has('error')) return refuse('not-rpc', 'no JSON-RPC message')
  const params = spans.get('params')
  const open = params === undefined ? OPEN_OBJECT : bytes[params.from]
  if (open !== OPEN_OBJECT && open !== OPEN_ARRAY) return refuse('not-rpc', '`params` is no object')
  const rest = { method, bytes, ...lazyParams(bytes, params) }
  if (id === undefined) return { kind: 'notification', ...rest }
  return id === null || id === 'null'
    ? refuse('not-rpc', 'the id is neither text nor number')
    : { kind: 'request', id, ...rest }
}

function fromAnswer(
  bytes: Buffer,
  top: Members,
  id: RawId | null | undefined,
  refuse: (code: Malformed['code'], message: string) => Malformed,
): Message | Malformed {
  const result = top.spans.get('result')
  const error = top.spans.get('error')
  const span = result ?? error
  if (span === undefined || (result !== undefined && error !== undefined))
    return refuse('not-rpc', 'both a result and an error')
  if (id === null || (id === undefined && error === undefined)) return refuse('not-rpc', 'an answer without an id')
  const inner = top.inner ?? (error === undefined ? null : membersAt(bytes, error))
  if (top.inner !== null && top.inner.repeated !== null)
    return refuse('duplicate-key', `\`${shorten(top.inner.repeated)}\` stands in the result twice`)
  return {
    kind: 'response',
    id: id ?? 'null',
    failed: error !== undefined,
    bytes,
    result: once(() => {
      if (error !== undefined) throw new StrictJsonError('parse', 'an error has no result')
      return readObject(bytes, span)
    }),
    member(name) {
      const found = inner?.spans.get(name)
      return found === undefined ? null : bytes.subarray(found.from, found.to)
    },
    names: () => inner?.spans.keys() ?? [],
  }
}

function lazyParams(bytes: Buffer, span: Span | undefined) {
  return {
    params: once(() => (span === undefined ? {} : readObject(bytes, span))),
    members: once(() => (span === undefined ? null : membersAt(bytes, span))),
  }
}

function membersAt(bytes: Buffer, { from, to }: Span): Members | null {
  const members = scanMembers(bytes, from, to, null)
  return typeof members === 'number' ? null : members
}

function readObject(bytes: Buffer, { from, to }: Span): JsonObject {
  if (to - from > MOST_READ_BYTES) throw new StrictJsonError('too-deep', 'larger than 16 MiB')
  const value: Json = parseStrict(bytes.toString('utf8', from, to), MOST_DEPTH)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new StrictJsonError('parse', 'no object')
}

/** The id as it was spelled; undefined when there is none, null when it is neither text nor number. */
function readId(bytes: Buffer, span: Span | undefined): RawId | null | undefined {
  if (span === undefined) return undefined
  const first = bytes[span.from]
  const isScalar = first !== OPEN_ARRAY && first !== OPEN_OBJECT && first !== 0x74 && first !== 0x66
  return isScalar && span.to - span.from <= LONGEST_ID ? bytes.toString('utf8', span.from, span.to) : null
}

/** Other numbers come back as others: a call would be answered under an id that nobody asked with. */
function isExactId(id: RawId): boolean {
  return id.startsWith('"') || id === 'null' || Number.isSafeInteger(Number(id))
}

const LONGEST_ID = 1024
const LONGEST_NAME = 1024

function readText(bytes: Buffer, span: Span | undefined): string | null {
  if (span === undefined || bytes[span.from] !== 0x22 || span.to - span.from > LONGEST_NAME) return null
  return readQuoted(bytes, span.from, span.to)
}

/** `"2.0"`, as everybody spells it. */
function isVersion2(bytes: Buffer, span: Span | undefined): boolean {
  if (span === undefined || span.to - span.from !== 5) return span !== undefined && readText(bytes, span) === '2.0'
  return bytes[span.from + 1] === 0x32 && bytes[span.from + 2] === 0x2e && bytes[span.from + 3] === 0x30
}

function malformed(code: Malformed['code'], id: RawId | null, message: string): Malformed {
  return { kind: 'malformed', code, id, message }
}

function shorten(name: string): string {
  return JSON.stringify(name.slice(0, 64)).slice(1, -1)
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
