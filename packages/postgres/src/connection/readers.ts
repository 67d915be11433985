import { CountersignError } from '@countersign/core'
import type pg from 'pg'
import type { StoreAddress } from './address.ts'
import {
  type Answer,
  beginWith,
  connect,
  cut,
  part,
  rest,
  type Statement,
  send,
  type Timeouts,
  wake,
} from './client.ts'
import { isAnswer } from './postgres-error.ts'

/** INVARIANT: L10. More readers wait for a free connection. */
const MOST = 4
/** More than this wait for no connection: they are refused. */
const MOST_WAITING = 10_000
const IDLE_MS = 30_000

/** Reads from the store. */
export interface Readers {
  /** Runs statements on one snapshot. */
  read(statements: readonly Statement[]): Promise<readonly Answer[]>
  close(): Promise<void>
}

interface Idle {
  readonly client: pg.Client
  readonly timer: NodeJS.Timeout
}

/** A few connections for reading, opened when needed and closed when idle. */
export function openReaders(address: StoreAddress, timeouts: Timeouts): Readers {
  const idle: Idle[] = []
  const waiting: (() => void)[] = []
  let busy = 0
  let isClosed = false

  async function take(): Promise<{ client: pg.Client; isNew: boolean }> {
    const kept = idle.pop()
    if (kept !== undefined) {
      clearTimeout(kept.timer)
      wake(kept.client)
      return { client: kept.client, isNew: false }
    }
    return { client: await connect(address, timeouts), isNew: true }
  }

  function release(client: pg.Client): void {
    if (isClosed) return void part(client)
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.client === client),
        1,
      )
      cut(client)
    }, IDLE_MS)
    timer.unref()
    rest(client)
    idle.push({ client, timer })
  }

  async function attempt(statements: readonly Statement[]): Promise<readonly Answer[] | 'stale'> {
    const { client, isNew } = await take()
    try {
      const begin = { text: beginWith('ISOLATION LEVEL REPEATABLE READ READ ONLY', timeouts) }
      const answers = await send(client, [begin, ...statements, { text: 'COMMIT' }], timeouts)
      release(client)
      return answers.slice(1, -1)
    } catch (error) {
      cut(client)
      // The server closed an idle connection, as when it restarted: a new one tells whether it is back.
      if (!isNew && !isAnswer(error)) return 'stale'
      throw error
    }
  }

  return {
    async read(statements) {
      if (busy >= MOST) {
        if (waiting.length >= MOST_WAITING)
          throw new CountersignError('CS_STORE_READ', 'too many reads of the store are waiting; try again')
        await new Promise<void>((resolve) => waiting.push(resolve))
      } else {
        busy += 1
      }
      try {
        for (;;) {
          const answers = await attempt(statements)
          if (answers !== 'stale') return answers
        }
      } finally {
        const next = waiting.shift()
        if (next === undefined) busy -= 1
        else next()
      }
    },
    async close() {
      isClosed = true
      await Promise.all(
        idle.splice(0).map(({ client, timer }) => {
          clearTimeout(timer)
          return part(client)
        }),
      )
    },
  }
}
