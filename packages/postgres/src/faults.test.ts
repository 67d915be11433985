import { type Change, draftEntry, rootOf, SpanBuilder } from '@countersign/core'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { type Fate, openProxy } from '@countersign/testing/postgres/proxy'
import { usePostgres } from '@countersign/testing/postgres/server'
import { until } from '@countersign/testing/until'
import { describe, expect, it } from 'vitest'
import { close, entry, expectIntact, freshSchema, open, openedAt, runOn } from './store-fixture.mts'

const isCommit = (content: string) => content.includes('COMMIT\0')

/** Ends all connections of gates to the server but the asking one. */
const END_ALL =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'countersign'"

describe.skipIf(missingPostgres())('a store whose connection breaks', () => {
  const server = usePostgres()

  /** A store behind a proxy, and another one on a sound connection. */
  async function apart() {
    const { address, crypto } = await freshSchema(server)
    const proxy = await openProxy(server.folder)
    const store = await openedAt(proxy.through(address), { crypto })
    const sound = await openedAt(address, { crypto })
    await store.commit({ entries: [entry()], durable: true })
    return { store, sound, proxy, address, crypto }
  }

  /** Breaks once, at the first piece that is asked for. */
  const once = (wanted: (content: string) => boolean, fate: Fate) => {
    let isDone = false
    return (content: string): Fate => {
      if (isDone || !wanted(content)) return 'pass'
      isDone = true
      return fate
    }
  }

  it('finds out that a commit happened although its answer was lost', async () => {
    const { store, sound, proxy, crypto } = await apart()
    const cut = once(isCommit, 'cut')
    let isFirst = true
    proxy.onAnswer((type, content) => {
      // Reads end with COMMIT too: the first one of this test is the write's.
      if (type !== 'C' || !isFirst || cut(content) === 'pass') return 'pass'
      isFirst = false
      return 'cut'
    })
    expect(await store.commit(open('a'))).toEqual({ kind: 'committed', size: 2 })
    expect(isFirst).toBe(false)
    expect((await sound.call('a'))?.state).toBe('held')
    expect((await store.head()).size).toBe(2)
    await expectIntact(store, crypto)
  })

  it('commits once, or refuses, when the connection is cut before the commit is sent', async () => {
    const id = 'a'
    const { store, sound, proxy, crypto } = await apart()
    proxy.onSent(once(isCommit, 'cut'))
    const [told] = await Promise.allSettled([store.commit(open(id))])
    proxy.release()
    const isThere = (await sound.call(id)) !== undefined
    expect(told.status === 'fulfilled').toBe(isThere)
    expect((await store.commit(open('next'))).kind).toBe('committed')
    expect((await store.entriesOf(id)).length).toBe(Number(isThere))
    await expectIntact(store, crypto)
  })

  it('commits once when the server ends its connection between its steps', async () => {
    const { store, sound, proxy, address, crypto } = await apart()
    let held = false
    proxy.onAnswer((type) => {
      if (type !== 'T' || held) return held ? 'hold' : 'pass'
      held = true
      return 'hold'
    })
    const committing = store.commit(open('a'))
    await until('the lock', () => held)
    await runOn(address, END_ALL)
    proxy.release()
    expect((await committing).kind).toBe('committed')
    expect((await sound.entriesOf('a')).length).toBe(1)
    await expectIntact(sound, crypto)
  })

  it('survives the end of all idle connections, for reading and writing', async () => {
    const { store, address } = await apart()
    await store.call('a')
    await runOn(address, END_ALL)
    expect(await store.call('a')).toBeUndefined()
    await runOn(address, END_ALL)
    expect((await store.commit(open('a'))).kind).toBe('committed')
  })

  it('is not held up by another gate that stopped while it had the lock', async () => {
    const { store, sound, proxy, crypto } = await apart()
    let held = false
    proxy.onAnswer((type) => {
      held ||= type === 'T'
      return held ? 'hold' : 'pass'
    })
    const stopped = Promise.allSettled([store.commit(open('stopped'))])
    await until('the lock', () => held)
    expect((await sound.commit(open('other'))).kind).toBe('committed')
    proxy.release()
    // The server ended its transaction: it is refused, or written by another try.
    const [told] = await stopped
    expect((await sound.entriesOf('stopped')).length).toBe(told.status === 'fulfilled' ? 1 : 0)
    expect((await store.commit(open('next'))).kind).toBe('committed')
    await expectIntact(sound, crypto)
  })

  it('refuses while the network is split, in bounded time, and goes on when it heals', async () => {
    const { store, sound, proxy, crypto } = await apart()
    proxy.onSent(() => 'drop')
    const told = await Promise.allSettled([store.commit(open('a')), store.call('a')])
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    for (const one of told)
      expect(one).toMatchObject({ reason: { code: expect.stringMatching(/^CS_STORE_(WRITE|READ|UNSURE)$/) } })
    expect(await sound.call('a')).toBeUndefined()
    proxy.release()
    expect((await store.commit(open('a'))).kind).toBe('committed')
    await expectIntact(store, crypto)
  })

  it('says that it is unsure when a commit can’t be found out', async () => {
    const { store, sound, proxy } = await apart()
    let isLost = false
    proxy.onAnswer((type, content) => {
      isLost ||= type === 'C' && isCommit(content)
      return isLost ? 'cut' : 'pass'
    })
    await expect(store.commit(open('a'))).rejects.toMatchObject({
      code: 'CS_STORE_UNSURE',
      message: expect.stringContaining('check the call in the journal'),
    })
    expect((await sound.call('a'))?.state).toBe('held')
  })

  it('lets a value that the server can’t take fail alone', async () => {
    const { store, crypto } = await apart()
    const bad = open('bad', { outcome: 7 as unknown as string, state: 'nowhere' as 'held' })
    const told = await Promise.allSettled([
      store.commit(open('a')),
      store.commit(bad),
      store.commit(close('a', 'expired')),
    ])
    expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await store.call('a'))?.state).toBe('closed')
    expect(await store.call('bad')).toBeUndefined()
    await expectIntact(store, crypto)
  })

  it('refuses a journal that is shorter than it was, or grew again from an older state', async () => {
    const { store, address, crypto, sound } = await apart()
    await runOn(address, 'CREATE TABLE {}.backup AS SELECT * FROM {}.head')
    for (const id of ['a', 'b']) await store.commit(open(id))
    await runOn(
      address,
      'UPDATE {}.head SET (size, frontier) = (SELECT size, frontier FROM {}.backup); DELETE FROM {}.entry WHERE seq > 1; DELETE FROM {}.call',
    )
    const shorter = {
      code: 'CS_STORE_OPEN',
      message: expect.stringContaining('ends at entry 1, but this gate knows 3'),
    }
    await expect(store.commit(open('c'))).rejects.toMatchObject(shorter)
    await expect(store.call('a')).rejects.toMatchObject(shorter)
    const known = { size: 2, root: 'f'.repeat(64) }
    await expect(openedAt(address, { crypto, known })).rejects.toMatchObject({ code: 'CS_STORE_OPEN' })
    // A gate that knows nothing of it can't notice, and goes on.
    expect((await sound.head()).size).toBe(1)
    for (const id of ['x', 'y', 'z']) await sound.commit(open(id))
    const another = { code: 'CS_STORE_OPEN', message: expect.stringContaining('entry 3 in the journal of') }
    await expect(store.commit(open('c'))).rejects.toMatchObject(another)
    await expect(store.call('x')).rejects.toMatchObject(another)
  })

  it('opens a journal that it signed, also without the checkpoint or after the entries were archived', async () => {
    const { store, address, crypto } = await apart()
    for (const id of ['a', 'b', 'c']) await store.commit(open(id))
    const { size, frontier } = await store.head()
    const known = { size, root: rootOf(frontier, size, crypto) }
    expect((await (await openedAt(address, { crypto, known })).head()).size).toBe(4)
    const forged = { size, root: 'f'.repeat(64) }
    await expect(openedAt(address, { crypto, known: forged })).rejects.toMatchObject({
      message: expect.stringContaining('the first 4 entries in the journal'),
    })
    const builder = new SpanBuilder(0, [size], crypto)
    for (const { leaf } of await store.entries(1, size)) builder.add(leaf)
    const others = await openedAt(address, { crypto })
    const rotated = draftEntry({ kind: 'rotated', call: null, through: size, root: known.root }, 1)
    await others.commit({ entries: [rotated], archive: builder.spans(), durable: true })
    expect(await others.entries(1, size)).toEqual([])
    // It knew an entry that is archived now.
    expect(await store.commit({ entries: [entry()], durable: true })).toMatchObject({ kind: 'committed', size: 6 })
    expect((await (await openedAt(address, { crypto, known })).head()).size).toBe(6)
    await expect(openedAt(address, { crypto, known: forged })).rejects.toMatchObject({ code: 'CS_STORE_OPEN' })
  })

  it('notices changes of others when a pooler swallows notifications', async () => {
    const { address, crypto } = await freshSchema(server)
    const proxy = await openProxy(server.folder)
    const sound = await openedAt(address, { crypto })
    const notified = await openedAt(address, { crypto })
    proxy.onAnswer((type) => (type === 'A' ? 'drop' : 'pass'))
    const deaf = await openedAt(proxy.through(address), { crypto })
    const before = [deaf.version(), notified.version()]
    await until('notifications', () => notified.version() >= 0 && notified.listening() === 'notified')
    await sound.commit(open('a'))
    await until('the change', () => deaf.version() !== before[0] && notified.version() !== before[1])
    expect(deaf.listening()).toBe('polling')
  })

  it('listens again after its connection was ended, and counts what it missed', async () => {
    const { store, sound, address } = await apart()
    await until('notifications', () => store.version() >= 0 && store.listening() === 'notified')
    const before = store.version()
    await runOn(address, END_ALL)
    await sound.commit(open('a'))
    await until('the change', () => store.version() !== before)
    await until('notifications', () => store.version() >= 0 && store.listening() === 'notified')
  })

  it('counts in the order of the lock, whoever writes', async () => {
    const { store, sound, crypto } = await apart()
    const limited = (): Change => ({
      entries: [entry()],
      count: [{ session: 's', name: 'calls', at: 1, amount: 1, bounds: [{ from: 0, most: 25 }] }],
      durable: false,
    })
    const told = await Promise.all(
      Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? store : sound).commit(limited())),
    )
    expect(told.filter(({ kind }) => kind === 'committed').length).toBe(25)
    expect(await store.counted('s', 'calls', 0)).toBe(25)
    await expectIntact(store, crypto)
  })
})
