import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { machineNow } from './machine-now.ts'

/** When things last happened in the service, in nanoseconds of the clock that all processes of a machine share. */
export interface ServiceClocks {
  /** The head of a request that writes was read. */
  readonly asked: number
  /** The last byte of its body was: the decision is there, as bytes that nobody has looked at. */
  readonly received: number
  /** The transaction that opened a call was committed: from here on it is held. */
  readonly held: number
}

/** Watches from outside of the product: Node's own HTTP server and SQLite are asked, nothing of ours. */
export function watchClocks(): () => ServiceClocks {
  const clocks = { asked: 0, received: 0, held: 0 }

  subscribe('http.server.request.start', (message) => {
    const { request } = message as { readonly request: IncomingMessage }
    if (request.method !== 'POST') return
    clocks.asked = machineNow()
    const push = request.push.bind(request)
    request.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk === null) clocks.received = machineNow()
      return push(chunk, encoding)
    }
  })

  const { prepare } = DatabaseSync.prototype
  let opening = false
  DatabaseSync.prototype.prepare = function watched(this: DatabaseSync, sql: string) {
    const statement = prepare.call(this, sql)
    const isOpening = sql.startsWith('INSERT INTO call ')
    if (!isOpening && sql !== 'COMMIT') return statement
    const run = statement.run.bind(statement)
    const value = (...values: SQLInputValue[]) => {
      const ran = run(...values)
      if (!isOpening && opening) clocks.held = machineNow()
      opening = isOpening
      return ran
    }
    return Object.defineProperty(statement, 'run', { value })
  }
  return () => clocks
}
