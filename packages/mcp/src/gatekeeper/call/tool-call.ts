import { isJsonObject, type Json, type JsonObject, StrictJsonError } from '@countersign/core'
import { knownNames, lookalikeName } from '../../json/member-scanner.ts'
import type { RawId, RpcRequest } from '../../wire/message.ts'
import { lineSafe } from '../../wire/message-writer.ts'

/** A parsed `tools/call`. */
export interface ToolCall {
  readonly id: RawId
  readonly name: string
  /** As received; undefined when missing. The gate checks them. */
  readonly args: Json | undefined
  readonly params: JsonObject
  readonly meta: JsonObject | null
  /** The client’s progress token, as spelled. */
  readonly progressToken: string | null
  /** The requested task; null when none is. */
  readonly task: JsonObject | null
  /** Whether it is a retry with the input that the server requested. */
  readonly isRetry: boolean
  /** The requested input, as the bytes to send. */
  readonly inputResponses: Buffer | null
  readonly requestState: string | undefined
  /**
   * Serializes the call with exactly the approved arguments and task. `_meta` and the input of a retry are added as
   * received.
   */
  serialise(approved: JsonObject): Buffer
  /** The same call without the input of a retry. */
  asFirstCall(): ToolCall
}

/** The argument name under which the task is judged, shown and bound. */
export const SHOWN_TASK = 'countersign/task'

const KNOWN = knownNames('name', 'arguments', '_meta', 'task', 'inputResponses', 'requestState')
const RETRY_MEMBERS = ['_meta', 'inputResponses', 'requestState'] as const
const FIRST_MEMBERS = ['_meta'] as const

/** Parses a `tools/call` strictly; throws a `StrictJsonError` with the reason. */
export function readToolCall(request: RpcRequest): ToolCall {
  const params = request.params()
  const members = request.members()
  const { name, arguments: args, _meta: meta } = params
  if (members === null || typeof name !== 'string') throw new StrictJsonError('parse', 'the call has no tool name')
  const disguised = lookalikeName(members, KNOWN)
  if (disguised !== null) throw new StrictJsonError('duplicate-key', `\`${disguised}\` looks like another member`)
  // INVARIANT: L5, nothing is sent that a person was not shown, so unknown members are refused.
  for (const key of members.spans.keys()) if (!KNOWN.exact.has(key)) throw unknownMember(key)
  if (isJsonObject(args) && Object.hasOwn(args, SHOWN_TASK))
    throw new StrictJsonError('parse', `no argument may be called \`${SHOWN_TASK}\``)
  const task = params['task'] ?? null
  if (task !== null && !isJsonObject(task)) throw new StrictJsonError('parse', '`task` is not an object')
  const requestState = params['requestState'] ?? undefined
  if (requestState !== undefined && typeof requestState !== 'string')
    throw new StrictJsonError('parse', '`requestState` is not a string')
  const bytesOf = (key: string): Buffer | null => {
    const span = (params[key] ?? null) === null ? undefined : members.spans.get(key)
    return span === undefined ? null : request.bytes.subarray(span.from, span.to)
  }
  const inputResponses = bytesOf('inputResponses')
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined
  const made = (retry: Pick<ToolCall, 'isRetry' | 'inputResponses' | 'requestState'>): ToolCall => ({
    id: request.id,
    name,
    args,
    params,
    meta: isJsonObject(meta) ? meta : null,
    progressToken: typeof token === 'string' || typeof token === 'number' ? lineSafe(JSON.stringify(token)) : null,
    task,
    ...retry,
    asFirstCall: () => made({ isRetry: false, inputResponses: null, requestState: undefined }),
    serialise(approved) {
      const [own, shown] = task === null ? [approved, undefined] : splitTask(approved)
      const parts = [`"name":${JSON.stringify(name)}`]
      if (args !== undefined || Object.keys(own).length > 0) parts.push(`"arguments":${JSON.stringify(own)}`)
      if (shown !== undefined) parts.push(`"task":${JSON.stringify(shown)}`)
      for (const key of retry.isRetry ? RETRY_MEMBERS : FIRST_MEMBERS) {
        const bytes = bytesOf(key)
        if (bytes !== null) parts.push(`"${key}":${bytes.toString('utf8')}`)
      }
      const body = `"id":${request.id},"method":"tools/call","params":{${parts.join(',')}}`
      return Buffer.from(lineSafe(`{"jsonrpc":"2.0",${body}}`))
    },
  })
  return made({ isRetry: inputResponses !== null || requestState !== undefined, inputResponses, requestState })
}

function splitTask({ [SHOWN_TASK]: task, ...args }: JsonObject): readonly [JsonObject, Json | undefined] {
  return [args, task]
}

function unknownMember(key: string): StrictJsonError {
  const shown = JSON.stringify(key.slice(0, 64)).slice(1, -1)
  return new StrictJsonError(
    'parse',
    `\`${shown}\` is not a known member of a call, so it could not be shown to a person; leave it out`,
  )
}
