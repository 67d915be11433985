import { openHome, readStoreSetting } from '@countersign/node'
import { parseStoreAddress } from '@countersign/postgres'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { rawClient } from '@countersign/testing/postgres/raw-client'
import { usePostgres } from '@countersign/testing/postgres/server'
import { type UsedHome, usedHome, verifiedJournal } from '@countersign/testing/store/used-home'
import { describe, expect, it } from 'vitest'

describe.skipIf(missingPostgres())('countersign store use with a new address of the same store', () => {
  const server = usePostgres()

  async function ok(place: UsedHome, ...words: readonly string[]) {
    const ran = await place.run(...words)
    expect(ran, `${words.join(' ')}: ${ran.stderr}`).toMatchObject({ code: 0 })
  }

  /** A home on a store of its own schema, and the address of that schema for another login. */
  async function shared(login: string) {
    const place = await usedHome()
    const address = server.freshAddress()
    for (const words of [['migrate'], ['copy'], ['use']]) await ok(place, 'store', ...words, address)
    await sql(address, () => `CREATE ROLE ${login} SUPERUSER LOGIN`)
    const other = address.replace(/^postgres:\/\/[^@]*@/, `postgres://${login}@`)
    expect(other).not.toBe(address)
    return { ...place, address, other }
  }

  async function sql(address: string, text: (schema: string) => string): Promise<void> {
    const client = await rawClient(address)
    await client.query(text(parseStoreAddress(address).schema))
    await client.end()
  }

  const setting = ({ home }: UsedHome) => readStoreSetting(openHome(home))

  it('is accepted while both open, and the held call can be decided', async () => {
    const place = await shared('second')
    await ok(place, 'store', 'use', place.other)
    expect(setting(place)).toBe(place.other)
    expect(await place.decide()).toMatchObject({ kind: 'permit' })
    await verifiedJournal(place)
  })

  it('is accepted where the former address does not open any more', async () => {
    const place = await shared('former')
    await ok(place, 'store', 'use', place.other)
    await sql(place.address, () => 'DROP ROLE former')
    expect(await place.jot().catch(String)).toContain('CountersignError')
    await ok(place, 'store', 'use', place.address)
    expect(await place.jot()).toBe('completed')
    await verifiedJournal(place)
  })

  /** A twin of the store as it was, in another database of the same server under the same schema. */
  async function twin(place: Awaited<ReturnType<typeof shared>>, name: string): Promise<string> {
    const { database } = parseStoreAddress(place.address)
    const client = await rawClient(place.address)
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`)
    await client.end()
    const address = place.other.replace(`/${database}`, `/${name}`)
    expect(address).not.toBe(place.other)
    await ok(place, 'home', 'backup', `copy-${name}`)
    const restored = { ...place, run: (...words: readonly string[]) => place.run('--home', `new-${name}`, ...words) }
    await ok(restored, 'home', 'restore', `copy-${name}`)
    for (const words of [['migrate'], ['copy']]) await ok(restored, 'store', ...words, address)
    return address
  }

  it('refuses a twin while the store itself is in use, and an older one after (L3)', async () => {
    const place = await shared('twins')
    const address = await twin(place, 'twin')
    const inUse = await place.run('store', 'use', address)
    expect(inUse.stderr).toContain('the journal of this home is in')
    await ok(place, 'store', 'use', place.other)
    expect(await place.jot()).toBe('completed')
    await ok(place, 'journal', 'checkpoint')
    await sql(place.address, (schema) => `ALTER SCHEMA "${schema}" RENAME TO gone`)
    const older = await place.run('store', 'use', address)
    expect(older.stderr).toContain('does not continue the journal of this home')
    expect(setting(place)).toBe(place.other)
  })

  it('refuses a store with another list of gates', async () => {
    const place = await shared('forger')
    const address = await twin(place, 'forged')
    await sql(
      address,
      (schema) => `UPDATE "${schema}".gate_list SET body = replace(body, '"version":1', '"version":2')`,
    )
    await sql(place.address, (schema) => `ALTER SCHEMA "${schema}" RENAME TO gone_too`)
    expect((await place.run('store', 'use', address)).stderr).toContain(
      'does not have the list of gates that this home knows',
    )
  })
})
