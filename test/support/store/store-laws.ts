import type { Change, Store } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { call, close, entry, open } from './changes.ts'

/** A new store, and the way to open it once more. */
export type OpenStore = (options?: { readonly now?: () => number }) => Promise<{
  readonly store: Store
  again(): Promise<Store>
  /** The version once the store has noticed every commit before: of a store that hears of them a moment later. */
  steadyVersion?(): Promise<number>
}>

/** What every store does, whatever it is made of. */
export function storeLaws(name: string, opened: OpenStore): void {
  describe(name, () => {
    it('returns a call as it was stored, including bytes and nulls', async () => {
      const { store } = await opened()
      expect(await store.commit(open('a'))).toEqual({ kind: 'committed', size: 1 })
      expect(await store.call('a')).toEqual(call('a'))
      expect(await store.call('b')).toBeUndefined()
    })

    it('accepts an id once', async () => {
      const { store } = await opened()
      await store.commit(open('a'))
      expect(await store.commit(open('a', { tool: 'other' }))).toEqual({ kind: 'conflict', what: 'call-exists' })
      expect((await store.call('a'))?.tool).toBe('write_file')
      expect((await store.head()).size).toBe(1)
    })

    it('changes a call only from its current state and request', async () => {
      const { store } = await opened()
      await store.commit(open('a'))
      const move = (more: object): Change => ({
        entries: [entry()],
        move: { id: 'a', from: 'held', to: 'decided', set: { decision: '{}' }, ...more },
        durable: false,
      })
      const moved = { kind: 'conflict', what: 'call-moved' }
      expect(await store.commit(move({ id: 'b' }))).toEqual(moved)
      expect(await store.commit(move({ from: 'started' }))).toEqual(moved)
      expect(await store.commit(move({ requestDigest: 'other' }))).toEqual(moved)
      expect(await store.commit(move({ requestDigest: 'q' }))).toMatchObject({ kind: 'committed' })
      expect(await store.commit(move({ requestDigest: 'q' }))).toEqual(moved)
      expect(await store.call('a')).toEqual(call('a', { state: 'decided', decision: '{}' }))
    })

    it('erases sealed arguments when a call closes, whatever the caller passes', async () => {
      const { store } = await opened()
      await store.commit(open('a'))
      const move = {
        id: 'a',
        from: 'held',
        to: 'closed',
        set: { outcome: 'expired', sealed: new Uint8Array([7]) },
      } as const
      await store.commit({ entries: [], move, durable: false })
      await store.commit(open('b', { state: 'closed' }))
      expect((await store.call('a'))?.sealed).toBeNull()
      expect((await store.call('b'))?.sealed).toBeNull()
    })

    it('refuses calls over the limit, and accepts one again when a held call ends', async () => {
      const { store } = await opened()
      const bounds = { maxHeldInSession: 2, maxHeld: 3 }
      for (const id of ['a', 'b']) expect((await store.commit(open(id, {}, bounds))).kind).toBe('committed')
      expect(await store.commit(open('c', {}, bounds))).toEqual({ kind: 'conflict', what: 'full-session' })
      expect((await store.commit(open('c', { session: null }, bounds))).kind).toBe('committed')
      expect(await store.commit(open('d', { session: 's2' }, bounds))).toEqual({ kind: 'conflict', what: 'full-store' })
      expect((await store.commit(open('e', { state: 'started' }, bounds))).kind).toBe('committed')
      await store.commit(close('a', 'expired'))
      await store.commit(close('e', 'completed'))
      expect((await store.commit(open('f', {}, bounds))).kind).toBe('committed')
      expect(await store.commit(open('g', {}, bounds))).toEqual({ kind: 'conflict', what: 'full-session' })
      expect(await store.call('g')).toBeUndefined()
    })

    it('keeps the last tenth of the places for sessions without a held call', async () => {
      const { store } = await opened()
      const bounds = { maxHeldInSession: 50, maxHeld: 500 }
      let [held, refused] = [0, 0]
      for (let session = 0; session < 12; session += 1)
        for (let n = 0; n < 50; n += 1) {
          const result = await store.commit(open(`${session}-${n}`, { session: `flood-${session}` }, bounds))
          if (result.kind === 'committed') held += 1
          else refused += Number(result.what === 'last-places')
        }
      expect([held, refused]).toEqual([453, 147])
      expect((await store.commit(open('new', { session: 'newcomer' }, bounds))).kind).toBe('committed')
    })

    it('refuses calls over the total size, and accepts one again when a held call ends', async () => {
      const { store } = await opened()
      const bounds = { maxHeldInSession: 9, maxHeld: 9, maxBytesInSession: 50_000, maxBytes: 80_000 }
      const heavy = (id: string, more = {}) => open(id, { sealed: new Uint8Array(20_000), ...more }, bounds)
      for (const id of ['a', 'b']) expect((await store.commit(heavy(id))).kind).toBe('committed')
      expect(await store.commit(heavy('c'))).toEqual({ kind: 'conflict', what: 'heavy-session' })
      expect((await store.commit(open('light', {}, bounds))).kind).toBe('committed')
      for (const id of ['d', 'e'])
        expect(
          (await store.commit(heavy(id, { session: 's2', ...(id === 'e' ? { state: 'started' } : {}) }))).kind,
        ).toBe('committed')
      expect(await store.commit(heavy('f', { session: null }))).toEqual({ kind: 'conflict', what: 'heavy-store' })
      expect(await store.call('f')).toBeUndefined()
      await store.commit(close('a', 'expired'))
      expect((await store.commit(heavy('c'))).kind).toBe('committed')
    })

    it('lists calls without their arguments if they are not needed', async () => {
      const { store } = await opened()
      await store.commit(open('a'))
      expect(await store.calls({ state: 'held', unsealed: true })).toEqual([call('a', { sealed: null })])
      expect(await store.calls({ state: 'held' })).toEqual([call('a')])
    })

    it('counts the uses of a grant up to its maximum, and not one more', async () => {
      const { store } = await opened({ now: () => 1000 })
      const grant = {
        id: 'g',
        session: null,
        body: '{}',
        decision: '{}',
        uses: 0,
        maxUses: 2,
        expiresAt: 100,
        revokedAt: null,
      }
      await store.commit({ entries: [], addGrant: grant, durable: false })
      await store.commit({ entries: [], addGrant: { ...grant, id: 'h', maxUses: null }, durable: false })
      const use = (id: string, at: number) => store.commit({ entries: [entry()], useGrant: { id, at }, durable: false })
      const gone = { kind: 'conflict', what: 'grant-gone' }
      expect((await use('g', 99)).kind).toBe('committed')
      expect(await use('g', 100)).toEqual(gone)
      expect((await use('g', 1)).kind).toBe('committed')
      expect(await use('g', 1)).toEqual(gone)
      expect((await store.commit({ entries: [], revokeGrant: { id: 'h', at: 50 }, durable: false })).kind).toBe(
        'committed',
      )
      expect(await store.commit({ entries: [], revokeGrant: { id: 'h', at: 60 }, durable: false })).toEqual(gone)
      expect(await use('h', 1)).toEqual(gone)
      expect(await store.grants()).toEqual([
        { ...grant, uses: 2 },
        { ...grant, id: 'h', maxUses: null, revokedAt: 50 },
      ])
      expect((await store.head()).size).toBe(2)
    })

    it('sums counters from a given time', async () => {
      const { store } = await opened()
      const use = (at: number, amount: number, name = 'calls') => ({ session: 's1', name, at, amount })
      await store.commit({
        entries: [],
        count: [use(1, 1), use(5, 2), use(5, 3), use(9, 4), use(9, 7, 'lines')],
        durable: false,
      })
      expect(await Promise.all([0, 5, 6, 10].map((from) => store.counted('s1', 'calls', from)))).toEqual([10, 9, 4, 0])
      expect(await store.counted('s2', 'calls', 0)).toBe(0)
    })

    it('lists held calls oldest first and history newest first, page by page', async () => {
      const { store } = await opened()
      for (let i = 0; i < 7; i++)
        await store.commit(open(`c${i}`, { openedAt: i, session: i % 2 === 0 ? 's1' : null, tool: `t${i}` }))
      await store.commit(close('c1', 'rejected'))
      await store.commit(close('c4', 'expired'))
      const ids = async (query: Parameters<Store['calls']>[0]) => (await store.calls(query)).map((one) => one.id)
      expect(await ids({ state: 'held' })).toEqual(['c0', 'c2', 'c3', 'c5', 'c6'])
      expect(await ids({ state: 'held', limit: 2, before: 'c2' })).toEqual(['c3', 'c5'])
      expect(await ids({ limit: 3 })).toEqual(['c6', 'c5', 'c4'])
      expect(await ids({ limit: 3, before: 'c4' })).toEqual(['c3', 'c2', 'c1'])
      expect(await ids({ state: ['closed', 'held'], since: 4 })).toEqual(['c6', 'c5', 'c4'])
      expect(await ids({ state: 'closed', session: null })).toEqual(['c1'])
      expect(await ids({ outcome: 'expired' })).toEqual(['c4'])
      expect(await ids({ tool: 't3' })).toEqual(['c3'])
      expect(await ids({ state: [] })).toEqual([])
      expect(await ids({ before: 'nobody' })).toEqual([])
      expect(await ids({ limit: -5 })).toEqual(['c6'])
    })

    it('keeps the entries of a call together', async () => {
      const { store } = await opened()
      await store.commit({ entries: [entry('other')], durable: false })
      await store.commit(open('a'))
      await store.commit({ entries: [entry('other'), entry('a')], durable: false })
      expect((await store.entriesOf('a')).map((one) => one.seq)).toEqual([2, 4])
      expect((await store.entriesOf('other')).map((one) => one.seq)).toEqual([1, 3])
    })

    it('rolls back a change that threw', async () => {
      const { store } = await opened()
      const broken = {
        kind: 'notice',
        callId: null,
        line: () => {
          throw new Error('no line')
        },
      }
      await expect(store.commit({ ...open('a'), entries: [entry(), broken] })).rejects.toMatchObject({
        code: 'CS_STORE_WRITE',
      })
      expect(await store.call('a')).toBeUndefined()
      expect(await store.head()).toEqual({ size: 0, frontier: '' })
      expect(await store.commit({ ...open('a', {}, { maxHeldInSession: 1 }), durable: true })).toEqual({
        kind: 'committed',
        size: 1,
      })
    })

    it('detects writes by other connections, and not its own', async () => {
      const { store, again, steadyVersion = async () => store.version() } = await opened()
      const other = await again()
      const before = await steadyVersion()
      await store.commit(open('a'))
      expect(await steadyVersion()).toBe(before)
      await other.commit(open('b'))
      expect(await steadyVersion()).not.toBe(before)
      expect((await store.calls({ state: 'held' })).map((one) => one.id)).toEqual(['a', 'b'])
    })

    it('never overwrites a checkpoint', async () => {
      const { store } = await opened()
      await store.saveCheckpoint(3, 'first')
      await store.saveCheckpoint(3, 'second')
      await store.saveCheckpoint(1, 'zero')
      expect(await store.checkpoints()).toEqual([
        { size: 1, note: 'zero' },
        { size: 3, note: 'first' },
      ])
    })

    it('keeps its data after a restart', async () => {
      const { store, again } = await opened()
      await store.commit({ ...open('a'), durable: true })
      await store.commit(open('b'))
      const head = await store.head()
      await store.close()
      const reopened = await again()
      expect(await reopened.head()).toEqual(head)
      expect(await reopened.call('b')).toEqual(call('b'))
    })
  })
}
