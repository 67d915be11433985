import type { Json, JsonObject } from '@countersign/core'
import { lineSafe } from '../../json/line-safe.ts'
import { disguisedName, knownNames } from '../../json/member-scanner.ts'
import { StrictJsonError } from '../../json/strict-parser.ts'
import { isObject } from '../../json/value.ts'
import type { RawId, RpcRequest } from '../../wire/message.ts'

/** A `tools/call` as it was asked for, read in full. */
export interface ToolCall {
  readonly id: RawId
  readonly name: string
  /** As given; undefined when the call has none. Not checked here: the gate does. */
  readonly args: Json | undefined
  readonly params: JsonObject
  readonly meta: JsonObject | null
  /** The token under which the client wants to hear of progress, as it spelled it. */
  readonly progressToken: string | null
  /** What the client wants it to be as a task; null where it wants none. */
  readonly task: JsonObject | null
  /** Of a retry: it answers what the server wanted to know first. */
  readonly isRetry: boolean
  /** What it answers, as the bytes that are sent. */
  readonly inputResponses: Buffer | null
  readonly requestState: string | undefined
  /**
   * The call with what was approved: exactly these arguments, and the task where one stands among them. Besides go
   * `_meta` and what a retry answers, as they came.
   */
  serialise(approved: JsonObject): Buffer
  /** The same call as a first one: without what a retry answers. */
  anew(): ToolCall
}

/** Under which name the task stands among the arguments that are judged, shown and bound. */
export const SHOWN_TASK = 'countersign/task'

const KNOWN = knownNames('name', 'arguments', '_meta', 'task', 'inputResponses', 'requestState')
const AS_THEY_CAME = ['_meta', 'inputResponses', 'requestState'] as const
const FIRST_TIME = ['_meta'] as const

/** Reads a `tools/call` strictly; throws a `StrictJsonError` that says what is wrong with it. */
export function readToolCall(request: RpcRequest): ToolCall {
  const params = request.params()
  const members = request.members()
  const { name, arguments: args, _meta: meta } = params
  if (members === null || typeof name !== 'string') throw new StrictJsonError('parse', 'the call names no tool')
  const disguised = disguisedName(members, KNOWN)
  if (disguised !== null) throw new StrictJsonError('duplicate-key', `\`${disguised}\` looks like another member`)
  // INVARIANT: L5, nothing is sent that a person was not shown; what nobody here knows cannot be.
  for (const key of members.spans.keys()) if (!KNOWN.exact.has(key)) throw strange(key)
  if (isObject(args) && Object.hasOwn(args, SHOWN_TASK))
    throw new StrictJsonError('parse', `no argument may be called \`${SHOWN_TASK}\``)
  const task = params['task'] ?? null
  if (task !== null && !isObject(task)) throw new StrictJsonError('parse', '`task` is no object')
  const requestState = params['requestState'] ?? undefined
  if (requestState !== undefined && typeof requestState !== 'string')
    throw new StrictJsonError('parse', '`requestState` is no text')
  const bytesOf = (key: string): Buffer | null => {
    const span = (params[key] ?? null) === null ? undefined : members.spans.get(key)
    return span === undefined ? null : request.bytes.subarray(span.from, span.to)
  }
  const inputResponses = bytesOf('inputResponses')
  const token = isObject(meta) ? meta['progressToken'] : undefined
  const made = (retry: Pick<ToolCall, 'isRetry' | 'inputResponses' | 'requestState'>): ToolCall => ({
    id: request.id,
    name,
    args,
    params,
    meta: isObject(meta) ? meta : null,
    progressToken: typeof token === 'string' || typeof token === 'number' ? lineSafe(JSON.stringify(token)) : null,
    task,
    ...retry,
    anew: () => made({ isRetry: false, inputResponses: null, requestState: undefined }),
    serialise(approved) {
      const [own, shown] = task === null ? [approved, undefined] : partTask(approved)
      const parts = [`"name":${JSON.stringify(name)}`]
      if (args !== undefined || Object.keys(own).length > 0) parts.push(`"arguments":${JSON.stringify(own)}`)
      if (shown !== undefined) parts.push(`"task":${JSON.stringify(shown)}`)
      for (const key of retry.isRetry ? AS_THEY_CAME : FIRST_TIME) {
        const bytes = bytesOf(key)
        if (bytes !== null) parts.push(`"${key}":${bytes.toString('utf8')}`)
      }
      const body = `"id":${request.id},"method":"tools/call","params":{${parts.join(',')}}`
      return Buffer.from(lineSafe(`{"jsonrpc":"2.0",${body}}`))
    },
  })
  return made({ isRetry: inputResponses !== null || requestState !== undefined, inputResponses, requestState })
}

function partTask({ [SHOWN_TASK]: task, ...args }: JsonObject): readonly [JsonObject, Json | undefined] {
  return [args, task]
}

function strange(key: string): StrictJsonError {
  const shown = JSON.stringify(key.slice(0, 64)).slice(1, -1)
  return new StrictJsonError('parse', `\`${shown}\` is no member of a call that a person could be shown; leave it out`)
}
