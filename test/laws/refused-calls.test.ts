import { writeFileSync } from 'node:fs'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { intercept } from '@countersign/testing/intercept'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

const rule = (supervision: string) =>
  `version: 1\nlimits: { calls: 1/h }\nrules:\n  - { tool: thing, ${supervision} }\n`
const ASKED = rule('supervision: confirm')
const FREE = rule('supervision: automatic, up_to: critical')

/** Fails to write the intent only. */
function breakAtStart(method: string, work: () => unknown, [change]: readonly unknown[]): unknown {
  const starts = method === 'commit' && (change as { readonly move?: { readonly to: string } }).move?.to === 'started'
  return starts ? Promise.reject(new Error('broken')) : work()
}

const rowOf = (id: string) => world.ports.store.call(id)

describe('L3: a call is closed once its asker was refused', () => {
  it('if the policy now allows it, but a limit was exceeded meanwhile', async () => {
    world = await openWorld({ policy: ASKED })
    const asked = ['one', 'two', 'three'].map((id) => world.gate.ask({ id, tool: 'thing', args: {} }))
    while ((await world.held()).length < 3);
    writeFileSync(world.home.policy, FREE)
    await world.gate.isConfirmationRequired({ tool: 'other', args: {} }) // reloads the policy before the poll does
    const answers = Promise.all(asked)
    await world.clock.advance(200)
    const refused = (await answers).filter((answer) => answer.kind === 'refusal')
    expect(refused.length).toBeGreaterThan(0)
    for (const { callId, outcome, code } of refused) {
      expect(await rowOf(callId)).toMatchObject({ state: 'closed', outcome })
      const told = (await world.entries()).filter((entry) => entry.call === callId && entry.kind === outcome)
      expect(told).toMatchObject([{ code }])
    }
    expect((await world.desk.list()).map(({ id }) => id)).not.toContain(refused[0]?.callId)
  })

  it('if an error occurred after it was held', async () => {
    world = await openWorld({
      policy: ASKED,
      wrapPorts: (ports) => ({ ...ports, store: intercept(ports.store, breakAtStart) }),
    })
    const asked = world.gate.ask({ id: 'one', tool: 'thing', args: {} })
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    expect(await asked).toMatchObject({ kind: 'refusal', outcome: 'refused' })
    expect(await rowOf('one')).toMatchObject({ state: 'closed', outcome: 'refused' })
  })
})

describe('L5: an edited call that did not run is recorded with its edited arguments', () => {
  const named = async () => (await rowOf('one'))?.summary

  it('if its caller disconnected', async () => {
    world = await openWorld({ policy: ASKED })
    const caller = new AbortController()
    const asked = world.gate.ask({ id: 'one', tool: 'thing', args: { to: 'first' } }, caller.signal)
    const view = await onlyHeld(world)
    world.gate.subscribe(({ kind }) => kind === 'decided' && caller.abort('gone'))
    await world.decide(view, { kind: 'approve', edited: { to: 'second' } })
    expect(await asked).toMatchObject({ outcome: 'withdrawn' })
    expect(await named()).toMatch(/^edited: .*second/)
  })

  it('if the policy now denies it', async () => {
    world = await openWorld({ policy: ASKED })
    const asked = world.gate.ask({ id: 'one', tool: 'thing', args: { to: 'first' } })
    const view = await onlyHeld(world)
    world.gate.subscribe(
      ({ kind }) => kind === 'decided' && writeFileSync(world.home.policy, rule('supervision: deny')),
    )
    await world.decide(view, { kind: 'approve', edited: { to: 'second' } })
    expect(await asked).toMatchObject({ outcome: 'denied' })
    expect(await named()).toMatch(/^edited: .*second/)
  })
})
