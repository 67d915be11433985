import type { Change } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { call, close, entry, open } from './changes.ts'
import type { OpenStore } from './store-laws.ts'

const bounds = { maxHeldInSession: 1000, maxHeld: 1000 }

/** What stores do that write the changes of several calls together. */
export function groupLaws(name: string, opened: OpenStore): void {
  describe(`changes written together in ${name}`, () => {
    it('are each atomic, as if written one by one', async () => {
      const { store, again } = await opened()
      const ids = Array.from({ length: 300 }, (_, at) => `c${at % 200}`)
      const told = await Promise.all(ids.map((id) => store.commit(open(id, {}, bounds))))
      expect(told.slice(0, 200).every((one) => one.kind === 'committed')).toBe(true)
      expect(told.slice(200)).toEqual(Array(100).fill({ kind: 'conflict', what: 'call-exists' }))
      expect(told.slice(0, 200).map((one) => (one.kind === 'committed' ? one.size : 0))).toEqual(
        ids.slice(0, 200).map((_, at) => at + 1),
      )
      expect((await (await again()).head()).size).toBe(200)
    })

    it('lose only the one that fails', async () => {
      const { store } = await opened()
      const bad: Change = { entries: [entry('bad')], archive: [{ from: 7, to: 9, nodes: '' }], durable: false }
      const told = await Promise.allSettled([store.commit(open('a')), store.commit(bad), store.commit(open('b'))])
      expect(told.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await store.call('a')).toEqual(call('a'))
      expect(await store.call('b')).toEqual(call('b'))
      expect((await store.head()).size).toBe(2)
      expect(await store.entriesOf('bad')).toEqual([])
    })

    it('keep their order: a change can close what the one before opened', async () => {
      const { store } = await opened()
      const told = await Promise.all([store.commit(open('a')), store.commit(close('a', 'expired'))])
      expect(told.map((one) => one.kind)).toEqual(['committed', 'committed'])
      expect((await store.call('a'))?.state).toBe('closed')
    })

    it('free a place for the next, and take one, in their order', async () => {
      const { store } = await opened()
      const one = { maxHeldInSession: 1, maxHeld: 9 }
      const told = await Promise.all([
        store.commit(open('a', {}, one)),
        store.commit(open('b', {}, one)),
        store.commit(close('a', 'expired')),
        store.commit(open('c', {}, one)),
        store.commit(open('d', {}, one)),
      ])
      expect(told.map((result) => (result.kind === 'committed' ? result.size : result.what))).toEqual([
        1,
        'full-session',
        2,
        3,
        'full-session',
      ])
      expect((await store.calls({ state: 'held' })).map(({ id }) => id)).toEqual(['c'])
    })

    it('count together: the last uses of a grant and of a limit are given once', async () => {
      const { store } = await opened()
      const grant = {
        id: 'g',
        session: null,
        body: '{}',
        decision: '{}',
        uses: 0,
        maxUses: 2,
        expiresAt: null,
        revokedAt: null,
      }
      await store.commit({ entries: [], addGrant: grant, durable: false })
      const use: Change = { entries: [entry()], useGrant: { id: 'g', at: 1 }, durable: false }
      const counted = (amount: number): Change => ({
        entries: [entry()],
        count: [{ session: 's1', name: 'calls', at: 5, amount, bounds: [{ from: 0, most: 3 }] }],
        durable: false,
      })
      const told = await Promise.all(
        [use, counted(2), use, counted(2), use, counted(1)].map((one) => store.commit(one)),
      )
      expect(told.map((result) => (result.kind === 'committed' ? result.size : result.what))).toEqual([
        1,
        2,
        3,
        'over-limit',
        'grant-gone',
        4,
      ])
      expect(await store.counted('s1', 'calls', 0)).toBe(3)
    })

    it('count what was there before once, however many of them ask', async () => {
      const { store } = await opened()
      const counted: Change = {
        entries: [entry()],
        count: [{ session: 's1', name: 'calls', at: 5, amount: 1, bounds: [{ from: 0, most: 4 }] }],
        durable: false,
      }
      await store.commit(counted)
      const told = await Promise.all(Array.from({ length: 6 }, () => store.commit(counted)))
      expect(told.map(({ kind }) => kind)).toEqual([
        'committed',
        'committed',
        'committed',
        'conflict',
        'conflict',
        'conflict',
      ])
      expect(await store.counted('s1', 'calls', 0)).toBe(4)
    })

    it('take odd texts along: NUL is kept, and half a surrogate pair becomes U+FFFD', async () => {
      const { store } = await opened()
      const odd = { tool: 'a\0b', summary: 'x\ud800y', session: 's\0\x1a', agent: '\x1a0' }
      const told = await Promise.all([
        store.commit(open('a')),
        store.commit(open('n\0l', odd)),
        store.commit(open('n\0l', odd)),
        store.commit(open('b')),
      ])
      expect(told.map(({ kind }) => kind)).toEqual(['committed', 'committed', 'conflict', 'committed'])
      expect(await store.call('n\0l')).toEqual(call('n\0l', { ...odd, summary: 'x\ufffdy' }))
      expect((await store.calls({ session: odd.session })).map(({ id }) => id)).toEqual(['n\0l'])
      expect((await store.entriesOf('n\0l')).map(({ seq }) => seq)).toEqual([2])
      expect((await store.commit(close('n\0l', 'expired'))).kind).toBe('committed')
    })
  })
}
