import { type Call, type Desk, type Gate, openView, signDecision } from '@countersign/core'
import { goneOwner, heldAt, onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { settled } from '@countersign/testing/simulated-clock'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

function note(args: object, agent?: Call['agent']): Call {
  return {
    tool: 'post_note',
    args,
    description: { kind: 'write', paths: [`${world.workspace}/x`] },
    requiresConfirmation: true,
    ...(agent === undefined ? {} : { agent }),
  }
}

/** Asks for a call, approves it with a grant of this kind, and waits until it ran. */
async function grantAt(
  { gate, desk }: { gate: Gate; desk: Desk },
  call: Call,
  kind: 'tool' | 'exact',
  lifetime = 'session',
): Promise<void> {
  const before = new Set((await desk.list()).map(({ id }) => id))
  const result = gate.run(call, () => 'ran')
  const view = (await heldAt(desk, before.size + 1)).find(({ id }) => !before.has(id))
  const offer = view?.offers.find(({ scope }) => scope.kind === kind)
  const chosen = offer?.lifetimes.find((one) => one.kind === lifetime)
  if (view === undefined || offer === undefined || chosen === undefined) throw new Error('no such grant is offered')
  const signed = signDecision(
    openView(view, world.ports.crypto),
    { kind: 'approve', grant: { scope: offer.scope, lifetime: chosen } },
    world.approver.signer,
    { surface: 'test', at: 1 },
  )
  expect(await desk.decide(view.id, signed)).toMatchObject({ accepted: true })
  expect(await result).toMatchObject({ kind: 'completed' })
}

/** Whether a call runs without asking. */
async function runsUnasked(gate: Gate, call: Call): Promise<boolean> {
  const leaving = new AbortController()
  const stop = gate.subscribe((event) => {
    if (event.kind === 'held') leaving.abort()
  })
  const result = await gate.run(call, () => 'ran', leaving.signal)
  stop()
  return result.kind === 'completed'
}

describe('A10: sessions and agents do not share permissions', () => {
  it('a grant of one session does not apply in another on the same store', async () => {
    world = await openWorld()
    const other = await world.another()
    await grantAt(world, note({ n: 1 }), 'tool')
    expect(await runsUnasked(world.gate, note({ n: 2 }))).toBe(true)
    expect(await runsUnasked(other.gate, note({ n: 2 }))).toBe(false)
    expect(await runsUnasked(other.gate, note({ n: 1 }))).toBe(false)
    await other.gate.close()
  })

  it('a grant ends in the store when its process closes the gate', async () => {
    world = await openWorld()
    const other = await world.another()
    await grantAt(other, note({ n: 1 }), 'tool')
    expect(await world.desk.grants().list()).toHaveLength(1)
    await other.gate.close()
    expect(await world.desk.grants().list()).toEqual([])
    expect(await world.ports.store.grants()).toMatchObject([{ revokedAt: expect.any(Number) }])
  })

  it('a grant is not listed once its process is dead, and the next process removes it', async () => {
    world = await openWorld()
    const owner = goneOwner(world.ports)
    const other = await world.another({}, (ports) => ({ ...ports, owners: { self: owner, isAlive: () => true } }))
    await grantAt(other, note({ n: 1 }), 'tool')
    expect(await other.desk.grants().list()).toHaveLength(1)
    expect(await world.desk.grants().list()).toEqual([])
    expect(await world.ports.store.grants()).toMatchObject([{ revokedAt: null }])
    await world.desk.sweep()
    expect(await world.ports.store.grants()).toMatchObject([{ revokedAt: expect.any(Number) }])
    await other.gate.close()
  })

  it('a grant does not apply when another session waits for a call of the first', async () => {
    world = await openWorld()
    const first = await world.another()
    const ticket = await first.gate.submit({ ...note({ n: 2 }), id: 'job' })
    await grantAt(first, note({ n: 1 }), 'tool')
    await first.gate.close()
    const waiting = world.gate.wait(ticket)
    await settled()
    expect((await world.desk.list()).map(({ id }) => id)).toEqual(['job'])
    await world.clock.advance(10 * 60_000)
    expect(await waiting).toMatchObject({ kind: 'refusal', outcome: 'expired' })
  })

  it('a grant does not apply to a parent, a sibling or a look-alike name', async () => {
    world = await openWorld()
    await grantAt(world, note({ n: 1 }, { name: 'planner' }), 'tool')
    expect(await runsUnasked(world.gate, note({ n: 2 }, { name: 'planner' }))).toBe(true)
    const others: readonly (Call['agent'] | undefined)[] = [
      undefined,
      { name: 'Planner' },
      { name: 'planner', parents: ['planner'] },
      { name: 'tester', parents: ['planner'] },
      { name: 'planner', parents: ['boss'] },
      { name: 'planner ' },
      { name: 'рlanner' },
      { name: 'boss › planner' },
    ]
    for (const agent of others)
      expect(await runsUnasked(world.gate, note({ n: 2 }, agent)), JSON.stringify(agent)).toBe(false)
    await grantAt(world, note({ n: 1 }, { name: 'b', parents: ['a'] }), 'tool')
    expect(await runsUnasked(world.gate, note({ n: 2 }, { name: 'a › b' }))).toBe(false)
    expect(await runsUnasked(world.gate, note({ n: 2 }, { name: 'b', parents: ['a', 'a'] }))).toBe(false)
  })

  it('a view of one session’s call cannot decide another’s, even with the same arguments', async () => {
    world = await openWorld()
    const other = await world.another()
    const mine = world.gate.run(note({ n: 1 }), () => 'mine')
    const view = await onlyHeld(world)
    const theirs = other.gate.run(note({ n: 1 }), () => 'theirs')
    const target = (await heldAt(other.desk, 2)).find(({ id }) => id !== view.id)
    if (target === undefined) throw new Error('both should be held')
    const signed = signDecision(openView(view, world.ports.crypto), { kind: 'approve' }, world.approver.signer, {
      surface: 'test',
      at: 1,
    })
    for (const desk of [world.desk, other.desk]) {
      expect(await desk.decide(target.id, signed)).toMatchObject({ accepted: false })
      expect(await desk.decide(target.id, { ...signed, held: target.id })).toMatchObject({ accepted: false })
    }
    expect(JSON.parse(view.request).callDigest).not.toBe(JSON.parse(target.request).callDigest)
    await world.clock.advance(10 * 60_000)
    expect(await mine).toMatchObject({ outcome: 'expired' })
    expect(await theirs).toMatchObject({ outcome: 'expired' })
    await other.gate.close()
  })

  it('a gate without a session only offers grants for exact arguments, limited to minutes', async () => {
    world = await openWorld({ options: { session: 'none' } })
    const result = world.gate.run(note({ n: 1 }), () => 'ran')
    const view = await onlyHeld(world)
    // The others only make rules.
    const grants = view.offers.filter(({ lifetimes }) => lifetimes.length > 0)
    expect(grants.map(({ scope, lifetimes }) => [scope.kind, lifetimes.map(({ kind }) => kind)])).toEqual([
      ['exact', ['minutes']],
    ])
    await world.decide(view, { kind: 'reject' })
    await result
    await grantAt(world, note({ n: 1 }), 'exact', 'minutes')
    const other = await world.another()
    expect(await runsUnasked(other.gate, note({ n: 1 }))).toBe(true)
    expect(await runsUnasked(other.gate, note({ n: 2 }))).toBe(false)
    const inSession = await world.another({ session: 'session' })
    expect(await runsUnasked(inSession.gate, note({ n: 1 }))).toBe(false)
    await other.gate.close()
    await inSession.gate.close()
  })

  it('ids, sessions, nonces and grants are random: 128 bits, never repeated', async () => {
    world = await openWorld({ options: { bounds: { heldInSession: 100 } } })
    for (const name of ['one', 'two']) await grantAt(world, note({ n: 0 }, { name }), 'tool')
    const grants = (await world.desk.grants().list()).map(({ id }) => id)
    expect(new Set(grants).size).toBe(2)
    const results = Array.from({ length: 60 }, (_, n) => world.gate.run(note({ n }), () => 'ran'))
    const views = await heldAt(world.desk, 60)
    const requests = views.map(({ request }) => JSON.parse(request))
    const ids = [...views.map(({ id }) => id), ...requests.map(({ nonce }) => nonce as string)]
    const sessions = new Set(requests.map(({ call }) => call.session as string))
    for (const id of [...ids, ...sessions, ...grants]) expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(ids).size).toBe(120)
    expect(sessions.size).toBe(1)
    const other = await world.another()
    const theirs = other.gate.run(note({ n: 1 }), () => 'ran')
    const [last] = (await heldAt(other.desk, 61)).filter(({ id }) => !ids.includes(id))
    const { call } = JSON.parse(last?.request ?? '{}')
    expect(call.session).toMatch(/^[0-9a-f]{32}$/)
    expect(sessions).not.toContain(call.session)
    await other.gate.close()
    expect(await theirs).toMatchObject({ outcome: 'withdrawn' })
    await world.gate.close()
    await Promise.all(results)
  })
})
