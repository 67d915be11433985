import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  type Call,
  CountersignError,
  createGate,
  type Desk,
  type Gate,
  openView,
  type Ports,
  signDecision,
  verifyJournal,
} from '@countersign/core'
import { openApprover, openHome, openPorts, placesOf } from '@countersign/node'
import { heldAt } from '@countersign/testing/gate/world'
import { type SimulatedClock, settled, simulatedClock } from '@countersign/testing/simulated-clock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * L8 at T1: an asker with the gate's handle and write access to the store's file, and nothing else. It edits every
 * column of every table, then asks.
 */
const POLICY = `version: 1
limits: { calls: 100/session }
rules:
  - { id: ask, tool: asked_thing, supervision: confirm }
  - { id: free, tool: free_thing, supervision: automatic }
  - { id: never, tool: never_thing, supervision: deny }
`
const START = Date.UTC(2026, 0, 5, 12)

let root: string
let template: string
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-edited-')))
  template = join(root, 'template')
  await furnish(template)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function openAt(dir: string, clock: SimulatedClock): Promise<{ gate: Gate; desk: Desk; ports: Ports }> {
  const home = openHome(join(dir, 'home'))
  const workspace = join(root, 'project') // the same for every copy, since a grant belongs to one folder
  const places = placesOf(home, workspace)
  const ports = await openPorts(home, places, {
    managed: { folder: join(dir, 'managed'), owner: process.getuid?.() ?? 0 },
    clock,
  })
  const opened = await createGate(ports, { places, session: 'none' }).catch(async (error: unknown) => {
    await ports.store.close()
    throw error
  })
  return { ...opened, ports }
}

/** A store with rows in every table: a completed, a denied and a submitted held call, an active grant, counters, checkpoints. */
async function furnish(dir: string): Promise<void> {
  mkdirSync(join(root, 'project'))
  mkdirSync(dir)
  const home = openHome(join(dir, 'home'))
  writeFileSync(home.policy, POLICY, { mode: 0o600 })
  const approver = openApprover(home, { name: 'ana' })
  const clock = simulatedClock(START)
  const { gate, desk, ports } = await openAt(dir, clock)
  await gate.run({ tool: 'free_thing', args: {} }, () => 1)
  await gate.run({ tool: 'never_thing', args: {} }, () => 1)
  const result = gate.run(granted(), () => 1)
  const [view] = await heldAt(desk)
  const offer = view?.offers[0]
  const lifetime = offer?.lifetimes[0]
  if (view === undefined || offer === undefined || lifetime === undefined) throw new Error('a grant should be offered')
  await desk.decide(
    view.id,
    signDecision(
      openView(view, ports.crypto),
      { kind: 'approve', grant: { scope: offer.scope, lifetime } },
      approver.signer,
      { surface: 'test', at: START },
    ),
  )
  await result
  await gate.submit({ id: 'job', tool: 'asked_thing', args: { job: true } })
  await gate.close()
}

function granted(): Call {
  return { tool: 'asked_thing', args: { granted: true }, description: { kind: 'other' } }
}

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
}

/** Every column, as listed by the database. */
function columns(): readonly Column[] {
  const database = new DatabaseSync(join(template, 'home', 'store.db'))
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
    .all()
  const found = tables.flatMap(({ name: table }) =>
    database
      .prepare(`PRAGMA table_info("${table}")`)
      .all()
      .map(({ name, type }) => ({ table: String(table), name: String(name), type: String(type) })),
  )
  database.close()
  return found
}

const DECISION = JSON.stringify({
  held: 'job',
  requestDigest: 'x',
  nonce: 'x',
  decision: { kind: 'approve' },
  approver: 'ana',
  surface: 'x',
  at: 1,
  signature: 'AA==',
})

function hostileValues({ name, type }: Column): readonly SQLInputValue[] {
  if (type === 'BLOB') return [null, new Uint8Array(0), new Uint8Array(300)]
  if (type === 'INTEGER' || type === 'REAL') return [0, -1, 9_007_199_254_740_991]
  if (name === 'state') return ['decided', 'started', 'closed', 'held']
  if (name === 'mode') return ['ask', 'submit']
  return ['', DECISION, "'; --", 'automatic']
}

