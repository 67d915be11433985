import { rootOf } from '@countersign/core'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { openProxy } from '@countersign/testing/postgres/proxy'
import { type PostgresServer, startPostgres } from '@countersign/testing/postgres/server'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseStoreAddress } from './connection/address.ts'
import { readServer } from './server/server-state.ts'
import { entry, expectIntact, freshSchema, open, openedAt, runOn } from './store-fixture.mts'

const committed = (size: number) => ({ kind: 'committed', size })

/** A primary server, a standby that follows it, and the address of a store that names both. */
async function pair() {
  const primary = await startPostgres()
  onTestFinished(() => primary.stop())
  const { address: first, crypto } = await freshSchema(primary)
  const standby = await startPostgres({ standbyOf: primary })
  onTestFinished(() => standby.stop())
  const at = (server: PostgresServer) =>
    first.replace(encodeURIComponent(primary.folder), encodeURIComponent(server.folder))
  const address = first.replace(
    encodeURIComponent(primary.folder),
    [primary, standby].map(({ folder }) => encodeURIComponent(folder)).join(),
  )
  const isCaughtUp = async () => {
    const [here] = await runOn(first, 'SELECT pg_current_wal_flush_lsn()::text AS lsn')
    const [there] = await runOn(at(standby), 'SELECT pg_last_wal_replay_lsn()::text AS lsn')
    return here?.['lsn'] === there?.['lsn']
  }
  return {
    primary,
    standby,
    first,
    second: at(standby),
    address,
    crypto,
    caughtUp: () => until('the standby to catch up', isCaughtUp),
    async promote() {
      await runOn(at(standby), 'SELECT pg_promote(wait => false)')
      await until('the promotion', async () => {
        const [row] = await runOn(at(standby), 'SELECT pg_is_in_recovery() AS standby')
        return row?.['standby'] === false
      })
    },
    async replicateSynchronously() {
      await runOn(first, "ALTER SYSTEM SET synchronous_standby_names = 'standby'")
      await runOn(first, 'SELECT pg_reload_conf()')
      await until('synchronous replication', async () => {
        const [row] = await runOn(first, 'SELECT sync_state FROM pg_stat_replication')
        return row?.['sync_state'] === 'sync'
      })
    },
  }
}

