import { openServiceWorld } from '@countersign/testing/gate/service'
import { describe, expect, it } from 'vitest'
import { createTurns } from './fair-queue.ts'

describe('turns', () => {
  it('run one at a time, in order, with the event loop in between (A31)', async () => {
    const turns = createTurns()
    const seen: string[] = []
    let rounds = 0
    let going = true
    const round = (): void => {
      rounds += 1
      if (going) setImmediate(round)
    }
    setImmediate(round)
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await turns.next('one')
        seen.push(`${name} ${rounds}`)
      }),
    )
    going = false
    expect(seen.map((one) => one.slice(0, 1))).toEqual(['a', 'b', 'c'])
    expect(new Set(seen.map((one) => one.slice(2))).size).toBe(3)
  })

  it('of an asker that left are dropped, and those of others go on', async () => {
    const turns = createTurns()
    const one = Array.from({ length: 100 }, () => turns.next('one'))
    const other = turns.next('other')
    const forget = turns.drop('one')
    for (const result of await Promise.allSettled(one))
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'CS_WITHDRAWN' } })
    await other
    await expect(turns.next('one')).rejects.toMatchObject({ code: 'CS_WITHDRAWN' })
    forget()
    await turns.next('one')
  })

  it('resume after an idle period', async () => {
    const turns = createTurns()
    await turns.next('one')
    await new Promise((resolve) => setTimeout(resolve, 5))
    await turns.next('one')
  })

  it('rotate among askers: one asker’s backlog delays another by one piece (A31)', async () => {
    const turns = createTurns()
    const seen: string[] = []
    const wanted = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']
    await Promise.all(
      wanted.map(async (name) => {
        await turns.next(name.slice(0, 1))
        seen.push(name)
      }),
    )
    expect(seen).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })
})

describe('a large call', () => {
  const many = Object.fromEntries(Array.from({ length: 2_500 }, (_, n) => [`path${n}`, `/etc/x${n}`]))

  it('lets others be answered while it is judged, however many follow it (A31)', async () => {
    const world = await openServiceWorld()
    const [large, small] = [await world.connect(), await world.connect()]
    await small.ask({ tool: 'look', args: {} }) // everything is loaded
    const lone = performance.now()
    await large.isConfirmationRequired({ tool: 'thing', args: many })
    const alone = performance.now() - lone

    let judged = 0
    const all = [1, 2].map((n) =>
      large.isConfirmationRequired({ tool: 'thing', args: { ...many, n } }).then(() => {
        judged += 1
      }),
    )
    const waits: number[] = []
    while (judged < all.length) {
      const since = performance.now()
      expect(await small.isConfirmationRequired({ tool: 'look', args: {} })).toBe(false)
      waits.push(performance.now() - since)
    }
    await Promise.all(all)
    expect(waits.length).toBeGreaterThan(3) // at least between any two pieces of both
    // The usual wait: on a busy machine, a single one can take any time.
    const usual = waits.toSorted((one, other) => one - other)[Math.floor(waits.length / 2)]
    expect(usual).toBeLessThan(alone)
    for (const gate of [large, small]) gate.close()
  })

  it('with too many values is refused in one line', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const args = { list: new Array(10_000).fill('/etc/x') }
    expect(await gate.ask({ tool: 'look', args })).toMatchObject({
      kind: 'refusal',
      outcome: 'refused',
      code: 'CS_CALL_TOO_LARGE',
      message: expect.stringMatching(/^there is more than 10000 values at `args\.list\[\d+\]`; pass less/),
    })
    gate.close()
  })
})
