import type { JsonObject } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import { fold } from '../json/member-scanner.ts'
import type { Message } from '../wire/message.ts'
import { isPlainMethod } from '../wire/method-name.ts'

const REQUESTS = 'inputRequests'
const FOLDED = fold(REQUESTS)
const LONGEST = 32
const LONGEST_SHOWN = 100

/**
 * The first denied method inside `inputRequests`, of a result or of a task notification; null when there is none.
 * Unreadable requests count as denied.
 */
export function deniedInput(message: Message, isDenied: (method: string) => boolean): string | null {
  let isThere = false
  for (const name of message.kind === 'response' ? message.names() : (message.members()?.spans.keys() ?? [])) {
    if (name === REQUESTS) isThere = true
    else if (name.length <= LONGEST && fold(untilEnd(name)) === FOLDED) return REQUESTS
  }
  return isThere ? deniedAmong(readFrom(message), isDenied) : null
}

/** SECURITY: A1 the name as a C parser reads it, up to NUL. */
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
  if (!isJsonObject(requests)) return REQUESTS
  for (const request of Object.values(requests)) {
    const method = isJsonObject(request) ? request['method'] : undefined
    if (typeof method !== 'string') return REQUESTS
    if (!isPlainMethod(method) || isDenied(method)) return method.slice(0, LONGEST_SHOWN)
  }
  return null
}
