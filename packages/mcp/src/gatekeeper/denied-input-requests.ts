import type { JsonObject } from '@countersign/core'
import { fold } from '../json/member-scanner.ts'
import { isObject } from '../json/value.ts'
import type { Message } from '../wire/message.ts'
import { isPlainMethod } from '../wire/method-name.ts'

const REQUESTS = 'inputRequests'
const FOLDED = fold(REQUESTS)
const LONGEST = 32
const LONGEST_SHOWN = 100

/**
 * The method of a request inside `inputRequests` that is denied: of a result, or of a notice of how a task stands; null when
 * there is none. What cannot be read is denied.
 */
export function deniedInput(message: Message, isDenied: (method: string) => boolean): string | null {
  let isThere = false
  for (const name of message.kind === 'response' ? message.names() : (message.members()?.spans.keys() ?? [])) {
    if (name === REQUESTS) isThere = true
    else if (name.length <= LONGEST && fold(untilEnd(name)) === FOLDED) return REQUESTS
  }
  return isThere ? deniedAmong(readFrom(message), isDenied) : null
}

/** SECURITY: A1 where a reader in C ends a name. */
function untilEnd(name: string): string {
  const end = name.indexOf('\0')
  return end === -1 ? name : name.slice(0, end)
}

function readFrom(message: Message): JsonObject[string] | undefined {
  try {
    return (message.kind === 'response' ? message.result() : message.params())[REQUESTS]
  } catch {
    return undefined
  }
}

function deniedAmong(requests: JsonObject[string] | undefined, isDenied: (method: string) => boolean): string | null {
  if (!isObject(requests)) return REQUESTS
  for (const request of Object.values(requests)) {
    const method = isObject(request) ? request['method'] : undefined
    if (typeof method !== 'string') return REQUESTS
    if (!isPlainMethod(method) || isDenied(method)) return method.slice(0, LONGEST_SHOWN)
  }
  return null
}