describe.skipIf(missingPostgres())('a store with a standby', () => {
  it('goes on at the promoted standby, which has every commit', async () => {
    const { primary, address, second, crypto, caughtUp, promote } = await pair()
    const store = await openedAt(address, { crypto })
    expect(await store.commit(open('a'))).toEqual(committed(1))
    await caughtUp()
    await primary.kill()
    await expect(store.commit(open('b'))).rejects.toMatchObject({
      message: expect.stringContaining('every server that answers is a standby'),
    })
    await promote()
    expect(await store.commit(open('b'))).toEqual(committed(2))
    const promoted = await openedAt(second, { crypto })
    expect((await promoted.call('a'))?.state).toBe('held')
    await expectIntact(promoted, crypto)
  })

  it('refuses a standby that missed commits, also once it has grown past them', async () => {
    const { primary, standby, address, second, crypto, caughtUp, promote } = await pair()
    const store = await openedAt(address, { crypto })
    await store.commit(open('a'))
    await caughtUp()
    await standby.kill()
    for (const id of ['b', 'c']) await store.commit(open(id))
    const { size, frontier } = await store.head()
    const known = { size, root: rootOf(frontier, size, crypto) }
    await primary.kill()
    await standby.start()
    await promote()
    const shorter = { message: expect.stringContaining('ends at entry 1, but this gate knows 3 entries') }
    await expect(store.commit(open('d'))).rejects.toMatchObject(shorter)
    await expect(store.call('a')).rejects.toMatchObject(shorter)
    await expect(openedAt(address, { crypto, known })).rejects.toMatchObject(shorter)
    const unaware = await openedAt(second, { crypto })
    expect((await unaware.head()).size).toBe(1)
    // It grows past the size that was known: that does not bring the lost entries back.
    for (const id of ['x', 'y', 'z']) expect((await unaware.commit(open(id))).kind).toBe('committed')
    const another = {
      code: 'CS_STORE_OPEN',
      message: expect.stringMatching(
        /^entry 3 in the journal of `.+` is `[0-9a-f]{12}…`, but this gate knows it as `[0-9a-f]{12}…`; .+: connect to/,
      ),
    }
    await expect(store.commit(open('d'))).rejects.toMatchObject(another)
    await expect(store.call('a')).rejects.toMatchObject(another)
    await expect(openedAt(address, { crypto, known })).rejects.toMatchObject({
      code: 'CS_STORE_OPEN',
      message: expect.stringContaining('the first 3 entries in the journal'),
    })
    await expectIntact(unaware, crypto)
  })

  it('never reads or writes at a standby, whatever the order of the servers', async () => {
    const { first, second, crypto, address } = await pair()
    const [a, b] = parseStoreAddress(address).servers
    const backwards = address.replace(
      `${encodeURIComponent(a?.host ?? '')},${encodeURIComponent(b?.host ?? '')}`,
      `${encodeURIComponent(b?.host ?? '')},${encodeURIComponent(a?.host ?? '')}`,
    )
    const store = await openedAt(backwards, { crypto })
    expect(await store.commit({ entries: [entry()], durable: true })).toEqual(committed(1))
    expect((await (await openedAt(first, { crypto })).head()).size).toBe(1)
    const only = await openedAt(second, { crypto })
    await expect(only.commit(open('a'))).rejects.toMatchObject({ message: expect.stringContaining('read-only') })
  })

  it('finds a commit whose answer was lost with the primary at the promoted standby', async () => {
    const { primary, standby, address, crypto, promote, replicateSynchronously } = await pair()
    await replicateSynchronously()
    const proxy = await openProxy(primary.folder)
    const store = await openedAt(proxy.through(address), { crypto })
    await store.commit(open('a'))
    let isLost = false
    proxy.onAnswer((type, content) => {
      if (type !== 'C' || !content.includes('COMMIT\0') || isLost) return isLost ? 'cut' : 'pass'
      isLost = true
      void primary.kill().then(promote)
      return 'cut'
    })
    expect(await store.commit(open('b'))).toEqual(committed(2))
    expect(isLost).toBe(true)
    const promoted = await openedAt(address, { crypto })
    expect((await promoted.entriesOf('b')).length).toBe(1)
    expect(standby.pid()).toBeGreaterThan(1)
  })

  it('loses nothing it confirmed when replication is synchronous', async () => {
    const { primary, address, crypto, promote, replicateSynchronously } = await pair()
    await replicateSynchronously()
    const store = await openedAt(address, { crypto })
    const told = new Map<string, string>()
    let isOver = false
    const writing = [1, 2, 3, 4].map(async (lane) => {
      for (let at = 0; !isOver; at += 1) {
        const id = `${lane}-${at}`
        const bounds = { maxHeldInSession: 100_000, maxHeld: 100_000 }
        told.set(
          id,
          await store.commit({ ...open(id, {}, bounds), durable: at % 2 === 0 }).then(
            ({ kind }) => kind,
            ({ code }) => String(code),
          ),
        )
      }
    })
    const count = () => [...told.values()].filter((one) => one === 'committed').length
    await until('commits', () => count() > 100)
    await primary.kill()
    await promote()
    const before = count()
    await until('commits at the promoted standby', () => count() > before + 20)
    isOver = true
    await Promise.all(writing)
    for (const [id, kind] of told)
      if (kind !== 'CS_STORE_UNSURE')
        expect([id, kind, (await store.entriesOf(id)).length]).toEqual([id, kind, kind === 'committed' ? 1 : 0])
    await expectIntact(store, crypto)
  })

  it('confirms nothing that the synchronous standby lacks', async () => {
    const { primary, standby, address, second, crypto, promote, replicateSynchronously } = await pair()
    const store = await openedAt(address, { crypto })
    await store.commit(open('a'))
    await replicateSynchronously()
    await standby.kill()
    await expect(store.commit(open('b'))).rejects.toMatchObject({ code: 'CS_STORE_UNSURE' })
    await primary.kill()
    await standby.start()
    await promote()
    expect(await (await openedAt(second, { crypto })).call('b')).toBeUndefined()
    expect(await store.commit(open('c'))).toEqual(committed(2))
  })

  it('knows whether a failover can lose commits', async () => {
    const { first, address, replicateSynchronously, standby } = await pair()
    const state = () => readServer(parseStoreAddress(address))
    await until('the standby', async () => (await state()).standbys === 1)
    expect((await state()).replication).toBe('asynchronous')
    await replicateSynchronously()
    expect(await state()).toMatchObject({ replication: 'synchronous', version: expect.stringMatching(/^\d+(\.\d+)?$/) })
    await runOn(first, "ALTER SYSTEM SET synchronous_standby_names = ''")
    await runOn(first, 'SELECT pg_reload_conf()')
    await standby.kill()
    await until('no standby', async () => (await state()).replication === 'none')
  })
})
