import type { GrantOffer, HeldCallView } from '@countersign/core'
import { heldAt, onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

function offer(view: HeldCallView, kind: GrantOffer['scope']['kind']): GrantOffer {
  const found = view.offers.find((one) => one.scope.kind === kind)
  if (found === undefined) throw new Error(`no ${kind} grant is offered: ${JSON.stringify(view.offers)}`)
  return found
}

function poster(name: string, server?: string) {
  return world.gate.wrap(
    { name, run: () => 'posted' },
    {
      describe: () => ({ kind: 'write', paths: [`${world.workspace}/x`] }),
      requiresConfirmation: true,
      ...(server === undefined ? {} : { server }),
    },
  )
}

/** Holds a call, approves it with a session grant of this kind, and waits for its result. */
async function allowAll(tool: ReturnType<typeof poster>, kind: GrantOffer['scope']['kind'] = 'tool') {
  const result = tool({ n: 0 })
  const view = await onlyHeld(world)
  const { scope, words } = offer(view, kind)
  // The offer names its agent.
  if (kind === 'tool') expect(words).toContain(' for `agent` in this session')
  expect(await world.decide(view, { kind: 'approve', grant: { scope, lifetime: { kind: 'session' } } })).toMatchObject({
    accepted: true,
  })
  expect(await result).toMatchObject({ kind: 'completed' })
}

describe('grants', () => {
  it('49: allow all covers one tool of one server in this session, and ends on restart', async () => {
    world = await openWorld()
    await allowAll(poster('post_note', 'mail'))
    expect(await poster('post_note', 'mail')({ n: 1 })).toMatchObject({ kind: 'completed' })

    const other = poster('post_note', 'chat')({ n: 2 })
    expect(await world.held()).toHaveLength(1)
    const bare = poster('post_note')({ n: 3 })
    expect(await heldAt(world.desk, 2)).toHaveLength(2)
    await world.clock.advance(5 * 60_000)
    expect(await other).toMatchObject({ outcome: 'expired' })
    expect(await bare).toMatchObject({ outcome: 'expired' })

    const restarted = await world.another()
    const asked = restarted.gate.ask({
      tool: { name: 'post_note', server: 'mail' },
      args: { n: 4 },
      description: { kind: 'write' },
    })
    expect(await heldAt(restarted.desk)).toHaveLength(1)
    await world.clock.advance(5 * 60_000)
    expect(await asked).toMatchObject({ outcome: 'expired' })
  })

  it('50: allow all never covers deny or manual', async () => {
    world = await openWorld({
      policy: [
        'version: 1',
        'rules:',
        '  - { id: no-prod, tool: post_note, args: { env: prod }, supervision: deny }',
        '  - { id: careful, tool: post_note, args: { env: staging }, supervision: manual }',
      ].join('\n'),
    })
    await allowAll(poster('post_note'))
    const tool = world.gate.wrap(
      { name: 'post_note', run: () => 'posted' },
      { describe: () => ({ kind: 'write', paths: [`${world.workspace}/x`] }) },
    )
    expect(await tool({ env: 'prod' })).toMatchObject({ outcome: 'denied' })
    const held = tool({ env: 'staging' })
    expect(await world.held()).toHaveLength(1)
    await world.clock.advance(5 * 60_000)
    expect(await held).toMatchObject({ outcome: 'expired' })
  })

  it('50: a shell is never granted by name, only by a command pattern', async () => {
    world = await openWorld({
      policy: 'version: 1\nrules:\n  - { id: ask-shell, kind: execute, supervision: confirm }\n',
    })
    const shell = world.gate.wrap({ name: 'execute_command', run: () => 'ran' }, { containable: true })
    const first = shell({ command: 'git add a' })
    const view = await onlyHeld(world)
    expect(view.offers.map((one) => one.scope.kind)).not.toContain('tool')
    const pattern = offer(view, 'pattern')
    await world.decide(view, { kind: 'approve', grant: { scope: pattern.scope, lifetime: { kind: 'session' } } })
    expect(await first).toMatchObject({ kind: 'completed' })
    expect(await shell({ command: 'git add b' })).toMatchObject({ kind: 'completed' })
    const sneaky = shell({ command: 'git add b; touch x' })
    expect(await world.held()).toHaveLength(1)
    await world.clock.advance(5 * 60_000)
    expect(await sneaky).toMatchObject({ outcome: 'expired' })
  })

  it('50: a grant that was not offered is refused, and the call stays held', async () => {
    world = await openWorld()
    const result = poster('post_note')({ n: 1 })
    const view = await onlyHeld(world)
    const wide = { kind: 'server', server: 'mail' } as const
    expect(
      await world.decide(view, { kind: 'approve', grant: { scope: wide, lifetime: { kind: 'session' } } }),
    ).toMatchObject({ accepted: false })
    expect(await world.held()).toHaveLength(1)
    await world.decide(view, { kind: 'reject' })
    expect(await result).toMatchObject({ outcome: 'rejected' })
  })

  it('51: grants are listed with their uses, end by count and time, and can be revoked at once', async () => {
    world = await openWorld()
    const tool = poster('post_note')
    const first = tool({ n: 1 })
    const view = await onlyHeld(world)
    const exact = offer(view, 'exact')
    await world.decide(view, { kind: 'approve', grant: { scope: exact.scope, lifetime: { kind: 'uses', uses: 5 } } })
    await first
    for (let use = 0; use < 5; use += 1) expect(await tool({ n: 1 })).toMatchObject({ kind: 'completed' })
    expect(await world.desk.grants().list()).toEqual([])
    const sixth = tool({ n: 1 })
    const again = await onlyHeld(world)
    const minutes = { kind: 'minutes', minutes: 10 } as const
    await world.decide(again, { kind: 'approve', grant: { scope: offer(again, 'exact').scope, lifetime: minutes } })
    await sixth
    const [grant] = await world.desk.grants().list()
    expect(await tool({ n: 1 })).toMatchObject({ kind: 'completed' })
    expect(await world.desk.grants().list()).toMatchObject([{ uses: 1 }])
    await world.desk.grants().revoke(grant?.id ?? '', 'ana')
    expect(await world.desk.grants().list()).toEqual([])
    const after = tool({ n: 1 })
    expect(await world.held()).toHaveLength(1)
    await world.clock.advance(5 * 60_000)
    expect(await after).toMatchObject({ outcome: 'expired' })
    await expect(world.desk.grants().revoke(grant?.id ?? '', 'ana')).rejects.toMatchObject({ code: 'CS_GRANT_UNKNOWN' })
    expect((await world.entries()).map((entry) => entry.kind)).toEqual(
      expect.arrayContaining(['grant-given', 'grant-used', 'grant-revoked']),
    )
  })

  it('51: a grant for minutes ends on time', async () => {
    world = await openWorld()
    const tool = poster('post_note')
    const first = tool({ n: 1 })
    const view = await onlyHeld(world)
    await world.decide(view, {
      kind: 'approve',
      grant: { scope: offer(view, 'exact').scope, lifetime: { kind: 'minutes', minutes: 10 } },
    })
    await first
    await world.clock.advance(9 * 60_000)
    expect(await tool({ n: 1 })).toMatchObject({ kind: 'completed' })
    await world.clock.advance(2 * 60_000)
    void tool({ n: 1 })
    expect(await world.held()).toHaveLength(1)
  })

  it('53: changing the result of grants().list() has no effect, and no grant is lost under concurrency', async () => {
    world = await openWorld({ options: { bounds: { heldInSession: 100 } } })
    const tools = Array.from({ length: 20 }, (_, n) => poster(`post_${n}`))
    const results = tools.map((tool) => tool({ n: 1 }))
    const views = await world.held()
    await Promise.all(
      views.map((view) =>
        world.decide(view, {
          kind: 'approve',
          grant: { scope: offer(view, 'tool').scope, lifetime: { kind: 'session' } },
        }),
      ),
    )
    await Promise.all(results)
    const listed = await world.desk.grants().list()
    expect(listed).toHaveLength(20)
    ;(listed as unknown as unknown[]).length = 0
    expect(await world.desk.grants().list()).toHaveLength(20)
    for (const tool of tools) expect(await tool({ n: 2 })).toMatchObject({ kind: 'completed' })
  })
})
