import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createGate, draftEntry, openView, signDecision, verifyJournal } from '@countersign/core'
import { builtinCheckers, type Home, openApprover, openHome, openPorts, placesOf } from '@countersign/node'
import { COMMAND_ENV } from '@countersign/testing/command/command'
import { simulatedClock } from '@countersign/testing/simulated-clock'
import { oldHome as homeOf, WRITTEN_AT, WRITTEN_IN } from '@countersign/testing/store-v1/old-home'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const CHILD = join(import.meta.dirname, '..', 'support', 'store-v1', 'update-child.ts')
const COPY = /^store\.v[12]\.\d{8}T\d{9}Z\.db$/

function copies(home: Home): readonly string[] {
  return readdirSync(home.dir)
    .filter((name) => COPY.test(name))
    .map((name) => join(home.dir, name))
}

function rows(file: string, sql: string): readonly Record<string, unknown>[] {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

const versionOf = (file: string) => rows(file, 'PRAGMA user_version')[0]?.['user_version']
const callsOf = (file: string) => rows(file, 'SELECT * FROM call ORDER BY rowid')
const linesOf = (file: string) => rows(file, 'SELECT seq, line, leaf FROM entry ORDER BY seq')

async function open(home: Home, at?: string) {
  const clock = simulatedClock(WRITTEN_AT + 60_000)
  const workspace = join(dirname(home.dir), 'project')
  mkdirSync(workspace, { recursive: true })
  const places = { ...placesOf(home, workspace), ...(at === undefined ? {} : { workspace: at }) }
  const managed = { folder: join(dirname(home.dir), 'managed'), owner: process.getuid?.() ?? 0 }
  const ports = await openPorts(home, places, { clock, managed })
  const opened = await createGate(ports, { places, session: 'session', checkers: builtinCheckers(ports) })
  onTestFinished(async () => {
    await opened.gate.close()
    await ports.store.close()
  })
  return { ...opened, ports, clock }
}

async function expectIntact(home: Home): Promise<void> {
  const { ports, desk } = await open(home)
  expect(
    await verifyJournal(ports.store, {
      crypto: ports.crypto,
      publicKeys: [ports.signer.publicKey],
      kept: await ports.heads.kept(),
    }),
  ).toMatchObject({ kind: 'intact' })
  expect((await desk.list()).map(({ id }) => id).sort()).toEqual(['big', 'waiting'])
}

/** Adds calls of an earlier time to the store, so that a copy takes a while. */
function grow(home: Home, count: number): void {
  const db = new DatabaseSync(home.store)
  const columns =
    'session, state, owner, mode, tool, agent, risk, supervision, rule, callDigest, summary, openedAt, openedAfter'
  db.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) ` +
      `INSERT INTO call (id, ${columns}) SELECT 'more-' || i, ${columns} FROM n, call WHERE id = 'read'`,
  )
  db.close()
}

/** Runs a program that opens the store; resolves to what it printed, or how it ended. */
function child(home: Home, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=countersign-source', CHILD, home.dir, ...args],
      { timeout: 60_000, env: COMMAND_ENV },
      (error, stdout, stderr) => resolve(error === null ? stdout : `${error.signal ?? error.code} ${stderr}`),
    )
  })
}

describe.each([1, 2] as const)('a store of version %i', (version) => {
  const oldHome = (folder: string): Home => homeOf(folder, version)

  it('is updated with all that is in it, after a private copy was made beside it', async () => {
    const home = oldHome(temporaryFolder())
    const before = { calls: callsOf(home.store), lines: linesOf(home.store) }
    const { ports, desk } = await open(home)
    expect(versionOf(home.store)).toBe(3)
    expect(callsOf(home.store)).toEqual(before.calls.map((call) => ({ contain: null, ...call })))
    expect(linesOf(home.store).slice(0, before.lines.length)).toEqual(before.lines)
    expect((await desk.past('granted'))?.contain).toBeNull()
    expect(await ports.store.grants()).toMatchObject([{ uses: 0 }])
    expect(await ports.store.counted('all', 'calls', 0)).toBe(version + 1)
    expect(await ports.store.changedWorkspaces()).toEqual([])

    const [copy = '', ...more] = copies(home)
    expect(more).toEqual([])
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(versionOf(copy)).toBe(version)
    expect(callsOf(copy)).toEqual(before.calls)
    expect(linesOf(copy)).toEqual(before.lines)
    await expectIntact(home)
    expect(copies(home)).toHaveLength(1)
  })

  it('keeps its held calls decidable and its approved calls runnable', async () => {
    const home = oldHome(temporaryFolder())
    const { desk, gate, ports, clock } = await open(home, WRITTEN_IN)
    const view = await desk.view('waiting')
    if (view === undefined) throw new Error('the held call is gone')
    const { signer } = openApprover(home, { name: 'ana' })
    const signed = signDecision(openView(view, ports.crypto), { kind: 'approve' }, signer, {
      surface: 'test',
      at: clock.now(),
    })
    expect(await desk.decide('waiting', signed)).toMatchObject({ accepted: true })
    for (const callId of ['waiting', 'approved'])
      expect(await gate.wait({ kind: 'ticket', callId }), callId).toMatchObject({ kind: 'permit' })
  })

  it('has the same tables after an update as a new one', async () => {
    const old = oldHome(temporaryFolder())
    const fresh = openHome(join(temporaryFolder(), 'home'))
    await open(old)
    await open(fresh)
    const sql = 'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name'
    expect(rows(old.store, sql)).toEqual(rows(fresh.store, sql))
  })

  it.each(['locked', 'copied', 'changed', 'checked'])('survives a kill once the update is %s', async (step) => {
    const home = oldHome(temporaryFolder())
    const before = callsOf(home.store)
    expect(await child(home, 'kill', step)).toMatch(/^SIGKILL/)
    expect(versionOf(home.store)).toBe(version)
    expect(callsOf(home.store)).toEqual(before)
    await expectIntact(home)
    expect(versionOf(home.store)).toBe(3)
  })

  it('survives a kill in the middle of the copy, and removes the unfinished copy', async () => {
    const home = oldHome(temporaryFolder())
    grow(home, 60_000)
    const running = spawn(process.execPath, ['--conditions=countersign-source', CHILD, home.dir, 'open'], {
      env: COMMAND_ENV,
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => running.once('exit', resolve))
    await until(
      'a copy',
      () => readdirSync(home.dir).some((name) => name.startsWith(`store.v${version}.`)) || undefined,
    )
    running.kill('SIGKILL')
    await ended
    expect(await child(home, 'open')).toBe('open\n')
    expect(versionOf(home.store)).toBe(3)
    expect(readdirSync(home.dir).filter((name) => name.includes('.tmp'))).toEqual([])
    for (const copy of copies(home)) expect(rows(copy, 'PRAGMA quick_check')).toEqual([{ quick_check: 'ok' }])
  })

  it('is updated once when several programs open it at the same time', async () => {
    const home = oldHome(temporaryFolder())
    const size = linesOf(home.store).length
    const printed = await Promise.all(['1', '2', '3', '4'].map((name) => child(home, 'write', name)))
    expect(printed).toEqual(Array(4).fill('wrote 50\n'))
    expect(copies(home)).toHaveLength(1)
    expect(linesOf(home.store)).toHaveLength(size + 200)
    await expectIntact(home)
  })

  it('stays as it was if the update fails, and says so in one line', async () => {
    const home = oldHome(temporaryFolder())
    const before = callsOf(home.store)
    const printed = await child(home, 'fail', 'changed')
    expect(printed).toMatch(
      /^CS_STORE_OPEN cannot update the store `[^`]+` from version [12] to 3, and left it unchanged[^\n]*\n$/,
    )
    expect(versionOf(home.store)).toBe(version)
    expect(callsOf(home.store)).toEqual(before)
    expect(copies(home)).toHaveLength(1)
  })

  it('stays as it was if there is no room for the copy', async () => {
    const home = oldHome(temporaryFolder())
    grow(home, 5000)
    const printed = await new Promise<string>((resolve) => {
      const command = `ulimit -f 64; exec "$0" --conditions=countersign-source "$1" "$2" open`
      execFile('bash', ['-c', command, process.execPath, CHILD, home.dir], { env: COMMAND_ENV }, (_, stdout) =>
        resolve(stdout),
      )
    })
    expect(printed).toMatch(/^CS_STORE_OPEN cannot update the store [^\n]*unchanged: [^\n]+\n$/)
    expect(versionOf(home.store)).toBe(version)
    expect(readdirSync(home.dir).filter((name) => name.startsWith(`store.v${version}`))).toEqual([])
    expect(await child(home, 'open')).toBe('open\n')
  })

  it('is refused untouched if its tables are not those of its version', async () => {
    const home = oldHome(temporaryFolder())
    const db = new DatabaseSync(home.store)
    db.exec('CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM standing; END')
    db.close()
    await expect(open(home)).rejects.toMatchObject({ code: 'CS_STORE_OPEN' })
    expect(versionOf(home.store)).toBe(version)
  })
})

describe('a program that runs while another version updates its store', () => {
  it('stops reading and writing at once, in one line that says what to do', async () => {
    const home = openHome(join(temporaryFolder(), 'home'))
    const { ports, gate } = await open(home)
    const newer = new DatabaseSync(home.store)
    newer.exec('ALTER TABLE call ADD COLUMN more TEXT; PRAGMA user_version = 4')
    newer.close()
    const size = linesOf(home.store).length
    const refused = {
      code: 'CS_STORE_VERSION',
      message: expect.stringMatching(/^[^\n]+update this program and restart it$/),
    }
    await expect(ports.store.head()).rejects.toMatchObject(refused)
    await expect(
      ports.store.commit({ entries: [draftEntry({ kind: 'notice', call: null }, 1)], durable: false }),
    ).rejects.toMatchObject(refused)
    let ran = false
    const result = await gate.run({ tool: 'read_file', args: { path: '/etc/hostname' } }, () => {
      ran = true
    })
    expect(result).toMatchObject({ kind: 'refusal', ...refused })
    expect(ran).toBe(false)
    expect(linesOf(home.store)).toHaveLength(size)
  })
})
