import { storeLaws } from '@countersign/testing/store/store-laws'
import { timesAsLong } from '@countersign/testing/time-ratio'
import { describe, expect, it } from 'vitest'
import { open, opened } from './store-fixture.mts'

storeLaws('the SQLite store', opened)

describe('the SQLite store', () => {
  it('opens the last of many held calls as fast as the first', async () => {
    const { store } = await opened()
    const bounds = { maxHeldInSession: 20_000, maxHeld: 20_000 }
    const { store: crowded } = await opened()
    let next = 0
    const opening = (into: typeof store, count: number) => async () => {
      for (let at = 0; at < count; at += 1) await into.commit(open(`c${next++}`, {}, bounds))
    }
    await opening(crowded, 6000)()
    expect(await timesAsLong(opening(crowded, 100), opening(store, 100), 4, 20)).toBeLessThan(4)
  })
})
