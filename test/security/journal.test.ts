import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { type Call, type JournalVerdict, verifyJournal } from '@countersign/core'
import { goneOwner, onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { openStoreAgain, STORE, tamper } from '@countersign/testing/store/test-store'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

const POLICY =
  'version: 1\nrules:\n  - { id: free, tool: free_thing, supervision: automatic }\n  - { id: never, tool: never_thing, supervision: deny }\n'
const SEND: Call = { tool: 'send_report', args: { to: 'board' }, description: { kind: 'send' } }

/** Calls that ran, were denied, rejected and approved; then the head is kept outside. */
async function live(): Promise<void> {
  world = await openWorld({ policy: POLICY })
  await world.gate.run({ tool: 'free_thing', args: { n: 1 } }, () => 1)
  await world.gate.run({ tool: 'never_thing', args: {} }, () => 1)
  for (const kind of ['approve', 'reject'] as const) {
    const result = world.gate.run(SEND, () => 1)
    await world.decide(await onlyHeld(world), { kind })
    await result
  }
  await world.gate.close()
}

async function verify(): Promise<JournalVerdict> {
  const store = await openStoreAgain(world.home, world.ports.crypto)
  try {
    return await verifyJournal(store, {
      crypto: world.ports.crypto,
      publicKeys: [world.ports.signer.publicKey],
      kept: await world.ports.heads.kept(),
    })
  } finally {
    await store.close()
  }
}

/** Saves or restores the database and its log. */
function copyStore(from: string, to: string): void {
  for (const end of ['', '-wal', '-shm']) {
    rmSync(`${to}${end}`, { force: true })
    if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${to}${end}`)
  }
}

describe('A29: changes to the journal are detected', () => {
  const TOUCHES: { readonly [what: string]: readonly [sql: string, damage: string] } = {
    'a reversed decision': [
      `UPDATE entry SET line = replace(line, '"decision":"reject"', '"decision":"approve"')`,
      'changed',
    ],
    'another approver': [`UPDATE entry SET line = replace(line, '"by":"ana"', '"by":"bob"')`, 'changed'],
    'a renamed denied call': [`UPDATE entry SET line = replace(line, 'never_thing', 'other_thing')`, 'changed'],
    'a changed time': [`UPDATE entry SET line = replace(line, '"at":1', '"at":2') WHERE seq = 3`, 'changed'],
    'a deleted outcome': [`DELETE FROM entry WHERE line LIKE '%"kind":"completed"%'`, 'missing'],
    'the last entries truncated, and the head adjusted': [
      `DELETE FROM entry WHERE seq > 5; UPDATE head SET size = 5`,
      'head-mismatch',
    ],
    'the last entries truncated': [`DELETE FROM entry WHERE seq > 5`, 'truncated'],
    'all entries deleted': [
      `DELETE FROM entry; UPDATE head SET size = 0, frontier = ''; DELETE FROM checkpoint`,
      'rolled-back',
    ],
    'two swapped entries': [
      `UPDATE entry SET seq = -1 WHERE seq = 3; UPDATE entry SET seq = 3 WHERE seq = 4; UPDATE entry SET seq = 4 WHERE seq = -1`,
      'swapped',
    ],
    'an entry overwritten by a copy of another': [
      `UPDATE entry SET line = (SELECT line FROM entry WHERE seq = 2), leaf = (SELECT leaf FROM entry WHERE seq = 2) WHERE seq = 4`,
      'doubled',
    ],
    'an added entry': [
      `INSERT INTO entry SELECT seq + 1, call, line, leaf FROM entry ORDER BY seq DESC LIMIT 1`,
      'head-mismatch',
    ],
    'a changed head': [`UPDATE head SET size = size - 1`, 'head-mismatch'],
    'a forged checkpoint': [
      `UPDATE checkpoint SET note = replace(note, substr(note, length(note) - 19, 5), 'AAAAA')`,
      'bad-signature',
    ],
    'a span over all entries': [`INSERT INTO span VALUES (0, 4, '${'00'.repeat(32)}')`, ''],
  }
  for (const [what, [sql, damage]] of Object.entries(TOUCHES)) {
    it(`${what}: ${damage === '' ? 'damaged' : damage}`, async () => {
      await live()
      expect(await verify()).toMatchObject({ kind: 'intact' })
      await tamper(world.home, sql)
      const verdict = await verify()
      expect(verdict.kind).toBe('damaged')
      if (verdict.kind === 'damaged' && damage !== '') expect(verdict.damage.kind).toBe(damage)
      if (verdict.kind === 'damaged') expect(verdict.damage.message).toMatch(/^entr(y|ies) \d/)
    })
  }

  // Copies of a database on a server: packages/postgres/src/faults.test.ts.
  if (STORE === 'sqlite')
    it('an older copy of the whole store is detected by the head kept outside', async () => {
      await live()
      const copy = `${world.home.store}.copy`
      copyStore(world.home.store, copy)
      const again = await world.another()
      for (let n = 0; n < 5; n += 1) await again.gate.run({ tool: 'free_thing', args: { n } }, () => 1)
      await again.gate.close()
      expect(await verify()).toMatchObject({ kind: 'intact' })
      copyStore(copy, world.home.store)
      expect(await verify()).toMatchObject({ kind: 'damaged', damage: { kind: 'rolled-back' } })
    })

  it('a running gate does not sign entries that were rewritten', async () => {
    world = await openWorld({ policy: POLICY })
    const problems: string[] = []
    world.gate.subscribe((event) => {
      if (event.kind === 'problem') problems.push(event.code)
    })
    for (let n = 0; n < 3; n += 1) await world.gate.run({ tool: 'free_thing', args: { n } }, () => 1)
    await world.clock.advance(60_000)
    await tamper(
      world.home,
      `UPDATE entry SET line = replace(line, 'free_thing', 'fine_thing'); UPDATE head SET frontier = replace(frontier, substr(frontier, 1, 4), 'ffff')`,
    )
    await world.gate.run({ tool: 'free_thing', args: { n: 9 } }, () => 1)
    await world.clock.advance(60_000)
    await world.gate.close()
    expect(problems).toContain('CS_JOURNAL_DAMAGED')
    expect((await verify()).kind).toBe('damaged')
  })
})

describe('A30: calls of a dead process', () => {
  it('a started call is unknown after a restart: listed, never rerun', async () => {
    world = await openWorld({ policy: POLICY })
    const ticket = await world.gate.submit({ ...SEND, id: 'job' })
    const waiting = world.gate.wait(ticket)
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    expect(await waiting).toMatchObject({ kind: 'permit' })
    await world.gate.ask({ id: 'free', tool: 'free_thing', args: {} })
    // The process dies here: two tools may have had their effect.
    await tamper(world.home, 'UPDATE call SET owner = ?', goneOwner(world.ports))
    const restarted = await world.another()
    const past = await restarted.desk.history({ outcome: 'unknown' })
    expect(past.map(({ id }) => id).sort()).toEqual(['free', 'job'])
    expect((await world.entries()).filter(({ kind }) => kind === 'unknown')).toHaveLength(2)
    let ran = 0
    expect(await restarted.gate.wait(ticket)).toMatchObject({
      kind: 'refusal',
      outcome: 'unknown',
      code: 'CS_PERMIT_SPENT',
    })
    expect(await restarted.gate.run({ id: 'free', tool: 'free_thing', args: {} }, () => (ran += 1))).toMatchObject({
      code: 'CS_CALL_DUPLICATE',
    })
    expect(await restarted.gate.run({ ...SEND, id: 'job' }, () => (ran += 1))).toMatchObject({
      code: 'CS_CALL_DUPLICATE',
    })
    expect(await restarted.gate.submit({ ...SEND, id: 'job' }).catch(({ code }) => code)).toBe('CS_CALL_DUPLICATE')
    expect(ran).toBe(0)
    await restarted.gate.close()
    await world.gate.close()
    expect(await verify()).toMatchObject({ kind: 'intact' })
  })

  it('a held call of a dead caller is withdrawn, a submitted one is shown again, and neither runs by itself', async () => {
    world = await openWorld({ policy: POLICY })
    void world.gate.run({ ...SEND, id: 'asked' }, () => 1)
    await world.gate.submit({ ...SEND, id: 'submitted' })
    expect(await world.held()).toHaveLength(2)
    await tamper(world.home, 'UPDATE call SET owner = ?', goneOwner(world.ports))
    const restarted = await world.another()
    expect((await restarted.desk.list()).map(({ id }) => id)).toEqual(['submitted'])
    await world.clock.advance(6 * 60_000)
    expect(await restarted.desk.list()).toEqual([])
    expect((await world.entries()).filter(({ kind }) => kind === 'started')).toEqual([])
    await restarted.gate.close()
  })
})
