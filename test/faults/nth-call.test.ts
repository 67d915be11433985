import { describe, expect, it } from 'vitest'
import { type Fault, faultAt, faultyPorts } from '../support/faulty-ports.ts'
import { passTime, settled } from '../support/simulated-clock.ts'
import { openWorld } from '../support/world.ts'

const POLICY = `
version: 1
defaults: { timeout: 1m }
rules:
  - { id: free, tool: free_thing, supervision: automatic }
  - { id: asked, tool: asked_thing, supervision: confirm }
`

/**
 * One whole life of a call, with the n-th port call broken: for every n until a run is clean. Whatever breaks, the tool
 * runs at most once, and only after approval.
 */
async function life(n: number, fault: Fault, tool: 'free_thing' | 'asked_thing'): Promise<'clean' | 'hit'> {
  const plan = faultAt(n, fault)
  let armed = false
  const world = await openWorld({
    policy: POLICY,
    wrapPorts: (ports) =>
      faultyPorts(ports, {
        next: (port, method) => (armed && method !== 'version' ? plan.next(port, method) : undefined),
      }),
  })
  try {
    armed = true
    let ran = 0
    let approved = false
    const result = world.gate.run(
      { tool, args: { path: `${world.workspace}/x` }, description: { kind: 'write', paths: [`${world.workspace}/x`] } },
      () => {
        ran += 1
        if (tool === 'asked_thing') expect(approved, `fault ${fault} at port call ${n}: ran before approval`).toBe(true)
      },
    )
    await settled()
    if (tool === 'asked_thing') {
      const [view] = await passTime(
        world.clock,
        world.desk.list().catch(() => []),
        45_000,
      )
      if (view !== undefined) {
        approved = true
        await passTime(
          world.clock,
          world.decide(view, { kind: 'approve' }).catch(() => undefined),
        )
      }
    }
    await world.clock.advance(5 * 60_000)
    const ended = await passTime(world.clock, result)
    expect(ran, `fault ${fault} at port call ${n}`).toBeLessThanOrEqual(1)
    if (ended.kind === 'refusal') expect(ran, `refused, so it must not have run: fault ${fault} at ${n}`).toBe(0)
    return plan.calls() < n ? 'clean' : 'hit'
  } finally {
    armed = false
    await world.close()
  }
}

describe('the n-th port call breaks', () => {
  for (const tool of ['free_thing', 'asked_thing'] as const) {
    for (const fault of ['throw', 'throw-after', 'hang', 'late', 'duplicate'] as const) {
      it(`${fault} at every port call of ${tool}: refused or run once, never unasked`, async () => {
        let n = 1
        while ((await life(n, fault, tool)) === 'hit') {
          n += 1
          expect(n, 'a clean run is reached').toBeLessThan(200)
        }
        expect(n).toBeGreaterThan(3)
      }, 120_000)
    }
  }
})
