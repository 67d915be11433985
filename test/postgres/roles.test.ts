import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson, type Decision, leafHash, openView, signDecision, verifyJournal } from '@countersign/core'
import { makeApprover, openApprover, openGate, openHome, writeStoreSetting } from '@countersign/node'
import { parseStoreAddress } from '@countersign/postgres'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY =
  'version: 1\nrules:\n  - { tool: jot, supervision: automatic }\n  - { tool: ship, supervision: confirm }\n'

describe.skipIf(missingPostgres())('the database roles of a store', () => {
  const server = usePostgres()

  async function place() {
    const cwd = temporaryFolder()
    const workspace = join(cwd, 'project')
    mkdirSync(workspace)
    const home = openHome(join(cwd, 'home'))
    writeFileSync(home.policy, POLICY, { mode: 0o600 })
    const address = server.freshAddress()
    const run = (...words: readonly string[]) => runInProcess(words, { cwd, home: home.dir })
    await run('store', 'migrate', address)
    await run('store', 'use', address)
    expect(await run('store', 'roles', address)).toMatchObject({ code: 0, stdout: expect.stringContaining('_asker') })
    const { schema } = parseStoreAddress(address)
    const open = async () => {
      const opened = await openGate({ home, workspace })
      onTestFinished(() => opened.gate.close().catch(() => {}))
      return opened
    }
    return { home, workspace, address, schema, run, open }
  }

  it('are created by nobody who may not, with what to do instead', async () => {
    const { address, schema, run } = await place()
    const url = new URL(address)
    url.username = `plain_${schema}`
    const { user, database, servers } = parseStoreAddress(address)
    const owner = new pg.Client({ user, database, ...servers[0] })
    await owner.connect()
    await owner.query(`CREATE ROLE "${url.username}" LOGIN; GRANT USAGE ON SCHEMA "${schema}" TO "${url.username}"`)
    await owner.end()
    expect(await run('store', 'roles', url.href)).toMatchObject({
      code: 125,
      stderr: expect.stringMatching(/may not create roles.*`countersign store roles --print`/),
    })
  })

  /** Somebody with a login of this role and any SQL client. */
  async function login(address: string, schema: string, role: 'asker' | 'desk' | 'auditor') {
    const name = `${role}_${schema}`
    const { user, database, servers } = parseStoreAddress(address)
    const place = { database, ...servers[0] }
    const owner = new pg.Client({ user, ...place })
    await owner.connect()
    await owner.query(`CREATE ROLE "${name}" LOGIN IN ROLE "${schema}_${role}"`)
    await owner.end()
    const url = new URL(address)
    url.username = name
    const client = new pg.Client({ user: name, ...place })
    await client.connect()
    onTestFinished(() => client.end())
    const table = (one: string) => `"${schema}"."${one}"`
    return { client, table, address: url.href }
  }

  it('are enough for a gate to hold, decide and run calls', async () => {
    const { home, workspace, address, schema } = await place()
    const approver = openApprover(home, { name: 'ana' })
    await (await openGate({ home, workspace })).gate.close() // the owner begins, and puts ana on the list
    for (const role of ['asker', 'desk'] as const) {
      writeStoreSetting(home, (await login(address, schema, role)).address)
      const { gate, desk, ports } = await openGate({ home, workspace })
      const running = gate.run({ tool: 'ship', args: { role } }, () => 'shipped')
      const view = await until('the held call', async () => (await desk.list())[0])
      const [offer] = view.offers
      const grant = offer && { scope: offer.scope, lifetime: { kind: 'uses', uses: 2 } }
      const decision = { kind: 'approve', ...(grant && { grant }) } as Decision
      const signed = signDecision(openView(view, ports.crypto), decision, approver.signer, {
        surface: 'test',
        at: Date.now(),
      })
      await desk.decide(view.id, signed)
      expect(await running).toMatchObject({ kind: 'completed', value: 'shipped' })
      if (grant) expect(await desk.grants().list()).toHaveLength(1)
      expect((await gate.run({ tool: 'jot', args: {} }, () => 'ran')).kind).toBe('completed')
      await gate.close()
    }
  })

  it('let an asker neither change the journal nor enroll, admit or archive', async () => {
    const { address, schema, open } = await place()
    const opened = await open()
    await opened.gate.run({ tool: 'jot', args: {} }, () => 'ran')
    const { client, table } = await login(address, schema, 'asker')
    const denied = [
      `UPDATE ${table('entry')} SET line = 'x'`,
      `DELETE FROM ${table('entry')}`,
      `TRUNCATE ${table('entry')}`,
      `UPDATE ${table('checkpoint')} SET note = 'x'`,
      `DELETE FROM ${table('checkpoint')}`,
      `INSERT INTO ${table('span')} VALUES (0, 1, '')`,
      `INSERT INTO ${table('gate_list')} VALUES (2, 'x')`,
      `UPDATE ${table('gate_list')} SET body = 'x'`,
      `DELETE FROM ${table('gate_list')}`,
      `UPDATE ${table('gate_request')} SET answer = 'x'`,
      `UPDATE ${table('head')} SET version = 9`,
      `DELETE FROM ${table('head')}`,
      `DELETE FROM ${table('call')}`,
      `DELETE FROM ${table('standing')}`,
      `UPDATE ${table('standing')} SET body = 'x'`,
      `ALTER TABLE ${table('entry')} ADD COLUMN x int`,
      `CREATE TABLE ${table('mine')} (x int)`,
      `CREATE TRIGGER t BEFORE INSERT ON ${table('entry')} EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
    ]
    for (const sql of denied) await expect(client.query(sql), sql).rejects.toMatchObject({ code: '42501' })
  })

  it('let an auditor read the journal and nothing else', async () => {
    const { address, schema } = await place()
    const { client, table } = await login(address, schema, 'auditor')
    expect((await client.query(`SELECT line FROM ${table('entry')}`)).rows.length).toBeGreaterThan(0)
    for (const sql of [`SELECT * FROM ${table('call')}`, `INSERT INTO ${table('entry')} VALUES (999, NULL, 'x', 'y')`])
      await expect(client.query(sql), sql).rejects.toMatchObject({ code: '42501' })
  })

  it('do not let an asker decide, whatever it writes into the row of a call', async () => {
    const { home, address, schema, open } = await place()
    const opened = await open()
    openApprover(home, { name: 'ana' })
    let ran = 0
    const leaving = new AbortController()
    const running = opened.gate.run({ tool: 'ship', args: {} }, () => (ran += 1), leaving.signal)
    const view = await until('the held call', async () => (await opened.desk.list())[0])
    const { client, table } = await login(address, schema, 'asker')
    const stranger = openHome(join(temporaryFolder(), 'stranger'))
    const own = makeApprover(stranger, { name: 'ana' }).signer
    const signed = signDecision(openView(view, opened.ports.crypto), { kind: 'approve' }, own, {
      surface: 'x',
      at: Date.now(),
    })
    const sealed = opened.ports.crypto.seal(canonicalJson(signed as never))
    const forged = [canonicalJson(signed as never), Buffer.from(sealed).toString('base64'), '{"approved":true}', '']
    const refusals = async () =>
      (await opened.ports.store.entriesOf(view.id)).filter(({ line }) => line.includes('"decision-refused"')).length
    for (const decision of forged) {
      await client.query(`UPDATE ${table('call')} SET state = 'decided', decision = $1 WHERE id = $2`, [
        decision,
        view.id,
      ])
      await client.query(`UPDATE ${table('head')} SET revision = revision + 1`)
      await until('the refusal', async () => (await refusals()) > 0)
      const back = `UPDATE ${table('call')} SET state = 'held', decision = NULL WHERE id = $1 AND state = 'decided'`
      await client.query(back, [view.id])
    }
    leaving.abort()
    expect(await running).toMatchObject({ kind: 'refusal' })
    expect(ran).toBe(0)
  })

  it('do not let an asker grant, or shorten the journal unseen', async () => {
    const { address, schema, open } = await place()
    const opened = await open()
    const { client, table } = await login(address, schema, 'asker')
    await client.query(
      `INSERT INTO ${table('standing')} (id, body, decision, uses) VALUES ('g', $1, '{"signed":{},"after":0,"key":"k","owner":"o","seal":"AAAA"}', 0)`,
      ['{"id":"g","scope":{"kind":"server","server":null},"lifetime":{"kind":"session"}}'],
    )
    expect(await opened.desk.grants().list()).toEqual([])

    const { store, crypto, signer, gates } = opened.ports
    await opened.gate.run({ tool: 'jot', args: {} }, () => 'ran')
    const { size } = await store.head()
    const line = '{"kind":"approved-by-ana"}'
    await client.query(`INSERT INTO ${table('entry')} VALUES ($1, NULL, $2, $3)`, [
      size + 1,
      line,
      leafHash(line, crypto),
    ])
    const keys = { origin: gates?.origin ?? '', publicKeys: [signer.publicKey] }
    expect(await verifyJournal(store, { crypto, ...keys })).toMatchObject({ kind: 'damaged' })
    await client.query(`UPDATE ${table('head')} SET size = 1`)
    expect(await opened.gate.run({ tool: 'jot', args: {} }, () => 'ran')).toMatchObject({ kind: 'refusal' })
  })

  it('are printed for a database administrator, and made again without harm', async () => {
    const { run, address } = await place()
    expect((await run('store', 'roles', address)).code).toBe(0)
    const printed = (await run('store', 'roles', '--print', address)).stdout
    expect(printed).toMatch(/GRANT SELECT, INSERT ON ".*"\."entry" TO ".*_asker";/)
    expect(printed).not.toMatch(/(UPDATE|DELETE)[^;]*"entry"/)
  })
})
