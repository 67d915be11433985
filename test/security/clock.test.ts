import type { Call } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { settled, simulatedClock } from '@countersign/testing/simulated-clock'
import { tamper } from '@countersign/testing/store/test-store'
import { afterEach, describe, expect, it } from 'vitest'
import { fate } from './fate.ts'

let world: World
afterEach(() => world.close())

const MINUTE = 60_000
const YEAR = 365 * 24 * 60 * MINUTE
const SEND: Call = { tool: 'send_report', args: { to: 'board' }, description: { kind: 'send' } }

function note(): Call {
  const description = { kind: 'write', paths: [`${world.workspace}/x`] } as const
  return { tool: 'post_note', args: { n: 1 }, description, requiresConfirmation: true }
}

async function grantMinutes(): Promise<void> {
  const result = world.gate.run(note(), () => 1)
  const view = await onlyHeld(world)
  const offer = view.offers.find(({ scope }) => scope.kind === 'exact')
  const lifetime = offer?.lifetimes.find(({ kind }) => kind === 'minutes')
  if (offer === undefined || lifetime === undefined) throw new Error('minutes are offered')
  await world.decide(view, { kind: 'approve', grant: { scope: offer.scope, lifetime } })
  await result
  expect(await fate(world, note())).toBe('ran')
}