interface Asked {
  readonly opened: boolean
  readonly effects: readonly string[]
  readonly damaged: boolean
}

/** Opens the edited store as a new process and tries everything an asker can. Nobody approves anything. */
async function askEverything(dir: string): Promise<Asked> {
  const effects: string[] = []
  const clock = simulatedClock(START + 60_000)
  let opened: Awaited<ReturnType<typeof openAt>>
  try {
    opened = await openAt(dir, clock)
  } catch (error) {
    expect(error).toBeInstanceOf(CountersignError)
    expect((error as Error).message).toMatch(/^[^\n]+$/)
    return { opened: false, effects, damaged: true }
  }
  const { gate, desk, ports } = opened
  const leaving = new AbortController()
  const run = (tool: string, args: object) =>
    gate.run({ tool, args, description: { kind: 'other' } }, () => effects.push(tool), leaving.signal)
  const waiting = gate.wait({ kind: 'ticket', callId: 'job' }, leaving.signal)
  const asked = [run('never_thing', {}), run('asked_thing', { other: true }), run('asked_thing', { granted: 'no' })]
  await settled(4)
  await clock.advance(120)
  await desk.list().catch((error: unknown) => expect(error).toBeInstanceOf(CountersignError))
  await desk
    .grants()
    .list()
    .catch((error: unknown) => expect(error).toBeInstanceOf(CountersignError))
  await desk.history().catch((error: unknown) => expect(error).toBeInstanceOf(CountersignError))
  await desk
    .decide('job', JSON.parse(DECISION))
    .catch((error: unknown) => expect(error).toBeInstanceOf(CountersignError))
  leaving.abort()
  const results = await Promise.all([waiting, ...asked])
  for (const result of results) if (result.kind !== 'refusal') effects.push(`let out: ${result.kind}`)
  const verdict = await verifyJournal(ports.store, {
    crypto: ports.crypto,
    publicKeys: [ports.signer.publicKey],
    kept: await ports.heads.kept(),
  }).catch(() => null)
  await gate.close().catch(() => {})
  await ports.store.close().catch(() => {})
  return { opened: true, effects, damaged: verdict?.kind !== 'intact' }
}

let copies = 0

/** An edited copy of the prepared home. False if the database rejects the edit. */
function edited(edit: (database: DatabaseSync) => void): string | false {
  copies += 1
  const dir = join(root, `copy-${copies}`)
  cpSync(template, dir, { recursive: true, preserveTimestamps: true })
  const database = new DatabaseSync(join(dir, 'home', 'store.db'))
  try {
    database.exec('PRAGMA foreign_keys = OFF')
    edit(database)
    return dir
  } catch {
    return false
  } finally {
    database.close()
  }
}

/** Columns of the journal, where every edit must be reported. */
const JOURNAL = new Set([
  'entry.line',
  'entry.leaf',
  'entry.seq',
  'head.size',
  'head.frontier',
  'checkpoint.note',
  'checkpoint.size',
])

