import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Call,
  type HeldCallView,
  openView,
  type Permit,
  type SignedDecision,
  signDecision,
} from '@countersign/core'
import { placesOf } from '@countersign/node'
import { goneOwner, onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { settled } from '@countersign/testing/simulated-clock'
import { tamper } from '@countersign/testing/store/test-store'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

const SEND: Call = { tool: 'send_report', args: { to: 'board' }, description: { kind: 'send' } }

function sign(view: HeldCallView, decision: Parameters<typeof signDecision>[1] = { kind: 'approve' }): SignedDecision {
  return signDecision(openView(view, world.ports.crypto), decision, world.approver.signer, { surface: 'test', at: 1 })
}

/** All rows of `call`, to be restored later by an attacker with write access to the database. */
async function rememberRows(): Promise<{ restore(): Promise<void> }> {
  const columns = ['state', 'owner', 'mode', 'requestDigest', 'sealed', 'expiresAt', 'decision', 'outcome', 'closedAt']
  const rows = await tamper(world.home, 'SELECT * FROM call')
  return {
    async restore() {
      const sql = `UPDATE call SET ${columns.map((column) => `"${column}" = ?`).join(', ')} WHERE id = ?`
      for (const row of rows) await tamper(world.home, sql, ...[...columns, 'id'].map((column) => row[column] ?? null))
    },
  }
}

describe('A33: a decision is reported with the gate’s time', () => {
  it('not the surface’s, which only the journal keeps', async () => {
    world = await openWorld()
    const result = world.gate.run(SEND, () => 1)
    const view = await onlyHeld(world)
    await world.clock.advance(1_500)
    const now = world.ports.clock.now()
    await world.desk.decide(view.id, sign(view, { kind: 'reject', reason: 'no' }))
    await result
    expect((await world.desk.past(view.id))?.decision).toMatchObject({ kind: 'reject', at: now })
    expect(await world.desk.decide(view.id, sign(view))).toMatchObject({ accepted: false, at: now })
    const decided = (await world.entries()).find(({ kind }) => kind === 'decided')
    expect(decided).toMatchObject({ at: now, signedAt: 1 })
    const approved = world.gate.run({ ...SEND, args: { to: 'all' } }, () => 1)
    const next = await onlyHeld(world)
    const other = await world.another()
    expect(await other.desk.decide(next.id, sign(next))).toMatchObject({ accepted: true, at: now })
    await world.clock.advance(200)
    await approved
    expect((await world.desk.past(next.id))?.decision).toMatchObject({ kind: 'approve', at: now })
    await other.gate.close()
  })
})

describe('L6: a decision without a caller', () => {
  it('reports the call as withdrawn if its asker is dead', async () => {
    world = await openWorld()
    const owner = goneOwner(world.ports)
    const other = await world.another({}, (ports) => ({ ...ports, owners: { self: owner, isAlive: () => true } }))
    const leaving = new AbortController()
    const asked = other.gate.ask(SEND, leaving.signal)
    let [view] = await other.desk.list()
    for (let look = 0; look < 50 && view === undefined; look += 1) {
      await settled()
      ;[view] = await other.desk.list()
    }
    if (view === undefined) throw new Error('nothing is held')
    const receipt = await world.desk.decide(view.id, sign(view))
    expect(receipt).toMatchObject({ accepted: false, state: 'withdrawn', by: null })
    expect((await world.desk.past(view.id))?.outcome).toBe('withdrawn')
    leaving.abort()
    expect(await asked).toMatchObject({ kind: 'refusal', outcome: 'withdrawn' })
    await other.gate.close()
  })
})

describe('A9: a decision counts once', () => {
  it('submitted 1000 times at once at the desks of two gates, one is accepted and the tool runs once', async () => {
    world = await openWorld()
    const other = await world.another()
    let ran = 0
    const result = world.gate.run(SEND, () => (ran += 1))
    const view = await onlyHeld(world)
    const signed = sign(view)
    const receipts = await Promise.all(
      Array.from({ length: 1000 }, (_, n) => (n % 2 === 0 ? world.desk : other.desk).decide(view.id, signed)),
    )
    await world.clock.advance(200)
    expect(await result).toMatchObject({ kind: 'completed' })
    expect(receipts.filter(({ accepted }) => accepted)).toHaveLength(1)
    expect(receipts.filter(({ accepted, message }) => !accepted && message !== '')).toHaveLength(999)
    for (let n = 0; n < 50; n += 1)
      expect(await other.desk.decide(view.id, signed)).toMatchObject({ accepted: false, state: 'completed' })
    expect(ran).toBe(1)
    expect((await world.entries()).filter(({ kind }) => kind === 'decided')).toHaveLength(1)
    await other.gate.close()
  })

  it('does not count for the same call asked again, or for a similar one', async () => {
    world = await openWorld()
    const first = world.gate.run(SEND, () => 1)
    const view = await onlyHeld(world)
    const signed = sign(view)
    await world.desk.decide(view.id, signed)
    await first
    let ran = 0
    const again = world.gate.run(SEND, () => (ran += 1))
    const next = await onlyHeld(world)
    const { nonce } = JSON.parse(next.request)
    for (const replay of [
      signed,
      { ...signed, held: next.id },
      { ...signed, held: next.id, requestDigest: next.requestDigest },
      { ...signed, held: next.id, requestDigest: next.requestDigest, nonce },
    ]) {
      expect(await world.desk.decide(next.id, replay)).toMatchObject({ accepted: false })
    }
    expect(ran).toBe(0)
    await world.desk.decide(next.id, sign(next, { kind: 'reject' }))
    expect(await again).toMatchObject({ outcome: 'rejected' })
  })

  it('does not count after the request was reissued, here by a policy change', async () => {
    world = await openWorld({ policy: 'version: 1\ntools: { send_report: confirm }\n' })
    let ran = 0
    const result = world.gate.run(SEND, () => (ran += 1))
    const view = await onlyHeld(world)
    const old = sign(view)
    writeFileSync(world.home.policy, 'version: 1\ntools: { send_report: confirm, other: deny }\n')
    await world.clock.advance(200)
    const fresh = await onlyHeld(world)
    expect(fresh.requestDigest).not.toBe(view.requestDigest)
    const receipts = await Promise.all(Array.from({ length: 100 }, () => world.desk.decide(view.id, old)))
    expect(receipts.every(({ accepted }) => !accepted)).toBe(true)
    expect(ran).toBe(0)
    expect(await world.desk.decide(fresh.id, sign(fresh))).toMatchObject({ accepted: true })
    expect(await result).toMatchObject({ kind: 'completed' })
    expect(ran).toBe(1)
  })

  it('gives the permit to one of two gates that wait for the same ticket', async () => {
    world = await openWorld()
    const other = await world.another()
    const ticket = await world.gate.submit({ ...SEND, id: 'job' })
    const waits = [world.gate.wait(ticket), other.gate.wait(ticket), world.gate.wait(ticket)]
    const view = await onlyHeld(world)
    await world.desk.decide(view.id, sign(view))
    await world.clock.advance(500)
    const kinds = (await Promise.all(waits)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'permit')).toHaveLength(1)
    expect((await world.entries()).filter(({ kind }) => kind === 'started')).toHaveLength(1)
    await other.gate.close()
  })

  it('gives no permit in another workspace than the one that was shown', async () => {
    world = await openWorld()
    const ticket = await world.gate.submit({ ...SEND, id: 'job' })
    const view = await onlyHeld(world)
    await world.desk.decide(view.id, sign(view))
    const workspace = mkdtempSync(join(world.workspace, 'elsewhere-'))
    const other = await world.another({ places: { ...placesOf(world.home, world.workspace), workspace } })
    expect(await other.gate.wait(ticket)).toMatchObject({ kind: 'refusal', code: 'CS_TICKET_UNKNOWN' })
    await other.gate.close()
    expect(await world.gate.wait(ticket)).toMatchObject({ kind: 'permit' })
  })

  for (const mode of ['submit', 'ask'] as const) {
    it(`does not run again when its row is restored to an earlier state (${mode})`, async () => {
      world = await openWorld()
      const call = { ...SEND, id: 'job' }
      const ticket = mode === 'submit' ? await world.gate.submit(call) : { kind: 'ticket' as const, callId: 'job' }
      const first = mode === 'submit' ? world.gate.wait(ticket) : world.gate.ask(call)
      const view = await onlyHeld(world)
      const held = await rememberRows()
      await world.desk.decide(view.id, sign(view))
      const permit = (await first) as Permit
      expect(permit.kind).toBe('permit')
      await world.gate.settle(permit, 'completed')
      await held.restore()
      const decision = JSON.stringify(sign(view))
      await tamper(world.home, `UPDATE call SET mode = 'submit', state = 'decided', decision = ?`, decision)
      for (const { gate } of [world, await world.another()]) {
        const replayed = gate.wait(ticket)
        await world.clock.advance(10 * 60_000)
        expect((await replayed).kind).toBe('refusal')
      }
      expect((await world.entries()).filter(({ kind }) => kind === 'started')).toHaveLength(1)
    })
  }

  it('settles a permit once, however often it is reported, and only with a possible outcome', async () => {
    world = await openWorld({ policy: 'version: 1\ntools: { tidy_up: automatic }\n' })
    const permit = (await world.gate.ask({ tool: 'tidy_up', args: {} })) as Permit
    for (const lie of ['rejected', 'denied', 'expired', 'started', 'decided', 'grant-given', 'rotated', '', null]) {
      await expect(world.gate.settle(permit, lie as 'completed'), String(lie)).rejects.toMatchObject({
        code: 'CS_CALL_SHAPE',
      })
    }
    const told = await Promise.allSettled(Array.from({ length: 100 }, () => world.gate.settle(permit, 'completed')))
    expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await world.entries()).filter(({ kind }) => kind === 'completed')).toHaveLength(1)
    await expect(world.gate.settle({ ...permit }, 'completed')).rejects.toMatchObject({ code: 'CS_PERMIT_FORGED' })
    for (const nothing of [null, undefined, 1, 'permit', {}]) {
      await expect(world.gate.settle(nothing as unknown as Permit, 'completed')).rejects.toMatchObject({
        code: 'CS_PERMIT_FORGED',
      })
    }
  })

  it('journals the outcome even if someone closed the row while the tool ran', async () => {
    world = await openWorld({ policy: 'version: 1\ntools: { tidy_up: automatic }\n' })
    const result = await world.gate.run({ tool: 'tidy_up', args: {} }, async () => {
      await tamper(world.home, `UPDATE call SET state = 'closed', outcome = 'denied', sealed = NULL`)
    })
    expect(result).toMatchObject({ kind: 'completed' })
    expect((await world.entries()).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['started', 'completed']))
  })

  it('answers a decision without throwing if the row has another state', async () => {
    world = await openWorld()
    const result = world.gate.run(SEND, () => 1)
    const view = await onlyHeld(world)
    const signed = sign(view)
    for (const [state, decision] of [
      ['started', 'garbage'],
      ['closed', '{}'],
      ['decided', 'null'],
      ['started', '[]'],
      ['closed', '{"decision":{"kind":"approve"}}'],
    ]) {
      const sql = 'UPDATE call SET state = ?, decision = ?, sealed = NULL'
      await tamper(world.home, sql, state ?? '', decision ?? '')
      expect(await world.desk.decide(view.id, signed), `${state} ${decision}`).toMatchObject({
        accepted: false,
        message: expect.stringContaining('too late'),
      })
    }
    await settled()
    await world.clock.advance(10 * 60_000)
    expect(await result).toMatchObject({ kind: 'refusal' })
  })

  it('answers invalid decisions as invalid', async () => {
    world = await openWorld()
    const result = world.gate.run(SEND, () => 1)
    const view = await onlyHeld(world)
    const signed = sign(view)
    let deep: unknown = {}
    for (let level = 0; level < 50_000; level += 1) deep = { deep }
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    const nonsense: readonly unknown[] = [
      null,
      undefined,
      1,
      'approve',
      [],
      {},
      { ...signed, decision: null },
      { ...signed, decision: { kind: 'maybe' } },
    ]
    const odd: readonly unknown[] = [
      deep,
      cyclic,
      { ...signed, decision: { kind: 'approve', edited: deep } },
      { ...signed, decision: { kind: 'approve', grant: {} } },
      { ...signed, at: Number.NaN },
      { ...signed, surface: 'x'.repeat(1e6) },
      { ...signed, decision: { kind: 'approve', reason: () => 1 } },
    ]
    for (const given of [...nonsense, ...odd]) {
      expect(await world.desk.decide(view.id, given as SignedDecision)).toMatchObject({ accepted: false })
    }
    expect(await world.held()).toHaveLength(1)
    await world.desk.decide(view.id, sign(view, { kind: 'reject' }))
    await result
  })
})
