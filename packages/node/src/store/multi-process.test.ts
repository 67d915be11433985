import { join } from 'node:path'
import { draftEntry, parseEntry, verifyJournal } from '@countersign/core'
import { runNode } from '@countersign/testing/command/run-node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHome } from '../home/home.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { openSqliteStore } from './sqlite-store.ts'

const RACES = 60
const COMMITS = 300

/** One process: opens its own calls and tries to decide every shared one. Prints those it decided. */
const WRITER = `
import { draftEntry } from '@countersign/core'
import { openHome } from './packages/node/src/home/home.ts'
import { openCrypto } from './packages/node/src/keys/node-crypto.ts'
import { openSqliteStore } from './packages/node/src/store/sqlite-store.ts'
const [folder, name, commits, races] = process.argv.slice(1)
const home = openHome(folder)
const store = await openSqliteStore(home.store, { crypto: openCrypto(home) })
const won = []
for (let i = 0; i < Number(commits); i++) {
  const race = 'race-' + (i % Number(races))
  const move = { id: race, from: 'held', to: 'decided', set: { decision: JSON.stringify(name) } }
  const entry = draftEntry({ kind: 'notice', call: null, name, i }, i)
  const result = await store.commit({ entries: [draftEntry({ kind: 'decided', call: race, by: name }, i), entry], move, durable: i % 50 === 0 })
  if (result.kind === 'committed') won.push(race)
  else await store.commit({ entries: [entry], durable: false })
}
await store.close()
process.stdout.write(JSON.stringify(won))
`

describe('several processes on one store', () => {
  it('lose no entry, decide every call once, and leave a journal that verifies', async () => {
    const home = openHome(join(temporaryFolder(), 'home'))
    const crypto = openCrypto(home)
    const store = await openSqliteStore(home.store, { crypto })
    onTestFinished(() => store.close())
    for (let i = 0; i < RACES; i++) {
      const who = {
        id: `race-${i}`,
        session: null,
        state: 'held',
        owner: 'x',
        mode: 'submit',
        tool: 't',
        agent: 'a',
        risk: 'low',
      } as const
      const what = {
        supervision: 'confirm',
        rule: 'r',
        callDigest: 'd',
        requestDigest: null,
        summary: 's',
        sealed: null,
        openedAt: i,
      }
      const call = { ...who, ...what, expiresAt: null, decision: null, outcome: null, closedAt: null, contain: null }
      await store.commit({
        entries: [draftEntry({ kind: 'held', call: call.id }, 0)],
        open: { call, maxHeld: 500, maxHeldInSession: 500 },
        durable: false,
      })
    }
    const before = store.version()
    const names = ['one', 'two', 'three']
    const wins = await Promise.all(
      names.map(
        async (name) => JSON.parse(await runNode(WRITER, [home.dir, name, String(COMMITS), String(RACES)])) as string[],
      ),
    )
    expect(store.version()).not.toBe(before)
    expect(wins.flat().sort()).toEqual(Array.from({ length: RACES }, (_, i) => `race-${i}`).sort())
    for (const [index, won] of wins.entries()) {
      for (const id of won) expect((await store.call(id))?.decision).toBe(JSON.stringify(names[index]))
    }
    expect(await store.calls({ state: 'held' })).toEqual([])
    expect(await verifyJournal(store, { crypto, publicKeys: [] })).toMatchObject({
      kind: 'intact',
      size: RACES + names.length * COMMITS + RACES,
    })
    const entries = (await store.entries(1, 1e6)).map((row) => parseEntry(row.line))
    for (const name of names) {
      const own = entries
        .filter((entry) => entry?.kind === 'notice' && entry['name'] === name)
        .map((entry) => entry?.['i'])
      expect(own).toEqual(Array.from({ length: COMMITS }, (_, i) => i))
    }
  })

  it('can create the store at the same time', async () => {
    const folder = join(temporaryFolder(), 'home')
    const home = openHome(folder)
    openCrypto(home)
    await Promise.all(['one', 'two', 'three'].map((name) => runNode(WRITER, [home.dir, name, '5', '1'])))
    const store = await openSqliteStore(home.store, { crypto: openCrypto(home) })
    onTestFinished(() => store.close())
    expect((await store.head()).size).toBe(15)
  })
})
