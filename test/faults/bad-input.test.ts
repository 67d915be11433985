import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CountersignError, createGate, ERRORS, openView, signDecision, verifyJournal } from '@countersign/core'
import {
  type OpenedGate,
  openApprover,
  openGate,
  openHome,
  openPorts,
  openSqliteStore,
  placesOf,
} from '@countersign/node'
import { heldAt } from '@countersign/testing/gate/world'
import { simulatedClock } from '@countersign/testing/simulated-clock'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const isRoot = process.getuid?.() === 0

interface Place {
  readonly home: string
  readonly workspace: string
  open(): Promise<OpenedGate>
}

/** A used home: keys, store, an approver, some entries. */
async function usedHome(used = true): Promise<Place> {
  const root = temporaryFolder()
  const home = join(root, 'home')
  const workspace = join(root, 'project')
  mkdirSync(join(workspace, '.countersign'), { recursive: true })
  writeFileSync(join(workspace, '.countersign', 'policy.yaml'), 'version: 1\n')
  const open = () =>
    openGate({ home, workspace, managed: { folder: join(root, 'managed'), owner: process.getuid?.() ?? 0 } })
  if (used) {
    const { gate } = await open()
    openApprover(openHome(home), { name: 'ana' })
    await gate.run({ tool: 'read_file', args: { path: join(workspace, 'a') } }, () => 1)
    await gate.close()
  }
  return { home, workspace, open }
}

