import { openView } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** The registration of tools as issue #248 describes it. */

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const MESSAGE = 'This sends a mail to your customer.'

describe('a tool registered with `requiresConfirmation`', () => {
  const register = () =>
    world.gate.wrap(
      { name: 'read_greeting', run: ({ to }: { to: string }) => `hello ${to}` },
      { requiresConfirmation: true, confirmationMessage: MESSAGE, describe: () => ({ kind: 'read' }) },
    )

  it('is asked about, though the same tool without it runs', async () => {
    const plain = world.gate.wrap(
      { name: 'read_greeting', run: ({ to }: { to: string }) => `hello ${to}` },
      { describe: () => ({ kind: 'read' }) },
    )
    expect(await plain({ to: 'ada' })).toMatchObject({ kind: 'completed' })
    const asked = register()({ to: 'ada' })
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    expect(await asked).toMatchObject({ kind: 'completed', value: 'hello ada' })
  })

  it('emits an event with tool, arguments and message before it runs', async () => {
    const events: { readonly tool: unknown; readonly args: unknown; readonly message: unknown }[] = []
    world.gate.subscribe(
      (event) => {
        if (event.kind !== 'held') return
        const { view, body } = openView(event.view, world.ports.crypto)
        events.push({ tool: body.call.tool.name, args: body.call.args, message: view.confirmationMessage })
      },
      ['held'],
    )
    const asked = register()({ to: 'ada' })
    await world.decide(await onlyHeld(world), { kind: 'reject' })
    expect(await asked).toMatchObject({ kind: 'refusal', outcome: 'rejected' })
    expect(events).toEqual([{ tool: 'read_greeting', args: { to: 'ada' }, message: MESSAGE }])
  })

  it('is known to need confirmation without asking', async () => {
    const call = { tool: 'read_greeting', args: { to: 'ada' }, describe: () => ({ kind: 'read' as const }) }
    expect(await world.gate.isConfirmationRequired(call)).toBe(false)
    expect(await world.gate.isConfirmationRequired({ ...call, requiresConfirmation: true })).toBe(true)
    expect(await world.held()).toEqual([])
  })
})
