import { describe, expect, it } from 'vitest'
import { heldCall, openQueue, type QueueStage } from '../queue/stage.fixture.ts'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const END = '\x1b[F'

/** Four calls of two screens each, and their batch on the screen, armed. */
async function openBatch(given: Parameters<typeof heldCall>[1] = {}): Promise<QueueStage> {
  const calls = ['a', 'b', 'c', 'd'].map((id) =>
    heldCall(id, { args: { text: `${`${id} lies `.repeat(300)}${id} ends` }, ...given }),
  )
  const stage = await openQueue(calls)
  await stage.arm()
  await stage.type('b')
  await stage.arm()
  return stage
}

/** Reads to the end; true if every call's own text was shown. */
async function readOn({ type, tty }: QueueStage): Promise<string> {
  let seen = ''
  for (let page = 0; page < 200 && !tty.frame.includes('y to approve all'); page += 1) {
    seen += tty.frame
    await type(' ')
  }
  return seen + tty.frame
}

describe('equal calls on a terminal', () => {
  it('are approved together, each with its own decision, after all of them were seen', async () => {
    const { type, arm, decided, tty } = await openQueue([heldCall('a'), heldCall('b')], { rows: 60 })
    await arm()
    await type('b')
    expect(tty.frame).toContain('2 similar calls, decided together')
    await type('y')
    expect(decided).toEqual([])
    await arm()
    await type('\r')
    expect(decided).toEqual([])
    await arm()
    await type('y')
    expect(decided.map(([id, { kind }]) => [id[0], kind])).toEqual([
      ['a', 'approve'],
      ['b', 'approve'],
    ])
  })

  it('are not approved with unread rows: End jumps, and skipped rows count as unread (A14)', async () => {
    const stage = await openBatch()
    const { type, decided, tty } = stage
    await type(END)
    await type('y')
    expect(decided).toEqual([])
    expect(tty.frame).toContain('read to the end first')
    const seen = await readOn(stage)
    for (const id of ['a', 'b', 'c', 'd']) expect(seen).toContain(`${id} ends`)
    await type('y')
    expect(decided.map(([id, { kind }]) => [id[0], kind])).toEqual(['a', 'b', 'c', 'd'].map((id) => [id, 'approve']))
  })

  it('are not approved unread in a window that grew: rows are tracked by text, not by number (A14)', async () => {
    const stage = await openBatch()
    const { type, arm, resize, decided, tty } = stage
    await resize(30, 24)
    for (let page = 0; page < 6; page += 1) await type(' ')
    await resize(200, 24)
    await arm()
    await type(END)
    await type('y')
    expect(decided).toEqual([])
    await readOn(stage)
    await resize(30, 24)
    await arm()
    expect(tty.frame).toContain('y to approve all 4')
    await type('y')
    expect(decided).toHaveLength(4)
  })

  it('show the earliest deadline, and are not approved after it', async () => {
    const calls = [heldCall('a', { expiresAt: 20_000 }), heldCall('b')]
    const { type, arm, clock, decided, tty } = await openQueue(calls, { rows: 60 })
    await arm()
    await type('b')
    await arm()
    expect(tty.frame).toMatch(/0:1\d left/)
    await clock.advance(20_000)
    await type('y')
    expect(decided).toEqual([])
    expect(tty.frame).toContain('1 of them expired; nothing was approved')
  })

  it('add no calls while they are read, and return to the card if only one is left', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => heldCall(id, { args: { text: 'word '.repeat(400) } }))
    if (a === undefined || b === undefined || c === undefined) throw new Error('three calls')
    const stage = await openQueue([a, b])
    await stage.arm()
    await stage.type('b')
    await stage.arm()
    await readOn(stage)
    await stage.tell({ kind: 'held', calls: [c, a, b] })
    expect(stage.tty.frame).toContain('y to approve all 2')
    await stage.type('y')
    expect(stage.decided.map(([id]) => id[0])).toEqual(['a', 'b'])
    await stage.arm()
    await stage.type('b')
    await stage.tell({ kind: 'held', calls: [c, a] })
    await stage.arm()
    expect(stage.tty.frame).toContain('2 similar calls')
    await stage.type('y')
    expect(stage.decided).toHaveLength(2)
    await stage.tell({ kind: 'held', calls: [c] })
    expect(stage.tty.frame).not.toContain('similar calls')
  })

  it('mask their secrets until v is pressed, and are not approved before that (A14)', async () => {
    const calls = ['a', 'b'].map((id) => heldCall(id, { args: { text: `${id} ${TOKEN}` } }))
    const { type, arm, tty, decided } = await openQueue(calls, { rows: 60 })
    await arm()
    await type('b')
    await arm()
    expect(tty.frame).not.toContain(TOKEN)
    expect(tty.frame).toContain('v show secrets')
    await type('y')
    expect(decided).toEqual([])
    await type('v')
    expect(tty.frame.split(TOKEN)).toHaveLength(3)
    await type('v')
    expect(tty.frame).not.toContain(TOKEN)
    await type('y')
    expect(decided).toHaveLength(2)
  })

  it('are rejected together, unread, with the same reason for each; Esc decides nothing', async () => {
    const stage = await openBatch()
    await stage.type('\x1b')
    await expect.poll(() => stage.tty.frame).toContain('4 held')
    expect(stage.decided).toEqual([])
    await stage.arm()
    await stage.type('b')
    await stage.arm()
    await stage.type('r')
    for (const chunk of ['not today', '\r']) await stage.type(chunk)
    expect(stage.decided).toEqual(
      ['a', 'b', 'c', 'd'].map((id) => [id.repeat(8), { kind: 'reject', reason: 'not today' }]),
    )
    const other = await openBatch()
    await other.type('n')
    expect(other.decided.map(([, decision]) => decision)).toEqual(Array(4).fill({ kind: 'reject' }))
  })
})