/** One clear line: a documented code, lower case, no stack, no full stop, and the next step after a semicolon or colon. */
function expectClear(error: unknown): void {
  expect(error).toBeInstanceOf(CountersignError)
  const { code, message } = error as CountersignError
  expect(Object.keys(ERRORS)).toContain(code)
  expect(message).toMatch(/^[`a-z][^\n]{10,400}[^.\n]$/)
  expect(message, 'says what to do').toMatch(
    /[;:] .*\b(move|restore|run|remove|check|make|free|update|put|save|split|name|go|keep|correct|use|end|try|pass|open)\b/,
  )
  expect(message).not.toMatch(/at \S+ \(|node:|\.ts:\d/)
}

/** All files below a folder with their bytes, none of which may be lost. */
function contents(folder: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, entry)
    const stats = lstatSync(path)
    if (stats.isFile() && !/-(wal|shm)$|lock\.db$/.test(entry)) found.set(entry, readFileSync(path, 'latin1'))
  }
  return found
}

function edit(home: string, sql: string): void {
  const database = new DatabaseSync(join(home, 'store.db'))
  database.exec(sql)
  database.close()
}

function replaceWithFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path)
}

describe('an unusable home: one clear error line, and no data is lost', () => {
  const UNUSED: { readonly [what: string]: readonly [code: string, spoil: (home: string) => void] } = {
    'the home is a file': ['CS_HOME', (home) => writeFileSync(home, 'mine')],
    'the home is a dangling link': ['CS_HOME', (home) => symlinkSync('/nonexistent/home', home)],
    'the home is a link to itself': ['CS_HOME', (home) => symlinkSync(home, home)],
  }
  for (const [what, [code, spoil]] of Object.entries(UNUSED)) {
    it(`${what}: ${code}`, async () => {
      const { home, open } = await usedHome(false)
      spoil(home)
      const error = await open().catch((thrown: unknown) => thrown)
      expectClear(error)
      expect(error).toMatchObject({ code })
    })
  }

  const key = (name: string) => (home: string) => writeFileSync(join(home, 'keys', name), '{"v":1,"kind":"gate"')
  const SPOILT: { readonly [what: string]: readonly [code: string, spoil: (home: string) => void] } = {
    'the home can be written by everyone': ['CS_HOME', (home) => chmodSync(home, 0o777)],
    'the store is garbage': [
      'CS_STORE_OPEN',
      (home) => writeFileSync(join(home, 'store.db'), 'my diary, not a database\n'.repeat(500)),
    ],
    'the store is a folder': ['CS_STORE_OPEN', (home) => replaceWithFolder(join(home, 'store.db'))],
    'the store is a link': [
      'CS_STORE_OPEN',
      (home) => {
        rmSync(join(home, 'store.db'))
        symlinkSync('/etc/passwd', join(home, 'store.db'))
      },
    ],
    'the store is truncated to half its size': [
      'CS_STORE_OPEN',
      (home) => truncateSync(join(home, 'store.db'), Math.floor(statSync(join(home, 'store.db')).size / 2)),
    ],
    'the store is truncated to its header': ['CS_STORE_OPEN', (home) => truncateSync(join(home, 'store.db'), 100)],
    'the store is open to other users': ['CS_STORE_OPEN', (home) => chmodSync(join(home, 'store.db'), 0o644)],
    'the store has a newer version': ['CS_STORE_VERSION', (home) => edit(home, 'PRAGMA user_version = 99')],
    'the store has no version': ['CS_STORE_VERSION', (home) => edit(home, 'PRAGMA user_version = 0')],
    'the store belongs to another program': ['CS_STORE_OPEN', (home) => edit(home, 'PRAGMA application_id = 7')],
    'the store lacks a table': ['CS_STORE_OPEN', (home) => edit(home, 'DROP TABLE entry')],
    'the store has an extra table': ['CS_STORE_OPEN', (home) => edit(home, 'CREATE TABLE extra (x)')],
    'the store has a trigger': [
      'CS_STORE_OPEN',
      (home) => edit(home, 'CREATE TRIGGER t AFTER INSERT ON call BEGIN SELECT 1; END'),
    ],
    'the store’s head is missing': ['CS_STORE_READ', (home) => edit(home, 'DELETE FROM head')],
    'the store’s log is a folder': ['CS_STORE_OPEN', (home) => replaceWithFolder(join(home, 'store.db-wal'))],
    'the gate’s key is damaged': ['CS_KEY', key('gate.key')],
    'the sealing key is damaged': ['CS_KEY', key('seal.key')],
    'the redaction key is damaged': ['CS_KEY', key('redaction.key')],
    'a key is empty': ['CS_KEY', (home) => writeFileSync(join(home, 'keys', 'gate.key'), '')],
    'a key is binary': [
      'CS_KEY',
      (home) => writeFileSync(join(home, 'keys', 'gate.key'), Buffer.from([0xff, 0xfe, 0])),
    ],
    'a key is a folder': ['CS_KEY', (home) => replaceWithFolder(join(home, 'keys', 'seal.key'))],
    'a key is replaced by another': [
      'CS_KEY',
      (home) => writeFileSync(join(home, 'keys', 'seal.key'), readFileSync(join(home, 'keys', 'gate.key'))),
    ],
    'a key can be read by others': ['CS_KEY', (home) => chmodSync(join(home, 'keys', 'gate.key'), 0o644)],
    'the keys are a file': [
      'CS_KEY',
      (home) => {
        rmSync(join(home, 'keys'), { recursive: true })
        writeFileSync(join(home, 'keys'), '')
      },
    ],
    'the heads are a file': [
      'CS_HOME',
      (home) => {
        rmSync(join(home, 'heads'), { recursive: true })
        writeFileSync(join(home, 'heads'), '')
      },
    ],
  }
  for (const [what, [code, spoil]] of Object.entries(SPOILT)) {
    it(`${what}: ${code}`, async () => {
      const { home, open } = await usedHome()
      spoil(home)
      const before = contents(home)
      const error = await open().catch((thrown: unknown) => thrown)
      expectClear(error)
      expect(error).toMatchObject({ code })
      const after = contents(home)
      for (const [name, bytes] of before) expect(after.get(name) === bytes, `${name} is as it was`).toBe(true)
    })
  }

  it('an invalid workspace: CS_WORKSPACE', async () => {
    const { home } = await usedHome()
    for (const workspace of ['/', '/nonexistent/project', process.execPath, '/proc/self/root']) {
      const error = await openGate({ home, workspace }).catch((thrown: unknown) => thrown)
      expectClear(error)
      expect(error, workspace).toMatchObject({ code: 'CS_WORKSPACE' })
    }
  })

  it('an empty store file starts a new store, and the kept head shows that entries are missing', async () => {
    const { home, open } = await usedHome()
    for (const end of ['-wal', '-shm']) rmSync(join(home, `store.db${end}`), { force: true })
    truncateSync(join(home, 'store.db'), 0)
    const { gate, ports } = await open()
    const verdict = await verifyJournal(ports.store, {
      crypto: ports.crypto,
      publicKeys: [ports.signer.publicKey],
      kept: await ports.heads.kept(),
    })
    expect(verdict).toMatchObject({ kind: 'damaged' })
    await gate.close()
  })
})

describe('optional files: calls are held or cannot be decided until they are repaired', () => {
  const BAD_JSON = {
    garbage: '{{{',
    empty: '',
    'an array': '[]',
    null: 'null',
    'an unknown version': '{"version":2,"approvers":[]}',
    huge: ' '.repeat(2_000_000),
    binary: '\u0000\u0001',
  }

  for (const [what, text] of Object.entries(BAD_JSON)) {
    it(`approvers.json is ${what}: nobody can approve, the error explains why, and the file is kept`, async () => {
      const { home, workspace } = await usedHome()
      const opened = openHome(home)
      const places = placesOf(opened, workspace)
      const ports = await openPorts(opened, places, {
        managed: { folder: join(home, 'none'), owner: 0 },
        clock: simulatedClock(),
      })
      const { gate, desk } = await createGate(ports, { places, session: 'session' })
      const approver = openApprover(opened, { name: 'ana' })
      const leaving = new AbortController()
      let ran = 0
      const result = gate.run({ tool: 'send_report', args: {} }, () => (ran += 1), leaving.signal)
      const [view] = await heldAt(desk)
      if (view === undefined) throw new Error('it should be held')
      writeFileSync(opened.approvers, text, { mode: 0o600 })
      const signed = signDecision(openView(view, ports.crypto), { kind: 'approve' }, approver.signer, {
        surface: 'test',
        at: 1,
      })
      const answer = await desk.decide(view.id, signed).catch((thrown: unknown) => thrown)
      expectClear(answer)
      expect(answer).toMatchObject({ code: 'CS_APPROVERS' })
      leaving.abort()
      expect(await result).toMatchObject({ kind: 'refusal', outcome: 'withdrawn' })
      expect(ran).toBe(0)
      expect(readFileSync(opened.approvers, 'utf8')).toBe(text)
      await gate.close()
    })

    it(`trust.json is ${what}: every call is held, the error explains why, and the file is kept`, async () => {
      const { home, workspace, open } = await usedHome()
      writeFileSync(join(home, 'trust.json'), text, { mode: 0o600 })
      const { gate } = await open()
      const { verdict } = await gate.explain({ tool: 'read_file', args: { path: join(workspace, 'a') } })
      expect(verdict.supervision).toBe('manual')
      expect((await gate.policyProblems())[0]?.message).toMatch(/^`[^\n]*trust\.json` [^\n]*; [a-z]/)
      expect(readFileSync(join(home, 'trust.json'), 'utf8')).toBe(text)
      await gate.close()
    })
  }

  const POLICIES: { readonly [what: string]: (path: string) => void } = {
    'not readable': (path) => {
      if (isRoot) return replaceWithFolder(path) // root can read every file
      writeFileSync(path, 'version: 1\n')
      chmodSync(path, 0o000)
    },
    'a folder': replaceWithFolder,
    'a link to itself': (path) => symlinkSync(path, path),
    'a dangling link': (path) => symlinkSync('/nonexistent', path),
    binary: (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00, 0x01])),
    'too large': (path) => writeFileSync(path, '#'.repeat(300_000)),
    'writable by everyone': (path) => {
      writeFileSync(path, 'version: 1\n')
      chmodSync(path, 0o666)
    },
    'a device': (path) => symlinkSync('/dev/zero', path),
    truncated: (path) => writeFileSync(path, 'version: 1\nrules:\n  - { id: a, tool: '),
  }
  for (const [what, spoil] of Object.entries(POLICIES)) {
    it(`the policy is ${what}: every call is held, and the error tells what to do`, async () => {
      const { home, workspace, open } = await usedHome()
      spoil(join(home, 'policy.yaml'))
      const { gate } = await open()
      const [problem] = await gate.policyProblems()
      expect(problem?.message).toMatch(/^[^\n]{5,400}$/)
      expect(problem?.message).toMatch(/^[`a-z]/)
      const { verdict } = await gate.explain({ tool: 'read_file', args: { path: join(workspace, 'a') } })
      expect(verdict.supervision).toBe('manual')
      await gate.close()
    })
  }

  it('an invalid kept head stops no call, and verification reports it', async () => {
    const { home, open } = await usedHome()
    writeFileSync(join(home, 'heads', 'checkpoints.jsonl'), 'garbage\n')
    const { gate, ports } = await open()
    expect((await gate.run({ tool: 'read_file', args: { path: 'a' } }, () => 1)).kind).toBe('completed')
    expectClear(await ports.heads.kept().catch((thrown: unknown) => thrown))
    await gate.close()
    expect(readFileSync(join(home, 'heads', 'checkpoints.jsonl'), 'utf8')).toBe('garbage\n')
  })
})

