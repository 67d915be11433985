import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@countersign/core'
import { ownMessage } from './answers.ts'
import { idKey } from './id-key.ts'
import type { RpcResponse } from './message.ts'

/** Requests of our own to one side. Their ids cannot be guessed, and their answers go no further. */
export interface OwnRequests {
  ask(method: string, params: JsonObject): Promise<JsonObject>
  /** Takes an answer to one of them; false when it answers somebody else. */
  take(answer: RpcResponse): boolean
  /** Nobody will answer any more. */
  close(why: string): void
}

export function createOwnRequests(send: (bytes: Buffer) => void): OwnRequests {
  const prefix = `countersign-${randomBytes(9).toString('base64url')}`
  const open = new Map<string, { resolve(result: JsonObject): void; reject(error: Error): void }>()
  let count = 0

  return {
    ask(method, params) {
      count += 1
      const id = `${prefix}-${count}`
      return new Promise((resolve, reject) => {
        open.set(idKey(JSON.stringify(id)), { resolve, reject })
        send(ownMessage(method, params, id))
      })
    },
    take(answer) {
      if (open.size === 0) return false
      const key = idKey(answer.id)
      const waiting = open.get(key)
      if (waiting === undefined) return false
      open.delete(key)
      try {
        waiting.resolve(answer.result())
      } catch (error) {
        waiting.reject(error instanceof Error ? error : new Error('unreadable'))
      }
      return true
    },
    close(why) {
      for (const { reject } of open.values()) reject(new Error(why))
      open.clear()
    },
  }
}
