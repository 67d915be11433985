import { isUtf8 } from 'node:buffer'
import { type Json, type JsonObject, parseStrict, StrictJsonError } from '@countersign/core'
import { knownNames, lookalikeName, type Members, readQuoted, type Span, scanMembers } from '../json/member-scanner.ts'
import { BROKEN, DEEP, skipSpace, skipValue } from '../json/value-skipper.ts'
import type { Malformed, Message, RawId, RpcNotification } from './message.ts'

/** The maximum depth of a message that is fully parsed; arguments have 64 levels below `params`. */
const MAX_DEPTH = 66

/** INVARIANT: L10. A fully parsed message is copied in memory more than once. */
const MAX_READ_BYTES = 16 * 1024 * 1024

const ENVELOPE = knownNames('jsonrpc', 'id', 'method', 'params', 'result', 'error')
const OPEN_ARRAY = 0x5b
const CARRIAGE_RETURN = 0x0d
const OPEN_OBJECT = 0x7b

/**
 * Parses one line. SECURITY: A1 a carriage return is white space to JSON and ends a line for some readers (Python),
 * which would then see several messages; so none is allowed inside a line.
 */
export function readLine(bytes: Buffer): Message | Malformed {
  const at = bytes.indexOf(CARRIAGE_RETURN)
  if (at !== -1 && skipSpace(bytes, at) < bytes.length)
    return malformed('not-rpc', null, 'a carriage return inside a line')
  return readMessage(bytes)
}

/**
 * Parses one line or body as a JSON-RPC message. Only the outermost members are located, in one pass: a result of
 * megabytes is neither decoded nor parsed.
 */
export function readMessage(bytes: Buffer): Message | Malformed {
  const from = skipSpace(bytes, 0)
  if (!isUtf8(bytes)) return malformed('bad-utf8', null, 'not valid UTF-8')
  if (bytes[from] === OPEN_ARRAY) {
    const ids = readBatchIds(bytes, from)
    return { ...malformed('batch', null, 'a batch; send each message separately'), ids }
  }
  const top = scanMembers(bytes, from, bytes.length, 'result')
  if (top === DEEP) return malformed('too-deep', null, 'nested too deeply')
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
  if (top.repeated !== null) return refuse('duplicate-key', `\`${shorten(top.repeated)}\` appears twice`)
  const disguised = lookalikeName(top, ENVELOPE)
  if (disguised !== null) return refuse('duplicate-key', `\`${shorten(disguised)}\` looks like another member`)
  if (!isVersion2(bytes, spans.get('jsonrpc'))) return refuse('not-rpc', 'not JSON-RPC 2.0')
  if (id != null && !isExactId(id)) return refuse('not-rpc', 'the id must be a string or a safe integer')
  if (answers) return fromAnswer(bytes, top, id, refuse)
  if (method === null || spans.has('result') || spans.has('error')) return refuse('not-rpc', 'not a JSON-RPC message')
  const params = spans.get('params')
  const open = params === undefined ? OPEN_OBJECT : bytes[params.from]
  if (open !== OPEN_OBJECT && open !== OPEN_ARRAY) return refuse('not-rpc', '`params` is not an object')
  const rest = { method, bytes, ...lazyParams(bytes, params) }
  if (id === undefined) return { kind: 'notification', ...rest }
  return id === null || id === 'null'
    ? refuse('not-rpc', 'the id must be a string or a number')
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
  if (id === null || (id === undefined && error === undefined)) return refuse('not-rpc', 'a response without an id')
  const inner = top.inner ?? (error === undefined ? null : membersAt(bytes, error))
  if (top.inner !== null && top.inner.repeated !== null)
    return refuse('duplicate-key', `\`${shorten(top.inner.repeated)}\` appears twice in the result`)
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
  if (to - from > MAX_READ_BYTES) throw new StrictJsonError('too-deep', 'larger than 16 MiB')
  const value: Json = parseStrict(bytes.toString('utf8', from, to), MAX_DEPTH)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new StrictJsonError('parse', 'not an object')
}

/** The id as spelled; undefined when there is none, null when it is neither a string nor a number. */
function readId(bytes: Buffer, span: Span | undefined): RawId | null | undefined {
  if (span === undefined) return undefined
  const first = bytes[span.from]
  const isScalar = first !== OPEN_ARRAY && first !== OPEN_OBJECT && first !== 0x74 && first !== 0x66
  return isScalar && span.to - span.from <= LONGEST_ID ? bytes.toString('utf8', span.from, span.to) : null
}

/** Other numbers are not read alike everywhere: a response could carry an id that nobody sent. */
function isExactId(id: RawId): boolean {
  return id.startsWith('"') || id === 'null' || Number.isSafeInteger(Number(id))
}

const LONGEST_ID = 1024
const LONGEST_NAME = 1024

function readText(bytes: Buffer, span: Span | undefined): string | null {
  if (span === undefined || bytes[span.from] !== 0x22 || span.to - span.from > LONGEST_NAME) return null
  return readQuoted(bytes, span.from, span.to)
}

/** A fast path for the usual `"2.0"`. */
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

const COMMA = 0x2c

/** INVARIANT: L10. A batch is refused; at most this many of its ids are answered. */
const MAX_IDS = 1000

/** The ids in the batch at `from`, so that each can be answered. */
function readBatchIds(bytes: Buffer, from: number): readonly RawId[] {
  const ids: RawId[] = []
  let at = skipSpace(bytes, from + 1)
  while (at < bytes.length && ids.length < MAX_IDS) {
    const members = bytes[at] === OPEN_OBJECT ? scanMembers(bytes, at, bytes.length, null) : BROKEN
    const after = typeof members === 'number' ? skipValue(bytes, at, bytes.length) : members.end
    if (after === BROKEN || after === DEEP) return ids
    const id = typeof members === 'number' ? undefined : members.spans.get('id')
    const first = id === undefined ? undefined : bytes[id.from]
    if (id !== undefined && first !== OPEN_OBJECT && first !== OPEN_ARRAY && id.to - id.from <= LONGEST_ID) {
      const raw = bytes.toString('utf8', id.from, id.to)
      if (raw !== 'null' && raw !== 'true' && raw !== 'false') ids.push(raw)
    }
    at = skipSpace(bytes, after)
    if (bytes[at] !== COMMA) return ids
    at = skipSpace(bytes, at + 1)
  }
  return ids
}

const KNOWN = knownNames('requestId', 'reason', '_meta')

/** Whether a notification cancels a request. */
export function isCancellation({ method }: RpcNotification): boolean {
  return method === 'notifications/cancelled'
}

/**
 * Why a cancellation is refused; null when it is fine. SECURITY: A1 if it names its request in two ways, the server
 * could cancel another one than we do.
 */
export function ambiguousCancellation(message: RpcNotification): Malformed | null {
  const members = message.members()
  const odd = members === null ? null : (members.repeated ?? lookalikeName(members, KNOWN))
  if (odd === null) return null
  const shown = JSON.stringify(odd.slice(0, 64)).slice(1, -1)
  return { kind: 'malformed', code: 'duplicate-key', id: null, message: `\`${shown}\` is ambiguous` }
}
