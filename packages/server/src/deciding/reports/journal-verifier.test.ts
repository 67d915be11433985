import { DatabaseSync } from 'node:sqlite'
import type { VerifiedJournal } from '@countersign/core'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { describe, expect, it } from 'vitest'

describe('the journal', () => {
  it('is verified only when that is asked for, and then from where it was verified to', async () => {
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

  it('is found damaged since, and whole even in what was verified before', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    await gate.ask({ tool: 'look', args: {} })
    expect(await world.json('/journal/verified')).toMatchObject({ damage: [] })
    const db = new DatabaseSync(world.home.store)
    db.exec(`UPDATE entry SET line = replace(line, '"tool":"look"', '"tool":"loot"')`)
    db.close()
    // What was verified is not read again until somebody asks for it.
    expect(await world.json('/journal/verified')).toMatchObject({ damage: [] })
    const damaged = { size: 0, root: null, damage: [{ kind: 'changed' }] }
    expect(await world.json('/journal/verified?whole=true')).toMatchObject(damaged)
    expect(await world.json('/journal/verified')).toMatchObject(damaged)
    gate.close()
  })
})
