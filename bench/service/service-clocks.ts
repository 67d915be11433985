import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { machineNow } from './machine-now.ts'

/** The times of the last events in the service, in nanoseconds of the machine-wide clock. */
export interface ServiceClocks {
  /** The head of a write request was read. */
  readonly asked: number
  /** The last byte of its body was read: the decision has arrived, unparsed. */
  readonly received: number
  /** The transaction that opened a call was committed: it is held. */
  readonly held: number
}

/** Observes Node's HTTP server and SQLite from outside, not our code. */
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