describe('a full or read-only disk', () => {
  it('refuses every call with the reason, runs and loses nothing, and recovers once there is room', async () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'project'))
    const home = openHome(join(root, 'home'))
    const places = placesOf(home, join(root, 'project'))
    writeFileSync(home.policy, 'version: 1\ntools: { free_thing: automatic }\n', { mode: 0o600 })
    const ports = await openPorts(home, places, { managed: { folder: join(root, 'managed'), owner: 0 } })
    await ports.store.close()
    const full = await openSqliteStore(home.store, { crypto: ports.crypto, maxPages: 60 })
    const { gate } = await createGate({ ...ports, store: full }, { places, session: 'session' })
    let ran = 0
    let refused = 0
    for (let n = 0; n < 400 && refused < 3; n += 1) {
      const result = await gate.run({ tool: 'free_thing', args: { note: `${n} `.repeat(200) } }, () => (ran += 1))
      if (result.kind !== 'refusal') continue
      refused += 1
      expect(result).toMatchObject({
        outcome: 'refused',
        code: 'CS_STORE_WRITE',
        message: expect.stringContaining('the disk is full; free some space'),
      })
    }
    expect(refused).toBe(3)
    expect(ran).toBeGreaterThan(3)
    await gate.close().catch(() => {})
    await full.close()
    const roomy = await openSqliteStore(home.store, { crypto: ports.crypto })
    const again = await createGate({ ...ports, store: roomy }, { places, session: 'session' })
    expect(await again.gate.run({ tool: 'free_thing', args: {} }, () => 1)).toMatchObject({ kind: 'completed' })
    const started = (await roomy.entries(1, (await roomy.head()).size)).filter(({ line }) =>
      line.includes('"kind":"started"'),
    )
    expect(started).toHaveLength(ran + 1)
    const verdict = await verifyJournal(roomy, {
      crypto: ports.crypto,
      publicKeys: [ports.signer.publicKey],
      kept: await ports.heads.kept(),
    })
    expect(verdict).toMatchObject({ kind: 'intact' })
    await again.gate.close()
  })

  it('a store opened read-only refuses every call and tells what to do', async () => {
    const { home, workspace } = await usedHome()
    const opened = openHome(home)
    const places = placesOf(opened, workspace)
    const ports = await openPorts(opened, places, { managed: { folder: join(home, 'none'), owner: 0 } })
    await ports.store.close()
    const store = await openSqliteStore(opened.store, { crypto: ports.crypto, readOnly: true })
    const error = await createGate({ ...ports, store }, { places, session: 'session' }).catch(
      (thrown: unknown) => thrown,
    )
    expectClear(error)
    const { gate } = await createGate({ ...ports, store }, { places, session: 'session', observer: true })
    let ran = 0
    expect(await gate.run({ tool: 'read_file', args: { path: 'a' } }, () => (ran += 1))).toMatchObject({
      kind: 'refusal',
      code: 'CS_STORE_WRITE',
    })
    expect(ran).toBe(0)
    await store.close()
  })

  it.skipIf(isRoot)('an unwritable folder is named, with the next step', async () => {
    const { home, open } = await usedHome()
    rmSync(join(home, 'store.db'))
    chmodSync(home, 0o500)
    const error = await open().catch((thrown: unknown) => thrown)
    chmodSync(home, 0o700)
    expectClear(error)
  })

  it('a path where no folder can be created', async () => {
    const { home } = await usedHome()
    const { crypto, store } = await openPorts(openHome(home), placesOf(openHome(home), home), {})
    await store.close()
    const error = await openSqliteStore('/proc/nowhere/store.db', { crypto }).catch((thrown: unknown) => thrown)
    expectClear(error)
    expect(existsSync('/proc/nowhere')).toBe(false)
  })
})