describe('A33: clock jumps extend nothing', () => {
  for (const jump of [-YEAR, -60 * MINUTE, -9 * MINUTE]) {
    it(`a grant for ten minutes ends after ten, even if the wall clock is set back by ${-jump / MINUTE} minutes`, async () => {
      world = await openWorld()
      await grantMinutes()
      await world.clock.advance(5 * MINUTE)
      world.clock.jump(jump)
      await world.clock.advance(6 * MINUTE)
      expect(await fate(world, note())).toBe('held')
      await world.clock.advance(YEAR / 365)
      expect(await fate(world, note())).toBe('held')
    })
  }

  it('a grant for ten minutes also ends by the wall clock, and one from the future does not count', async () => {
    world = await openWorld({ options: { session: 'none' } })
    await grantMinutes()
    world.clock.jump(11 * MINUTE)
    expect(await fate(world, note())).toBe('held')
    world.clock.jump(-11 * MINUTE - YEAR)
    const later = await world.another()
    expect(await fate({ ...world, gate: later.gate }, note())).toBe('held')
    await later.gate.close()
  })

  for (const jump of [-YEAR, YEAR]) {
    it(`a submitted call keeps its deadline after a restart with the wall clock a year ${jump < 0 ? 'back' : 'on'}`, async () => {
      world = await openWorld()
      const ticket = await world.gate.submit({ ...SEND, id: 'job' })
      await world.clock.advance(2 * MINUTE)
      await world.gate.close()
      world.clock.jump(jump)
      const restarted = await world.another()
      const waiting = restarted.gate.wait(ticket)
      await settled()
      const [view] = await restarted.desk.list()
      expect(view === undefined).toBe(jump > 0)
      await world.clock.advance(5 * MINUTE)
      expect(await waiting).toMatchObject({ kind: 'refusal', outcome: 'expired' })
      if (view !== undefined)
        expect(await world.decide(view, { kind: 'approve' }).catch(() => ({ accepted: false }))).toMatchObject({
          accepted: false,
        })
      await restarted.gate.close()
    })
  }

  it('a restart keeps the earlier deadline: the remaining time, not the full timeout', async () => {
    world = await openWorld()
    const ticket = await world.gate.submit({ ...SEND, id: 'job' })
    await world.clock.advance(4 * MINUTE)
    const restarted = await world.another()
    const waiting = restarted.gate.wait(ticket)
    await settled()
    await world.clock.advance(MINUTE)
    expect(await waiting).toMatchObject({ outcome: 'expired' })
    await restarted.gate.close()
  })

  it('a deadline extended in the database has no effect', async () => {
    world = await openWorld()
    const ticket = await world.gate.submit({ ...SEND, id: 'job' })
    const [view] = await world.held()
    if (view === undefined) throw new Error('it should be held')
    await tamper(world.home, 'UPDATE call SET "expiresAt" = "expiresAt" + 100000000')
    await world.clock.advance(6 * MINUTE)
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false, state: 'expired' })
    expect(await world.gate.wait(ticket)).toMatchObject({ kind: 'refusal', outcome: 'expired' })
  })

  it('rules about hours use the wall clock at the time of the call, including jumps', async () => {
    const clock = simulatedClock(Date.UTC(2026, 0, 5, 12))
    world = await openWorld({
      clock,
      policy:
        'version: 1\nrules:\n  - { id: night, tool: deploy, hours: { outside: "08:00-20:00", zone: UTC }, supervision: deny }\n  - { id: day, tool: deploy, supervision: automatic }\n',
    })
    const deploy: Call = { tool: 'deploy', args: {}, description: { kind: 'other' } }
    expect(await fate(world, deploy)).toBe('ran')
    for (const [hours, expected] of [
      [8, 'denied'],
      [4, 'denied'],
      [-4, 'denied'],
      [-8, 'ran'],
      [24, 'ran'],
      [-36, 'denied'],
    ] as const) {
      clock.jump(hours * 60 * MINUTE)
      expect(await fate(world, deploy), new Date(clock.now()).toISOString()).toBe(expected)
    }
  })

  const NIGHTS = [
    ['deny', 'denied'],
    ['manual', 'stale'],
  ] as const
  it.each(NIGHTS)('a call asked by day and approved by night, when the rule is %s, is %s', async (night, outcome) => {
    const clock = simulatedClock(Date.UTC(2026, 0, 5, 19, 58))
    const hours = 'hours: { outside: "08:00-20:00", zone: UTC }'
    const policy = `version: 1\nrules:\n  - { id: night, tool: deploy, ${hours}, supervision: ${night}, floor: true }\n  - { id: day, tool: deploy, supervision: confirm }\n`
    world = await openWorld({ clock, policy })
    let ran = 0
    const result = world.gate.run({ tool: 'deploy', args: {}, description: { kind: 'other' } }, () => (ran += 1))
    const view = await onlyHeld(world)
    await clock.advance(3 * MINUTE)
    await world.decide(view, { kind: 'approve' })
    expect(await result).toMatchObject({ kind: 'refusal', outcome })
    expect(ran).toBe(0)
  })

  for (const jump of [-YEAR, YEAR, 2 * 60 * MINUTE]) {
    it(`a limit of three per hour holds after the wall clock jumped ${jump / MINUTE} minutes`, async () => {
      world = await openWorld({ policy: 'version: 1\nlimits: { calls: 3/h }\ntools: { free_thing: automatic }\n' })
      for (let n = 0; n < 3; n += 1) expect(await fate(world, { tool: 'free_thing', args: { n } })).toBe('ran')
      expect(await fate(world, { tool: 'free_thing', args: {} })).toBe('held')
      world.clock.jump(jump)
      expect(await fate(world, { tool: 'free_thing', args: {} })).toBe('held')
      world.clock.jump(-jump)
      await world.clock.advance(61 * MINUTE)
      expect(await fate(world, { tool: 'free_thing', args: {} })).toBe('ran')
    })
  }

  it('a limit holds after its counters were deleted from the database', async () => {
    world = await openWorld({ policy: 'version: 1\nlimits: { calls: 3/session }\ntools: { free_thing: automatic }\n' })
    for (let n = 0; n < 3; n += 1) expect(await fate(world, { tool: 'free_thing', args: { n } })).toBe('ran')
    await tamper(world.home, 'DELETE FROM counter')
    expect(await fate(world, { tool: 'free_thing', args: {} })).toBe('held')
  })
})
