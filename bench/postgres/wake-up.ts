import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause, setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { openCrypto, openHome } from '@countersign/node'
import { openPostgresStore } from '@countersign/postgres'
import type { PostgresServer } from '@countersign/testing/postgres/server'
import { entry } from '@countersign/testing/store/changes'
import { compared } from '../gate/compared.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from '../gate/in-turns.ts'
import type { BenchRow } from '../table.ts'
import { clientAt, freshTables } from './clients.ts'

/** Both sides are asleep before each measurement. */
const PARKED_MS = 1

/** From a commit at one gate until another gate knows of it, compared with a notification of the same server alone. */
export async function benchWakeUp(server: PostgresServer, options: TurnOptions): Promise<readonly BenchRow[]> {
  const address = await freshTables(server)
  const home = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const crypto = openCrypto(openHome(home))
  const [writes, hears] = [await openPostgresStore(address, { crypto }), await openPostgresStore(address, { crypto })]
  const [sends, listens] = [await clientAt(address), await clientAt(address)]
  try {
    while (hears.listening() !== 'notified') {
      hears.version()
      await pause(PARKED_MS)
    }
    await listens.query('LISTEN bench')
    const store: Subject = {
      name: 'store',
      async once() {
        const before = hears.version()
        await pause(PARKED_MS)
        const start = nanoseconds()
        const written = writes.commit({ entries: [entry()], durable: false })
        while (hears.version() === before) await turnOfTheLoop()
        const took = nanoseconds() - start
        await written
        await hears.steadyVersion()
        return took
      },
    }
    const bare: Subject = {
      name: 'bare',
      async once() {
        await pause(PARKED_MS)
        const heard = once(listens, 'notification')
        const start = nanoseconds()
        const sent = sends.query('NOTIFY bench')
        await heard
        const took = nanoseconds() - start
        await sent
        return took
      },
    }
    const turns = await measureInTurns(store, [bare], options)
    return [
      { name: 'a notification of the server alone', median: turns.medians.median('bare'), unit: 'ns' },
      ...compared(turns, {
        key: 'store',
        name: 'from a commit at one gate until another knows',
        floor: 'the notification',
        most: undefined,
      }),
    ]
  } finally {
    await Promise.all([writes.close(), hears.close(), sends.end(), listens.end()])
    rmSync(home, { recursive: true, force: true })
  }
}