describe('invalid calls: refused in one line, and the gate keeps working', () => {
  it('of any shape', async () => {
    const { open } = await usedHome()
    const { gate } = await open()
    const nonsense: readonly unknown[] = [
      undefined,
      null,
      7,
      'rm -rf ~',
      [],
      {},
      { tool: 7 },
      { tool: '' },
      { tool: 'a\nb', args: {} },
      { tool: 'x', args: null },
      { tool: 'x', args: [] },
      { tool: 'x', args: 'text' },
      { tool: 'x', args: {}, id: '../x' },
      { tool: 'x', args: {}, id: '' },
      { tool: 'x', args: {}, cwd: 'relative' },
      { tool: 'x', args: {}, cwd: 7 },
      { tool: 'x', args: {}, agent: 'me' },
      { tool: 'x', args: {}, agent: { name: '' } },
      { tool: 'x', args: {}, said: 7 },
      { tool: 'x', args: {}, source: 'heaven' },
      { tool: 'x', args: {}, requiresConfirmation: 'no' },
      { tool: 'x', args: {}, timeoutMs: -1 },
      { tool: 'x', args: {}, timeoutMs: Number.NaN },
      { tool: 'x', args: {}, description: { kind: 'magic' } },
      { tool: 'x', args: {}, description: 'read' },
      { tool: 'x', args: {}, describe: 'x' },
      { tool: { server: 's' }, args: {} },
      { tool: { name: 'x', server: '' }, args: {} },
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no')
          },
        },
      ),
    ]
    for (const [at, call] of nonsense.entries()) {
      let ran = 0
      const result = await gate.run(call as never, () => (ran += 1))
      expect(result, `call ${at}`).toMatchObject({ kind: 'refusal', outcome: 'refused' })
      if (result.kind === 'refusal') expect(result.message).toMatch(/^[`a-z][^\n]{5,400}$/)
      expect(ran).toBe(0)
      await expect(gate.submit(call as never)).rejects.toBeInstanceOf(CountersignError)
    }
    expect((await gate.run({ tool: 'read_file', args: { path: 'a' } }, () => 1)).kind).toBe('completed')
    await gate.close()
  })
})
