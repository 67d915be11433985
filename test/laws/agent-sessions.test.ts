import { writeFileSync } from 'node:fs'
import type { Call, HostAsked, JoinedSession } from '@countersign/core'
import { goneOwner, onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { describe, expect, it, onTestFinished } from 'vitest'

const SESSION = 'a'.repeat(32)
/** A process that is certainly gone. */
const POLICY = `version: 1
rules:
  - { tool: look, supervision: automatic }
  - { tool: jot, supervision: confirm }
`
const LOOK: Call = { id: 'look-1', tool: 'look', args: { at: 1 } }
const TEST: Call = { id: 'test-1', tool: 'Bash', args: { command: 'npm test' }, containable: true }

async function world(policy = POLICY): Promise<World & { readonly agent: JoinedSession }> {
  const opened = await openWorld({ policy })
  onTestFinished(() => opened.close())
  return { ...opened, agent: opened.joinSession(SESSION, opened.ports.owners.self) }
}

async function ask(agent: JoinedSession, call: Call): Promise<HostAsked> {
  return agent.host.ask(call)
}

describe('a coding agent that runs its tools itself', () => {
  it('is recorded before it runs, and once it ended (L6, L7)', async () => {
    const { agent, entries, ports } = await world()
    expect(await ask(agent, LOOK)).toMatchObject({ kind: 'permit', approvedBy: null })
    expect(await ports.store.call('look-1')).toMatchObject({ state: 'started', owner: ports.owners.self })
    expect(await agent.host.ended(LOOK, { outcome: 'failed', end: { exitCode: 3 } })).toBe(true)
    expect(await ports.store.call('look-1')).toMatchObject({ state: 'closed', outcome: 'failed' })
    const kinds = (await entries()).filter(({ call }) => call === 'look-1').map(({ kind }) => kind)
    expect(kinds).toEqual(['judged', 'started', 'failed'])
    expect(await agent.host.ended(LOOK, { outcome: 'completed' })).toBe(false)
  })

  it('runs no call twice, and no replayed event (L1)', async () => {
    const { agent } = await world()
    await ask(agent, LOOK)
    expect(await ask(agent, LOOK)).toMatchObject({ kind: 'refusal', outcome: 'refused' })
  })

  it('settles only its own calls', async () => {
    const { agent, joinSession, ports } = await world()
    await ask(agent, LOOK)
    const other = joinSession('b'.repeat(32), ports.owners.self)
    expect(await other.host.ended(LOOK, { outcome: 'completed' })).toBe(false)
    const forged = joinSession(SESSION, goneOwner(ports))
    expect(await forged.host.ended({ ...LOOK, id: 'unknown' }, { outcome: 'completed' })).toBe(false)
    expect(await ports.store.call('look-1')).toMatchObject({ state: 'started' })
  })

  it('finds a call without an id by its arguments, the oldest first', async () => {
    const { agent, ports } = await world()
    const { id: _, ...unnamed } = LOOK
    const first = await ask(agent, unnamed)
    const second = await ask(agent, unnamed)
    if (first.kind !== 'permit' || second.kind !== 'permit') throw new Error('refused')
    await agent.host.ended(unnamed, { outcome: 'completed' })
    expect(await ports.store.call(first.callId)).toMatchObject({ state: 'closed' })
    expect(await ports.store.call(second.callId)).toMatchObject({ state: 'started' })
    expect(await agent.host.ended({ ...unnamed, args: { at: 2 } }, { outcome: 'completed' })).toBe(false)
  })

  it('leaves what it never reported as released', async () => {
    const { agent, ports } = await world()
    await ask(agent, LOOK)
    await agent.host.end()
    expect(await ports.store.call('look-1')).toMatchObject({ state: 'closed', outcome: 'released' })
  })

  it('leaves what its process took with it as unknown (L7)', async () => {
    const { joinSession, desk, ports } = await world()
    await ask(joinSession(SESSION, goneOwner(ports)), LOOK)
    expect(await ports.store.call('look-1')).toMatchObject({ state: 'started', owner: goneOwner(ports) })
    await desk.sweep()
    expect(await ports.store.call('look-1')).toMatchObject({ state: 'closed', outcome: 'unknown' })
  })

  it('keeps its grants from one process to the next, and not in another session', async () => {
    const opened = await world()
    const { agent, another, decide, joinSession, ports } = opened
    const jot: Call = { tool: 'jot', args: { text: 'x' } }
    const asked = ask(agent, jot)
    const view = await onlyHeld(opened)
    const [offer] = view.offers
    if (offer === undefined) throw new Error('no grant is offered')
    await decide(view, { kind: 'approve', grant: { scope: offer.scope, lifetime: { kind: 'session' } } })
    expect(await asked).toMatchObject({ kind: 'permit', approvedBy: 'ana' })
    agent.leave()
    const next = (await another({ session: 'none', observer: true })).joinSession(SESSION, ports.owners.self)
    expect(await ask(next, jot)).toMatchObject({ kind: 'permit', approvedBy: null })
    const gone = new AbortController()
    const other = joinSession('b'.repeat(32), ports.owners.self).host.ask(jot, { signal: gone.signal })
    await onlyHeld(opened)
    gone.abort()
    expect(await other).toMatchObject({ kind: 'refusal', outcome: 'withdrawn' })
  })
})

describe('a command that nobody approved', () => {
  it('is a ticket for the sandbox, never a permit (L11)', async () => {
    const { agent, another, ports } = await world()
    expect(await ask(agent, TEST)).toEqual({ kind: 'ticket', callId: 'test-1', args: { command: 'npm test' } })
    const runner = (await another({ session: 'none', observer: true })).joinSession(SESSION, ports.owners.self)
    const seen: unknown[] = []
    const ran = await runner.collect({ kind: 'ticket', callId: 'test-1' }, (args, { contain, approvedBy }) => {
      seen.push(args, contain?.workspace, approvedBy)
    })
    expect(ran).toMatchObject({ kind: 'completed' })
    expect(seen).toEqual([{ command: 'npm test' }, 'write', null])
    const again = await runner.collect({ kind: 'ticket', callId: 'test-1' }, () => seen.push('again'))
    expect(again).toMatchObject({ kind: 'refusal' })
    expect(seen).toHaveLength(3)
  })

  it('is judged again when it is collected: a rule that denies it since counts (L3)', async () => {
    const { agent, home } = await world()
    await ask(agent, TEST)
    writeFileSync(home.policy, `${POLICY}  - { command: { program: npm }, supervision: deny }\n`, { mode: 0o600 })
    const ran = await agent.collect({ kind: 'ticket', callId: 'test-1' }, () => 'ran')
    expect(ran).toMatchObject({ kind: 'refusal', outcome: 'denied' })
  })

  it('is a ticket of its own session only (L6)', async () => {
    const { agent, joinSession, ports } = await world()
    await ask(agent, TEST)
    const other = joinSession('b'.repeat(32), ports.owners.self)
    const ran: string[] = []
    const collected = await other.collect({ kind: 'ticket', callId: 'test-1' }, () => ran.push('other'))
    expect(collected).toMatchObject({ kind: 'refusal', code: 'CS_TICKET_UNKNOWN' })
    expect(await agent.collect({ kind: 'ticket', callId: 'test-1' }, () => ran.push('own'))).toMatchObject({
      kind: 'completed',
    })
    expect(ran).toEqual(['own'])
  })

  it('is collected by one of several at once (L1)', async () => {
    const { agent, another, ports } = await world()
    await ask(agent, TEST)
    const runners = [agent, (await another({ session: 'none' })).joinSession(SESSION, ports.owners.self)]
    const ran: number[] = []
    const results = await Promise.all(
      [...runners, ...runners].map((one, at) => one.collect({ kind: 'ticket', callId: 'test-1' }, () => ran.push(at))),
    )
    expect(ran).toHaveLength(1)
    expect(results.filter(({ kind }) => kind === 'completed')).toHaveLength(1)
  })

  it.each([
    ['the agent ended its tool before it ran', (agent: JoinedSession) => agent.host.ended(TEST, { outcome: 'failed' })],
    ['the session is over', (agent: JoinedSession) => agent.host.end()],
  ])('is a ticket for nothing once %s (L6)', async (_, end) => {
    const { agent, ports } = await world()
    await ask(agent, TEST)
    await end(agent)
    expect(await ports.store.call('test-1')).toMatchObject({ state: 'closed', outcome: 'withdrawn', sealed: null })
    const ran = await agent.collect({ kind: 'ticket', callId: 'test-1' }, () => 'ran')
    expect(ran).toMatchObject({ kind: 'refusal', outcome: 'withdrawn' })
  })

  it('is still a ticket when another session reports its end, or a command goes on in the background', async () => {
    const { agent, joinSession, ports } = await world()
    await ask(agent, TEST)
    const other = joinSession('b'.repeat(32), ports.owners.self)
    expect(await other.host.ended(TEST, { outcome: 'failed' })).toBe(false)
    await other.host.end()
    expect(await agent.host.ended(TEST, { outcome: 'completed' })).toBe(false)
    expect(await agent.collect({ kind: 'ticket', callId: 'test-1' }, () => 'ran')).toMatchObject({ kind: 'completed' })
  })

  it('is a ticket that expires', async () => {
    const { agent, clock } = await world()
    await ask(agent, TEST)
    await clock.advance(24 * 60 * 60_000)
    const ran = await agent.collect({ kind: 'ticket', callId: 'test-1' }, () => 'ran')
    expect(ran).toMatchObject({ kind: 'refusal', outcome: 'expired' })
  })
})
