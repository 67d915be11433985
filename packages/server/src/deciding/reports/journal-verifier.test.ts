import { DatabaseSync } from 'node:sqlite'
import type { VerifiedJournal } from '@countersign/core'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { describe, expect, it } from 'vitest'

describe('journal verification', () => {
  it('runs only on request, and then from the last verified entry', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const look = () => gate.ask({ tool: 'look', args: {} })
    const page = () => world.json<{ size: number; verified: VerifiedJournal | null }>('/journal?limit=2')
    await look()
    expect(await page()).toMatchObject({ verified: null })
    const first = await world.json<VerifiedJournal>('/journal/verified')
    expect(first).toMatchObject({ size: (await page()).size, damage: [], wholeAt: first.at })
    await look()
    expect((await page()).verified).toEqual(first)
    const second = await world.json<VerifiedJournal>('/journal/verified')
    expect(second).toMatchObject({ size: (await page()).size, damage: [], wholeAt: first.wholeAt })
    expect(second.size).toBeGreaterThan(first.size)
    const third = await world.json<VerifiedJournal>('/journal/verified?whole=true')
    expect(third).toMatchObject({ size: second.size, root: second.root, wholeAt: third.at })
    gate.close()
  })

  it('detects later damage, and damage in verified entries on a full run', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    await gate.ask({ tool: 'look', args: {} })
    expect(await world.json('/journal/verified')).toMatchObject({ damage: [] })
    const db = new DatabaseSync(world.home.store)
    db.exec(`UPDATE entry SET line = replace(line, '"tool":"look"', '"tool":"loot"')`)
    db.close()
    // Verified entries are read again only on request.
    expect(await world.json('/journal/verified')).toMatchObject({ damage: [] })
    const damaged = { size: 0, root: null, damage: [{ kind: 'changed' }] }
    expect(await world.json('/journal/verified?whole=true')).toMatchObject(damaged)
    expect(await world.json('/journal/verified')).toMatchObject(damaged)
    gate.close()
  })
})