describe('L8 at T1: write access to the store’s file does not allow decisions', () => {
  it('an unedited store runs only what the policy and the grant allow', async () => {
    const dir = edited(() => {})
    if (dir === false) throw new Error('nothing was edited')
    expect(await askEverything(dir)).toEqual({ opened: true, effects: [], damaged: false })
    const { gate, ports } = await openAt(dir, simulatedClock(START + 60_000))
    expect(await gate.run(granted(), () => 1)).toMatchObject({ kind: 'completed' })
    await gate.close()
    await ports.store.close()
  })

  it('no hostile value in any column of any table runs a call', async () => {
    const tried: string[] = []
    const all = columns()
    expect(all.length).toBeGreaterThan(40)
    for (const column of all) {
      for (const value of hostileValues(column)) {
        const dir = edited((database) =>
          database.prepare(`UPDATE "${column.table}" SET "${column.name}" = ?`).run(value),
        )
        if (dir === false) continue
        const about = `${column.table}.${column.name} = ${value instanceof Uint8Array ? `${value.length} bytes` : JSON.stringify(value)}`
        tried.push(about)
        const { effects, damaged } = await askEverything(dir)
        expect(effects, about).toEqual([])
        if (JOURNAL.has(`${column.table}.${column.name}`)) expect(damaged, `${about} is reported`).toBe(true)
        rmSync(dir, { recursive: true, force: true })
      }
    }
    expect(tried.length).toBeGreaterThan(60)
  }, 120_000)

  const FORGERIES: { readonly [what: string]: string } = {
    'a held call set to decided': `UPDATE call SET state = 'decided', decision = '${DECISION}' WHERE id = 'job'`,
    'a held call set to decided, without a decision': `UPDATE call SET state = 'decided', decision = NULL WHERE id = 'job'`,
    'a held call changed to automatic': `UPDATE call SET state = 'decided', requestDigest = NULL, supervision = 'automatic', rule = 'free' WHERE id = 'job'`,
    'a held call set to started': `UPDATE call SET state = 'started', owner = '1.0.0' WHERE id = 'job'`,
    'an added decided call of another tool': `INSERT INTO call SELECT NULL, 'forged', session, 'decided', owner, 'submit', 'never_thing', agent, risk, 'automatic', rule, callDigest, requestDigest, summary, sealed, openedAt, expiresAt, '${DECISION}', NULL, NULL, 0, NULL FROM call WHERE id = 'job'`,
    'an added grant for everything': `INSERT INTO standing VALUES (NULL, 'f', NULL, '{"agent":["agent"],"givenAt":1,"givenBy":"ana","id":"f","lifetime":{"kind":"session"},"scope":{"kind":"pattern","when":{"tool":["*"]}},"session":null}', '{"after":0,"seal":"AA==","signed":{}}', 0, NULL, NULL, NULL)`,
    'an active grant with a wider scope': `UPDATE standing SET body = replace(body, '"kind":"exact"', '"kind":"tool","server":null,"tool":"asked_thing","definition":"unbound"')`,
    'deleted counters': 'DELETE FROM counter',
    'deleted numbers of held calls': 'DELETE FROM held',
    'all rows deleted': 'DELETE FROM call; DELETE FROM standing; DELETE FROM counter; DELETE FROM held',
    '1,000 invalid rows': `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO call SELECT NULL, 'x' || i, NULL, 'held', 'me', 'submit', 't', 'a', 'none', 'confirm', 'r', 'd', 'q', 's', x'00', 1, 9007199254740991, NULL, NULL, NULL, 0, NULL FROM n`,
    'a trigger that decides': `CREATE TRIGGER t AFTER INSERT ON call BEGIN UPDATE call SET state = 'decided'; END`,
    'a trigger that drops entries': `CREATE TRIGGER t BEFORE INSERT ON entry BEGIN SELECT RAISE(IGNORE); END`,
    'a view instead of a table': `DROP TABLE counter; CREATE VIEW counter AS SELECT 1 AS session, 1 AS name, 1 AS at, 0 AS amount`,
    'a table without its constraints': `ALTER TABLE call RENAME TO old; CREATE TABLE call AS SELECT * FROM old; DROP TABLE old`,
  }
  for (const [what, sql] of Object.entries(FORGERIES)) {
    it(what, async () => {
      const dir = edited((database) => database.exec(sql))
      if (dir === false) throw new Error(`the edit itself failed: ${sql}`)
      expect((await askEverything(dir)).effects).toEqual([])
    })
  }

  it('a sealed call copied into another row cannot be opened', async () => {
    const dir = edited((database) => {
      database.exec(
        `INSERT INTO call SELECT NULL, 'other', session, state, owner, mode, tool, agent, risk, supervision, rule, callDigest, requestDigest, summary, sealed, openedAt, expiresAt, decision, outcome, closedAt, openedAfter, contain FROM call WHERE id = 'job'`,
      )
    })
    if (dir === false) throw new Error('the edit itself failed')
    const { gate, desk, ports } = await openAt(dir, simulatedClock(START + 60_000))
    expect(await gate.wait({ kind: 'ticket', callId: 'other' })).toMatchObject({
      kind: 'refusal',
      code: 'CS_STORE_SEAL',
    })
    expect((await desk.list()).map(({ id }) => id)).toEqual(['job'])
    await gate.close()
    await ports.store.close()
  })
})
