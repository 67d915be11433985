import { writeFileSync } from 'node:fs'
import { type Archive, type Decision, journalKeys, openView, rotateJournal, signDecision } from '@countersign/core'
import { heldAt, onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { settled } from '@countersign/testing/simulated-clock'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

const ASKED = 'version: 1\nrules:\n  - { id: asked, tool: thing, supervision: confirm }\n'
const FREE = 'version: 1\nrules:\n  - { id: free, tool: thing, supervision: automatic, up_to: critical }\n'
const NEVER = 'version: 1\nrules:\n  - { id: never, tool: thing, supervision: deny }\n'

const policyBecomes = (text: string) => writeFileSync(world.home.policy, text)

/** Decides from another process's desk, so the gate finds the decision in the store. */
async function decideElsewhere(decision: Decision) {
  const other = await world.another()
  const [view] = await other.desk.list()
  if (view === undefined) throw new Error('nothing is held')
  const signed = signDecision(openView(view, world.ports.crypto), decision, world.approver.signer, {
    surface: 'test',
    at: world.clock.now(),
  })
  const receipt = await other.desk.decide(view.id, signed)
  return { receipt, other }
}

describe('L6: the first valid decision wins, even if the policy changes meanwhile', () => {
  it('does not run a rejected ticket when the policy becomes looser', async () => {
    world = await openWorld({ policy: ASKED })
    const ticket = await world.gate.submit({ id: 'job', tool: 'thing', args: {} })
    await world.decide(await onlyHeld(world), { kind: 'reject', reason: 'no' })
    policyBecomes(FREE)
    expect(await world.gate.wait(ticket)).toMatchObject({ kind: 'refusal', outcome: 'rejected', reason: 'no' })
    expect((await world.entries()).map((entry) => entry.kind)).not.toContain('started')
  })

  it('does not run a call that another process rejected before the policy became looser', async () => {
    world = await openWorld({ policy: ASKED })
    let ran = 0
    const result = world.gate.run({ tool: 'thing', args: {} }, () => (ran += 1))
    await onlyHeld(world)
    expect((await decideElsewhere({ kind: 'reject' })).receipt).toMatchObject({ accepted: true })
    policyBecomes(FREE)
    await world.gate.isConfirmationRequired({ tool: 'other', args: {} }) // reloads the policy before the poll does
    await world.clock.advance(200)
    expect(await result).toMatchObject({ outcome: 'rejected' })
    expect(ran).toBe(0)
  })

  it('runs the edited arguments even if the policy now allows the original ones', async () => {
    world = await openWorld({ policy: ASKED })
    const ticket = await world.gate.submit({ id: 'job', tool: 'thing', args: { a: 'ALL' } })
    await world.decide(await onlyHeld(world), { kind: 'approve', edited: { a: 'one' } })
    policyBecomes(FREE)
    expect(await world.gate.wait(ticket)).toMatchObject({ kind: 'permit', args: { a: 'one' } })
  })

  it('keeps a rejection when a policy change reissues the request', async () => {
    world = await openWorld({ policy: ASKED })
    const ticket = await world.gate.submit({ id: 'job', tool: 'thing', args: {} })
    await world.decide(await onlyHeld(world), { kind: 'reject' })
    policyBecomes(ASKED.replace('confirm', 'confirm, timeout: 1m'))
    expect(await world.gate.wait(ticket)).toMatchObject({ outcome: 'rejected' })
    expect(await world.desk.list()).toEqual([])
  })
})

describe('L2: a deny in force when a call starts denies it', () => {
  it('even if a person approved before the policy was reloaded', async () => {
    world = await openWorld({ policy: ASKED })
    let ran = 0
    const result = world.gate.run({ tool: 'thing', args: {} }, () => (ran += 1))
    const view = await onlyHeld(world)
    policyBecomes(NEVER)
    await world.decide(view, { kind: 'approve' })
    expect(await result).toMatchObject({ kind: 'refusal', outcome: 'denied' })
    expect(ran).toBe(0)
  })

  it('and makes it stale if it now needs stricter supervision than was shown', async () => {
    world = await openWorld({ policy: ASKED })
    const result = world.gate.run({ tool: 'thing', args: {} }, () => 'ran')
    const view = await onlyHeld(world)
    policyBecomes(ASKED.replace('confirm', 'manual'))
    await world.decide(view, { kind: 'approve' })
    expect(await result).toMatchObject({ outcome: 'stale', code: 'CS_STALE' })
  })
})

describe('a held call is not judged more loosely when it is collected', () => {
  it('even if the tool that described it no longer exists', async () => {
    world = await openWorld()
    const ticket = await world.gate.submit({
      id: 'job',
      tool: 'publish',
      args: { to: 'prod' },
      describe: () => ({ kind: 'write', paths: ['/etc/hosts'] }),
    })
    const held = await onlyHeld(world)
    const waiting = world.gate.wait(ticket)
    expect(await onlyHeld(world)).toMatchObject({ requestDigest: held.requestDigest })
    await world.decide(held, { kind: 'reject' })
    await world.clock.advance(200)
    expect(await waiting).toMatchObject({ outcome: 'rejected' })
  })
})

describe('L10: limits hold under concurrency', () => {
  it('runs two of 40 concurrent calls under a limit of two, and holds the rest', async () => {
    world = await openWorld({ policy: `${FREE}limits: { calls: 2/h }\n`, options: { bounds: { heldInSession: 100 } } })
    let ran = 0
    const results = Array.from({ length: 40 }, () => world.gate.run({ tool: 'thing', args: {} }, () => (ran += 1)))
    await heldAt(world.desk, 38)
    await settled()
    expect(ran).toBe(2)
    expect(await world.desk.list()).toHaveLength(38)
    await world.clock.advance(5 * 60_000)
    await Promise.all(results)
    expect(ran).toBe(2)
  })

  it('counts submitted calls that need no approval', async () => {
    world = await openWorld({ policy: FREE, options: { bounds: { heldInSession: 3 } } })
    for (let n = 0; n < 3; n += 1) await world.gate.submit({ tool: 'thing', args: { n } })
    await expect(world.gate.submit({ tool: 'thing', args: { n: 3 } })).rejects.toMatchObject({ code: 'CS_QUEUE_FULL' })
  })
})

describe('journal rotation keeps open calls', () => {
  it('so that an approved call can still be collected', async () => {
    world = await openWorld({ policy: ASKED })
    await world.gate.run({ tool: 'read_file', args: { path: 'a' } }, () => 'read')
    const ticket = await world.gate.submit({ id: 'job', tool: 'thing', args: {} })
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    const { size } = await world.ports.store.head()
    const { store, crypto, signer, clock, heads } = world.ports
    const written: string[] = []
    const archive = { write: async (name: string) => void written.push(name) }
    const rotation = await rotateJournal(
      { store, crypto, signer, clock, heads, keys: journalKeys(world.ports), archive: drained(archive) },
      size,
    )
    expect(rotation.through).toBeLessThan(size)
    expect(await world.gate.wait(ticket)).toMatchObject({ kind: 'permit' })
  })
})

/** An archive that reads its input to the end. */
function drained(archive: { write(name: string): Promise<void> }): Archive {
  return {
    async write(name, chunks) {
      for await (const _ of chunks);
      await archive.write(name)
    },
  }
}

describe('the journal omits no attempt and exposes no arguments', () => {
  it('records a denied attempt that reuses a call id', async () => {
    world = await openWorld({ policy: `${FREE}  - { id: never, tool: danger, supervision: deny }\n` })
    await world.gate.run({ id: 'same', tool: 'thing', args: {} }, () => 'ran')
    expect(await world.gate.run({ id: 'same', tool: 'danger', args: {} }, () => 'ran')).toMatchObject({
      outcome: 'denied',
    })
    expect((await world.entries()).filter((entry) => entry.call === 'same').map((entry) => entry.kind)).toContain(
      'denied',
    )
  })

  it('shows edited arguments in the row and the history only as one redacted line', async () => {
    world = await openWorld({ policy: ASKED })
    const result = world.gate.run({ id: 'c', tool: 'thing', args: { a: 1 } }, () => 'ran')
    const view = await onlyHeld(world)
    await world.decide(view, { kind: 'approve', reason: 'ok', edited: { note: `${'long '.repeat(100)} CANARY` } })
    await result
    const past = await world.desk.history()
    expect(JSON.stringify([past, await world.ports.store.call('c')])).not.toContain('CANARY')
    expect(past[0]?.decision).toMatchObject({ kind: 'approve', surface: 'test', edited: true })
  })

  describe('L5: history names the call that ran, not the one requested', () => {
    const RULES = `${ASKED}  - { id: never, tool: thing, args: { a: never }, supervision: deny }
  - { id: more, tool: thing, args: { a: more }, supervision: manual }
`
    it.each([
      ['one', 'completed', 'asked'],
      ['never', 'denied', 'never'],
      ['more', 'rejected', 'more'],
    ])('edited to `%s`, then %s', async (a, outcome, rule) => {
      world = await openWorld({ policy: RULES })
      const result = world.gate.run({ id: 'c', tool: 'thing', args: { a: 'ALL' } }, () => 'ran')
      const receipt = await world.decide(await onlyHeld(world), { kind: 'approve', edited: { a } })
      expect(receipt).toMatchObject({ instead: 'edited: judged again before it runs' })
      if (outcome === 'rejected') {
        await expect.poll(async () => (await world.desk.list())[0]?.verdict.rule.id).toBe(rule)
        await world.decide(await onlyHeld(world), { kind: 'reject' })
      }
      await result
      const past = await world.desk.past('c')
      expect(past).toMatchObject({ outcome, rule, state: 'closed' })
      expect(past?.summary).toMatch(new RegExp(`^edited: .*a: ${a}`))
    })
  })

  it('a wall clock jump does not end a call whose caller still waits', async () => {
    world = await openWorld({ policy: ASKED })
    let ran = 0
    const result = world.gate.run({ tool: 'thing', args: {} }, () => (ran += 1))
    const view = await onlyHeld(world)
    const other = await world.another()
    world.clock.jump(60 * 60_000)
    await other.desk.list()
    expect((await world.ports.store.call(view.id))?.state).toBe('held')
    await world.decide(view, { kind: 'approve' })
    expect(await result).toMatchObject({ kind: 'completed' })
    expect(ran).toBe(1)
  })

  it('a listener that rejects later does not end the process', async () => {
    world = await openWorld({ policy: FREE })
    world.gate.subscribe((async () => Promise.reject(new Error('surface bug'))) as never)
    expect(await world.gate.run({ tool: 'thing', args: {} }, () => 'ran')).toMatchObject({ kind: 'completed' })
    await settled()
  })
})
