import { openPooler, type PoolMode } from '@countersign/testing/postgres/pooler'
import { missingPgBouncer } from '@countersign/testing/postgres/pooler-program'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { groupLaws } from '@countersign/testing/store/group-laws'
import { storeLaws } from '@countersign/testing/store/store-laws'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseStoreAddress } from './connection/address.ts'
import { connect, TIMEOUTS } from './connection/client.ts'
import { entry, expectIntact, freshSchema, open, openedAt } from './store-fixture.mts'

const missing = missingPostgres() ?? missingPgBouncer()

describe.skipIf(missing).each<PoolMode>(['transaction', 'session'])('a store behind PgBouncer in %s mode', (mode) => {
  const server = usePostgres()

  /** A schema, and its address through a pooler. In transaction mode the pooler loses prepared statements. */
  async function pooled() {
    const { address, crypto } = await freshSchema(server)
    const through = await openPooler(server, mode)
    return { crypto, direct: address, address: through(mode === 'transaction' ? `${address}&prepare=no` : address) }
  }

  async function opened(options: { readonly now?: () => number } = {}) {
    const { address, crypto } = await pooled()
    const again = () => openedAt(address, { crypto, ...options })
    const store = await again()
    return { store, again, steadyVersion: () => store.steadyVersion() }
  }

  storeLaws(`the store in ${mode} mode`, opened)
  groupLaws(`the store in ${mode} mode`, opened)

  it('lets many stores write at once over few connections', async () => {
    const { address, crypto } = await pooled()
    const stores = await Promise.all(Array.from({ length: 6 }, () => openedAt(address, { crypto })))
    const told = await Promise.all(
      Array.from({ length: 120 }, (_, at) => stores[at % 6]?.commit({ entries: [entry()], durable: at % 2 === 0 })),
    )
    expect(told.every((one) => one?.kind === 'committed')).toBe(true)
    const [store] = stores
    if (store !== undefined) await expectIntact(store, crypto)
  })

  it('notices changes of others, by notification only where the pooler keeps the connection', async () => {
    const { address, direct, crypto } = await pooled()
    const [listening, other] = [await openedAt(address, { crypto }), await openedAt(direct, { crypto })]
    const before = listening.version()
    await other.commit(open('a'))
    await until('the change', () => listening.version() !== before)
    if (mode === 'session') {
      await until('notifications', () => listening.version() >= 0 && listening.listening() === 'notified')
      return
    }
    const changed = listening.version()
    await other.commit(open('b'))
    await until('the next change', () => listening.version() !== changed)
    expect(listening.listening()).toBe('polling')
  })

  it('has its time-outs in every transaction, and leaves none behind', async () => {
    const { address, direct, crypto } = await pooled()
    const store = await openedAt(address, { crypto })
    const { schema } = parseStoreAddress(direct)
    const blocking = await connect(parseStoreAddress(direct), TIMEOUTS)
    onTestFinished(() => blocking.end())
    await blocking.query(`BEGIN; SELECT * FROM "${schema}".head FOR UPDATE`)
    await expect(store.commit(open('a'))).rejects.toMatchObject({
      message: expect.stringContaining('another gate holds the journal'),
    })
    await blocking.query('ROLLBACK')
    expect((await store.commit(open('a'))).kind).toBe('committed')
    const plain = await connect(parseStoreAddress(address), TIMEOUTS)
    onTestFinished(() => plain.end())
    const { rows } = await plain.query('SHOW lock_timeout')
    expect(rows).toEqual([{ lock_timeout: '0' }])
  })
})

describe.skipIf(missing)('a pooler that loses prepared statements', () => {
  const server = usePostgres()

  it('is told from a failing server, and does no harm with `prepare=no`', async () => {
    const { address, crypto } = await freshSchema(server)
    const through = await openPooler(server, 'transaction', 1)
    const first = await openedAt(through(address), { crypto })
    await expect(openedAt(through(address), { crypto })).rejects.toMatchObject({
      message: expect.stringContaining('add `prepare=no`'),
    })
    const stores = await Promise.all([1, 2, 3].map(() => openedAt(`${through(address)}&prepare=no`, { crypto })))
    const told = await Promise.all(stores.map((store, at) => store.commit(open(`call-${at}`))))
    expect(told.map(({ kind }) => kind)).toEqual(['committed', 'committed', 'committed'])
    const [size] = await Promise.all(stores.map(async (store) => (await store.head()).size))
    expect(size).toBe(3)
    expect(first.listening()).toBe('polling')
  })
})
