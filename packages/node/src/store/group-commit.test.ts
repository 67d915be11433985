import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { Change } from '@countersign/core'
import { groupLaws } from '@countersign/testing/store/group-laws'
import { describe, expect, it } from 'vitest'
import { CommitGroup } from './group-commit.ts'
import { entry, open, opened } from './store-fixture.mts'

const bounds = { maxHeldInSession: 1000, maxHeld: 1000 }
const change = (): Change => ({ entries: [entry()], durable: false })

/** A group whose transactions are only recorded. */
function noted() {
  const sizes: number[] = []
  const group = new CommitGroup((changes) => {
    sizes.push(changes.length)
    return changes.map((_, at) => ({ committed: { kind: 'committed', size: at } }))
  })
  return { group, sizes }
}

describe('a group of changes', () => {
  it('writes a single call’s change before the next turn of the event loop', async () => {
    const { group, sizes } = noted()
    const turned = turnOfTheLoop('turned')
    for (let at = 0; at < 50; at += 1)
      expect(await Promise.race([group.add(change(), false), turned])).toEqual({ kind: 'committed', size: 0 })
    expect(sizes).toEqual(Array(50).fill(1))
    await turned
  })

  it('collects the changes of many calls until the next turn of the event loop', async () => {
    const { group, sizes } = noted()
    const many = Array.from({ length: 50 }, async (_, at) => {
      for (let turn = 0; turn < at; turn += 1) await null
      return group.add(change(), true)
    })
    await Promise.all(many)
    expect(sizes).toEqual([50])
  })

  it('writes waiting changes together with an immediate one', async () => {
    const { group, sizes } = noted()
    const many = [group.add(change(), true), group.add(change(), true)]
    await null
    const own = group.add(change(), false)
    await Promise.all([...many, own])
    expect(sizes).toEqual([3])
  })

  it('never exceeds the size of a transaction, and writes the rest when closed', async () => {
    const { group, sizes } = noted()
    const all = Array.from({ length: 700 }, () => group.add(change(), false))
    group.close()
    await Promise.all(all)
    expect(sizes).toEqual([256, 256, 188])
  })

  it('reports a failed transaction to every caller', async () => {
    const group = new CommitGroup(() => {
      throw new Error('full')
    })
    const told = await Promise.allSettled([group.add(change(), false), group.add(change(), true)])
    expect(told.map((one) => one.status)).toEqual(['rejected', 'rejected'])
  })
})

groupLaws('the SQLite store', opened)

describe('changes written together', () => {
  it('are all written or all refused if the disk fills up midway', async () => {
    const { store, again } = await opened({ maxPages: 120 })
    const heavy = (at: number) => store.commit(open(`c${at}`, { sealed: new Uint8Array(6000) }, bounds))
    const told: PromiseSettledResult<unknown>[] = []
    for (let at = 0; at < 400; at += 40)
      told.push(...(await Promise.allSettled(Array.from({ length: 40 }, (_, more) => heavy(at + more)))))
    expect(told.some((one) => one.status === 'fulfilled')).toBe(true)
    expect(told.some((one) => one.status === 'rejected')).toBe(true)
    const after = await again()
    for (const [at, one] of told.entries())
      expect((await after.call(`c${at}`)) !== undefined, `c${at}`).toBe(isCommitted(one))
  })
})

function isCommitted(one: PromiseSettledResult<unknown>): boolean {
  return one.status === 'fulfilled' && (one.value as { readonly kind: string }).kind === 'committed'
}
