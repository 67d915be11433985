import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@countersign/core'
import type { RawId, RpcResponse } from '../wire/message.ts'
import { idKey } from '../wire/message.ts'
import { ownMessage } from '../wire/message-writer.ts'

/** Requests of the proxy itself. Their ids cannot be guessed, and their responses are not forwarded. */
export interface OwnRequests {
  /** The number of open requests. */
  readonly size: number
  ask(method: string, params: JsonObject): Promise<JsonObject>
  /** Takes a response; false when it is not for one of these. */
  take(answer: RpcResponse): boolean
  /** Fails a request whose response cannot be read; false when it is not one of these. */
  refuse(id: RawId, why: string): boolean
  /** No more responses will come. */
  close(why: string): void
}

export function createOwnRequests(send: (bytes: Buffer) => void): OwnRequests {
  const prefix = `countersign-${randomBytes(9).toString('base64url')}`
  const open = new Map<string, { resolve(result: JsonObject): void; reject(error: Error): void }>()
  let count = 0

  function close(why: string): void {
    for (const { reject } of open.values()) reject(new Error(why))
    open.clear()
  }

  /** Removes and returns a request; fast when none is open. */
  function find(id: RawId) {
    if (open.size === 0) return undefined
    const key = idKey(id)
    const waiting = open.get(key)
    open.delete(key)
    return waiting
  }

  return {
    get size() {
      return open.size
    },
    ask(method, params) {
      count += 1
      const id = `${prefix}-${count}`
      return new Promise((resolve, reject) => {
        open.set(idKey(JSON.stringify(id)), { resolve, reject })
        send(ownMessage(method, params, id))
      })
    },
    take(answer) {
      const waiting = find(answer.id)
      if (waiting === undefined) return false
      try {
        waiting.resolve(answer.result())
      } catch (error) {
        waiting.reject(error instanceof Error ? error : new Error('unreadable'))
      }
      return true
    },
    refuse(id, why) {
      const waiting = find(id)
      waiting?.reject(new Error(why))
      return waiting !== undefined
    },
    close,
  }
}
