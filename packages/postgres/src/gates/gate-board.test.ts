import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { describe, expect, it, vi } from 'vitest'
import { parseStoreAddress } from '../connection/address.ts'
import { connect, send, TIMEOUTS } from '../connection/client.ts'
import { channelOf } from '../schema/schema.ts'
import { entry, openedOn } from '../store-fixture.mts'

describe.skipIf(missingPostgres())('the board of the gates on a store', () => {
  const server = usePostgres()

  it('keeps versions of the list, each with its journal entry', async () => {
    const { store } = await openedOn(server)
    expect(store.gates.version()).toBe(0)
    expect(await store.gates.addList({ version: 1, text: 'one' }, entry())).toBe(true)
    expect(await store.gates.addList({ version: 2, text: 'two' }, entry())).toBe(true)
    expect(await store.gates.listsAfter(0)).toEqual(['one', 'two'])
    expect(await store.gates.listsAfter(1)).toEqual(['two'])
    expect((await store.head()).size).toBe(2)
    expect(store.gates.version()).toBe(2)
  })

  it('takes each version once: who comes second writes nothing, also no entry', async () => {
    const { store, again } = await openedOn(server)
    const others = await Promise.all([again(), again(), again()])
    const added = await Promise.all(
      [store, ...others].map(({ gates }, n) => gates.addList({ version: 1, text: `by ${n}` }, entry())),
    )
    expect(added.filter(Boolean)).toHaveLength(1)
    expect(await store.gates.listsAfter(0)).toEqual([`by ${added.indexOf(true)}`])
    expect((await store.head()).size).toBe(1)
    expect(await store.gates.addList({ version: 3, text: 'skipped' }, entry())).toBe(false)
  })

  it('tells other processes of a new version', async () => {
    const { store, again } = await openedOn(server)
    const other = await again()
    other.version()
    await vi.waitFor(() => expect(other.listening()).toBe('notified'), 10_000)
    await store.gates.addList({ version: 1, text: 'one' }, entry())
    await vi.waitFor(() => expect(other.gates.version()).toBe(1), 10_000)
  })

  it('hears later changes whatever somebody announces on its channel', async () => {
    const { store, address, again } = await openedOn(server)
    const other = await again()
    other.version()
    await vi.waitFor(() => expect(other.listening()).toBe('notified'), 10_000)
    const client = await connect(parseStoreAddress(address), TIMEOUTS)
    const channel = channelOf(parseStoreAddress(address).schema)
    const payloads = ['x 9007199254740990 0', 'x NaN NaN', 'x', '', 'x 1e400 -5', 'probe']
    for (const payload of payloads)
      await send(client, [{ text: 'SELECT pg_notify($1, $2)', values: [channel, payload] }], TIMEOUTS)
    await client.end()
    for (const round of [1, 2, 3]) {
      const before = await other.steadyVersion()
      await store.commit({ entries: [entry()], durable: false })
      await vi.waitFor(() => expect(other.version(), `round ${round}`).toBeGreaterThan(before), 10_000)
    }
    expect(other.gates.version()).toBe(0)
  })

  it('keeps a request until it is answered, once, or its time is over', async () => {
    const { store, again } = await openedOn(server)
    const { gates } = await again()
    expect(await store.gates.ask('a', 'request', 60_000)).toBe(true)
    expect(await gates.asked('a')).toEqual({ request: 'request', answer: null })
    expect(await gates.answer('a', 'answer')).toBe(true)
    expect(await gates.answer('a', 'another')).toBe(false)
    expect(await store.gates.asked('a')).toEqual({ request: 'request', answer: 'answer' })
    await store.gates.forget('a')
    expect(await gates.asked('a')).toBeUndefined()
    expect(await gates.answer('a', 'late')).toBe(false)

    expect(await store.gates.ask('b', 'request', -1)).toBe(true)
    expect(await gates.asked('b')).toBeUndefined()
    expect(await gates.answer('b', 'answer')).toBe(false)
  })

  it('has room for a hundred requests', async () => {
    const { store } = await openedOn(server)
    for (let n = 0; n < 100; n += 1) expect(await store.gates.ask(`r${n}`, 'request', 60_000)).toBe(true)
    expect(await store.gates.ask('more', 'request', 60_000)).toBe(false)
    await store.gates.forget('r1')
    expect(await store.gates.ask('more', 'request', 60_000)).toBe(true)
  })
})
