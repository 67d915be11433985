import { join } from 'node:path'
import { draftEntry } from '@countersign/core'
import { openCrypto, openHome, openSqliteStore } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFeed } from './event-feed.ts'
import type { HeldBoard } from './held-calls.ts'

/** A feed over a real journal, and a board that fails to read what the test selects. */
async function openWorld(isBroken: (id: string) => boolean) {
  const home = openHome(join(temporaryFolder(), 'home'))
  const crypto = openCrypto(home)
  const store = await openSqliteStore(home.store, { crypto })
  onTestFinished(() => store.close())
  const past = async (id: string) => {
    if (isBroken(id)) throw new Error('it cannot be read')
    return { id, session: null, tool: 'deploy', risk: 'low', summary: 'x', requestDigest: 'd', decision: null }
  }
  const feed = createFeed(store, { past, nameOf: async (by: string | null) => by } as unknown as HeldBoard)
  onTestFinished(() => feed.close())
  async function end(...ids: readonly string[]): Promise<void> {
    const entries = ids.map((call) => draftEntry({ kind: 'expired', call }, 1, crypto))
    await store.commit({ entries, durable: false })
    feed.wake()
  }
  return { feed, end }
}

describe('an unreadable entry', () => {
  it('is skipped in the end, and later entries are sent once, in order', async () => {
    const { feed, end } = await openWorld((id) => id === 'broken')
    const told: string[] = []
    await feed.subscribe(({ json }) => void told.push((JSON.parse(json) as { held: string }).held))
    await end('a', 'broken', 'b', 'c')
    await expect.poll(() => told).toEqual(['a', 'b', 'c'])
    await end('d')
    await expect.poll(() => told).toEqual(['a', 'b', 'c', 'd'])
  })

  it('is sent later if the store was only busy', async () => {
    let fails = 1
    const { feed, end } = await openWorld((id) => id === 'busy' && fails-- > 0)
    const told: string[] = []
    await feed.subscribe(({ json }) => void told.push((JSON.parse(json) as { held: string }).held))
    await end('a', 'busy', 'b')
    await expect.poll(() => told).toEqual(['a', 'busy', 'b'])
  })

  it('causes a snapshot for readers that missed it', async () => {
    const { feed, end } = await openWorld((id) => id === 'broken')
    await end('a', 'broken')
    expect(await feed.since(0)).toBeUndefined()
    expect(await feed.since(2)).toEqual([])
  })
})
