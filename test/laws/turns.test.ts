import { writeFileSync } from 'node:fs'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { simulatedClock } from '@countersign/testing/simulated-clock'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

const FREE = 'version: 1\ntools: { tidy_up: automatic }\n'
const DENIED = 'version: 1\ntools: { tidy_up: deny }\n'

/** A world in which every step takes long, so each call yields to others between any two steps. */
async function openSlowWorld(policy: string, atTurn: (turn: number) => void): Promise<World> {
  const clock = simulatedClock()
  let read = 0
  let turn = 0
  return openWorld({
    policy,
    clock: {
      ...clock,
      monotonic: () => (read += 20),
      async turn() {
        turn += 1
        atTurn(turn)
      },
    },
  })
}

describe('L2: a policy saved while a large call waits for its turn', () => {
  // The first turn is before the policy check, the others after it.
  for (const when of [1, 2, 3, 4]) {
    it(`denies the call if saved in turn ${when}`, async () => {
      world = await openSlowWorld(FREE, (turn) => {
        if (turn === when) writeFileSync(world.home.policy, DENIED, { mode: 0o600 })
      })
      let ran = 0
      const result = await world.gate.run({ tool: 'tidy_up', args: {} }, () => (ran += 1))
      expect(result).toMatchObject({ kind: 'refusal', outcome: 'denied', code: 'CS_DENIED' })
      expect(ran).toBe(0)
    })
  }

  it('lets it run if nothing was saved', async () => {
    let turns = 0
    world = await openSlowWorld(FREE, () => {
      turns += 1
    })
    expect(await world.gate.run({ tool: 'tidy_up', args: {} }, () => 1)).toMatchObject({ kind: 'completed' })
    expect(turns).toBe(4)
  })
})

describe('L7: a call whose caller disconnects while it waits for its turn', () => {
  it('does not start, and the journal records why', async () => {
    const leaving = new AbortController()
    world = await openSlowWorld(FREE, (turn) => {
      if (turn === 2) leaving.abort('gone')
    })
    let ran = 0
    const result = await world.gate.run({ tool: 'tidy_up', args: {} }, () => (ran += 1), leaving.signal)
    expect(result).toMatchObject({ kind: 'refusal', outcome: 'withdrawn', code: 'CS_WITHDRAWN' })
    expect(ran).toBe(0)
    const kinds = (await world.entries()).map(({ kind }) => kind)
    expect(kinds).toContain('withdrawn')
    expect(kinds).not.toContain('started')
  })

  it('can be collected by another caller if it was submitted', async () => {
    world = await openSlowWorld(FREE, () => {})
    const ticket = await world.gate.submit({ tool: 'tidy_up', args: {} })
    expect(await world.gate.wait(ticket, AbortSignal.abort('gone'))).toMatchObject({ code: 'CS_WITHDRAWN' })
    expect(await world.gate.wait(ticket)).toMatchObject({ kind: 'permit' })
  })
})

describe('the deadline of a call that waited for its turn', () => {
  it('starts after judging, when the call is shown', async () => {
    const leaving = new AbortController()
    world = await openSlowWorld('version: 1\ntools: { tidy_up: confirm }\n', () => world.clock.jump(1_000))
    let timeoutMs = 0
    world.gate.subscribe((event) => {
      if (event.kind === 'judged') timeoutMs = event.judgement.verdict.timeoutMs
    })
    const asked = world.gate.ask({ tool: 'tidy_up', args: {} }, leaving.signal)
    const view = await onlyHeld(world)
    // The call waited for three turns between reading the clock and the end of judging.
    expect(JSON.parse(view.request).expiresAt - view.openedAt).toBe(timeoutMs + 3_000)
    leaving.abort()
    expect(await asked).toMatchObject({ code: 'CS_WITHDRAWN' })
  })
})
