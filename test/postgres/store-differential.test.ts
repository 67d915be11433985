import { join } from 'node:path'
import { type Change, type Store, type StoredCall, WAITING_STATES } from '@countersign/core'
import { openCrypto, openHome, openSqliteStore } from '@countersign/node'
import { migrateSchema, openPostgresStore, parseStoreAddress } from '@countersign/postgres'
import { onEachPostgres } from '@countersign/testing/postgres/each-version'
import { type Random, random as seededRandom } from '@countersign/testing/seeded-random'
import { call, entry } from '@countersign/testing/store/changes'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { expect, it, onTestFinished } from 'vitest'

const STATES = [...WAITING_STATES, 'started', 'closed'] as const
const ROUNDS = 60

/** A change that may conflict in every way a change can. */
function anyChange(random: Random): Change {
  const id = `c${random.below(12)}`
  const session = random.pick(['s1', 's2', null])
  const at = random.below(20)
  const some = <T>(probability: number, value: () => T) => (random.chance(probability) ? value() : undefined)
  const open = some(0.5, () => ({
    call: call(id, {
      session,
      state: random.pick(STATES),
      sealed: new Uint8Array(random.pick([2, 17_000, 30_000])),
      openedAt: at,
      decision: random.pick([null, '{"approver":"ana"}', 'sealed']),
    }),
    maxHeldInSession: random.pick([2, 4]),
    maxHeld: random.pick([4, 10]),
    maxBytesInSession: 50_000,
    maxBytes: 90_000,
  }))
  const set: Partial<StoredCall> = random.pick([
    {},
    { sealed: new Uint8Array(20_000) },
    { outcome: 'expired', closedAt: at },
    { decision: '{"approver":"ben"}', requestDigest: 'q2' },
  ])
  const move = some(open === undefined ? 0.6 : 0.1, () => ({
    id,
    from: random.pick([STATES, ['held', 'ready'] as const, 'held', 'started'] as const),
    to: random.pick(STATES),
    ...(random.chance(0.2) ? { requestDigest: 'q' } : {}),
    set,
  }))
  const grant = `g${random.below(4)}`
  const addGrant = some(0.15, () => ({
    id: grant,
    session,
    body: '{}',
    decision: '{}',
    uses: 0,
    maxUses: random.pick([null, 1, 2]),
    expiresAt: random.pick([null, 15]),
    revokedAt: null,
  }))
  const files = ['a', 'b', 'c', 'a'].slice(random.below(3)).map((path) => ({
    path,
    kind: 'written' as const,
    content: `x${random.below(3)}`,
    mark: '',
    before: random.pick([null, 'absent', 'x0', 'x1']),
    seen: random.chance(0.3),
    backup: random.pick([null, 'b1']),
    ...(random.chance(0.2) ? { restored: true as const } : {}),
  }))
  const about = { workspace: '/w', call: id, agent: 'main' }
  const optional = {
    open,
    move,
    addGrant,
    useGrant: some(0.15, () => ({ id: grant, at })),
    revokeGrant: some(0.05, () => ({ id: grant, at })),
    count: some(0.3, () => [
      { session: session ?? '', name: 'calls', at, amount: 1, bounds: [{ from: random.below(20), most: 6 }] },
      { session: 's1', name: 'lines', at, amount: 0.5 },
    ]),
    unrecorded: some(0.1, () => ({ ...about, since: at })),
    changed: some(0.2, () => ({
      ...about,
      at,
      files,
      everything: random.pick([null, null, 'too slow']),
      installedSince: random.pick([null, at]),
      ...(random.chance(0.2) ? { continues: true as const } : {}),
    })),
    seen: some(0.1, () => ({
      workspace: '/w',
      files: [{ path: 'a', content: 'x1', mark: 'm' }],
      call: '',
      at,
      ...(random.chance(0.3) ? { installedUntil: at } : {}),
      ...(random.chance(0.3) ? { everything: true as const } : {}),
    })),
  }
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  return { entries: Array.from({ length: random.below(3) }, () => entry(id)), ...given, durable: false }
}

async function wholeState(store: Store) {
  const { size, frontier } = await store.head()
  return {
    head: { size, frontier },
    entries: await store.entries(1, size),
    calls: (await store.calls({ limit: 1000 })).map((row) => ({ ...row, sealed: row.sealed?.length ?? null })),
    held: (await store.calls({ state: 'held' })).map(({ id }) => id),
    decidedByAna: (await store.calls({ approver: 'ana' })).map(({ id }) => id),
    grants: await store.grants(),
    counted: await Promise.all(['', 's1', 's2'].map((session) => store.counted(session, 'calls', 5))),
    lines: await store.counted('s1', 'lines', 0),
    changes: await store.changes('/w'),
    outlines: await Promise.all([1, 2, 5].map((most) => store.outlineOf('c1', most))),
  }
}

/** A refusal of one change by an error is the same wherever it comes from. */
const resultOf = (one: PromiseSettledResult<unknown>) => (one.status === 'fulfilled' ? one.value : 'refused')

onEachPostgres('the stores on SQLite and PostgreSQL', (server) => {
  it.each([1, 2, 3, 4, 5, 6])('give the same answers and end in the same state (seed %i)', async (seed) => {
    const random = seededRandom(seed)
    const home = openHome(join(temporaryFolder(), 'home'))
    const options = { crypto: openCrypto(home), now: () => 10 }
    const address = server.freshAddress()
    await migrateSchema(parseStoreAddress(address))
    const stores = [await openSqliteStore(home.store, options), await openPostgresStore(address, options)]
    onTestFinished(async () => {
      for (const store of stores) await store.close()
    })
    for (let round = 0; round < ROUNDS; round += 1) {
      const group = Array.from({ length: 1 + random.below(6) }, () => anyChange(random))
      const [one, other] = await Promise.all(
        stores.map((store) => Promise.allSettled(group.map((change) => store.commit(change)))),
      )
      expect(other?.map(resultOf), `round ${round}`).toEqual(one?.map(resultOf))
    }
    const [one, other] = await Promise.all(stores.map(wholeState))
    expect(other).toEqual(one)
  })
})
