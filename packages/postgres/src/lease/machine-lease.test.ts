import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshSchema, openedAt, runOn } from '../store-fixture.mts'

describe.skipIf(missingPostgres())('the lease of a machine', () => {
  const server = usePostgres()

  async function two() {
    const { address, crypto } = await freshSchema(server)
    const take = async (id: string, leaseMs?: number) => {
      const store = await openedAt(address, { crypto })
      const lease = await store.lease({ id, name: `host-${id}` }, leaseMs)
      onTestFinished(() => lease.close())
      return lease
    }
    return { address, take }
  }

  it('keeps a machine alive for the others, also one that takes it later', async () => {
    const { take } = await two()
    const a = await take('a')
    expect([a.isAlive('a'), a.isAlive('b')]).toEqual([true, true])
    const b = await take('b')
    await a.renew()
    expect([a.isAlive('b'), b.isAlive('a')]).toEqual([true, true])
  })

  it('is renewed while the machine lives, and ends when it does not', async () => {
    const { address, take } = await two()
    const a = await take('a')
    const b = await take('b', 4000)
    const c = await take('c', 300)
    const leaseOf = async (id: string) =>
      (await runOn(address, `SELECT until::text FROM {}.machine WHERE id = '${id}'`))[0]?.['until']
    const first = await leaseOf('b')
    c.close()
    await until('the end of the lease', async () => {
      await a.renew()
      return !a.isAlive('c')
    })
    await until('the renewal', async () => (await leaseOf('b')) !== first)
    expect(b.isAlive('b')).toBe(true)
    await c.renew()
    await a.renew()
    expect(a.isAlive('c')).toBe(true)
  })

  it('is measured on the server’s clock', async () => {
    const { address, take } = await two()
    const a = await take('a')
    await take('b')
    await runOn(address, "UPDATE {}.machine SET until = clock_timestamp() - interval '1 ms' WHERE id = 'b'")
    await a.renew()
    expect(a.isAlive('b')).toBe(false)
  })

  it('counts others as before while the server does not answer', async () => {
    const { address, take } = await two()
    const a = await take('a')
    await take('b')
    await runOn(address, 'ALTER TABLE {}.machine RENAME TO gone')
    await expect(a.renew()).rejects.toMatchObject({ code: 'CS_STORE_WRITE' })
    expect(a.isAlive('b')).toBe(true)
  })
})
