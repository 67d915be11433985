/**
 * A process that opens the store of a home, and updates it if it is of an older version.
 * Run as: node --conditions=countersign-source update-child.ts <home> open | write <name> | kill <step> | fail <step>
 */
import { draftEntry } from '@countersign/core'
import { openCrypto, openHome, openSqliteStore } from '@countersign/node'
import { openDatabase } from '../../../packages/node/src/store/database-file.ts'

const [folder = '', what = 'open', name = ''] = process.argv.slice(2)
const home = openHome(folder)

async function run(): Promise<string> {
  if (what === 'kill' || what === 'fail') {
    const db = await openDatabase(home.store, false, (step) => {
      if (step !== name) return
      if (what === 'fail') throw new Error('made to fail')
      process.kill(process.pid, 'SIGKILL')
      for (;;); // SIGKILL is pending: nothing more may happen
    })
    db.close()
    return 'not stopped'
  }
  const store = await openSqliteStore(home.store, { crypto: openCrypto(home) })
  if (what === 'write')
    for (let i = 0; i < 50; i += 1)
      await store.commit({ entries: [draftEntry({ kind: 'notice', call: null, name, i }, i)], durable: i % 10 === 0 })
  await store.close()
  return what === 'write' ? 'wrote 50' : 'open'
}

process.stdout.write(
  `${await run().catch((error: Error & { readonly code?: string }) => `${error.code} ${error.message}`)}\n`,
)
