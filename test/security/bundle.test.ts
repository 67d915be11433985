import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Call, draftEntry, keyFingerprint, publicFields, signCheckpoint } from '@countersign/core'
import { openGateKey, openHome, verifyBundleFile } from '@countersign/node'
import { crypto } from '@countersign/testing/bundle/crypto'
import { archiveOf, type Files, member, pack, signAgain, unpack } from '@countersign/testing/bundle/tar'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { oldHome } from '@countersign/testing/store-v1/old-home'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const POLICY = 'version: 1\nrules:\n  - { id: free, tool: free_thing, supervision: automatic }\n'
const SEND: Call = {
  tool: 'send_report',
  args: { to: '=HYPERLINK("http://evil.example")' },
  description: { kind: 'send' },
}

/** A bundle of entries from the middle of a journal with decisions, keys and two policies. */
const made = { folder: '', whole: Buffer.alloc(0), middle: Buffer.alloc(0), fingerprint: '' }
afterAll(() => rmSync(made.folder, { recursive: true, force: true }))

let gateKey: ReturnType<typeof openGateKey>

beforeAll(async () => {
  const world = await openWorld({ policy: POLICY })
  const { home, ports } = world
  await ports.store.commit({
    entries: [
      draftEntry(
        {
          kind: 'key-made',
          call: null,
          key: world.approver.approver.id,
          name: 'ana',
          of: 'ed25519',
          ...publicFields(world.approver.approver),
        },
        1,
      ),
    ],
    durable: true,
  })
  await decided(world, { kind: 'approve', reason: 'fine' })
  const other = await world.another()
  await other.gate.close() // signs a checkpoint
  await world.gate.run({ tool: 'free_thing', args: { n: 1 } }, () => 1)
  writeFileSync(home.policy, `${POLICY}  - { id: never, tool: never_thing, supervision: deny }\n`, { mode: 0o600 })
  await world.gate.run({ tool: 'never_thing', args: {} }, () => 1)
  await decided(world, { kind: 'reject', reason: 'the password=hunter2hunter2 is in it' })
  await decided(world, { kind: 'approve', edited: { to: 'board' } })
  await world.gate.close()
  made.folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  const at = { cwd: made.folder, home: home.dir }
  const whole = await runInProcess(['journal', 'export', '--bundle', 'whole.tar'], at)
  expect(whole).toMatchObject({ code: 0 })
  made.fingerprint = /key: ([0-9a-f]{64})/.exec(whole.stdout)?.[1] ?? ''
  expect((await runInProcess('journal export --bundle middle.tar --from 7 --to 20'.split(' '), at)).code).toBe(0)
  made.whole = readFileSync(join(made.folder, 'whole.tar'))
  made.middle = readFileSync(join(made.folder, 'middle.tar'))
  gateKey = openGateKey(home)
  await world.close()
})

async function decided(world: World, decision: Parameters<World['decide']>[1]): Promise<void> {
  const result = world.gate.run(SEND, () => 1)
  expect(await world.decide(await onlyHeld(world), decision)).toMatchObject({ accepted: true })
  await result
}

let written = 0
/** One line about a bundle: `intact`, or the damage. */
async function verdictOf(archive: Buffer, key?: string): Promise<string> {
  const path = join(made.folder, `${written++}.tar`)
  writeFileSync(path, archive)
  const verdict = await verifyBundleFile(path, key)
  if (verdict.kind === 'intact') return 'intact'
  const message = verdict.kind === 'damaged' ? verdict.message : verdict.problems.join('; ')
  expect(message).not.toContain('\n')
  return message
}

/** The middle bundle with one file changed. */
function edited(name: string, change: (text: string) => string): Files {
  const files = unpack(made.middle)
  const before = String(files.get(name))
  const after = change(before)
  expect(after).not.toBe(before)
  return files.set(name, Buffer.from(after))
}

const lines = (text: string) => text.trimEnd().split('\n')
const joined = (all: readonly string[]) => `${all.join('\n')}\n`

describe('A29: a bundle', () => {
  it('is proven as far as its parts go, and says what is only trusted', async () => {
    for (const archive of [made.whole, made.middle]) expect(await verdictOf(archive, made.fingerprint)).toBe('intact')
    const verdict = await verifyBundleFile(join(made.folder, 'whole.tar'))
    expect(verdict).toMatchObject({
      kind: 'intact',
      facts: {
        isKeyGiven: false,
        fingerprint: made.fingerprint,
        entries: { decisions: { all: 3, signed: 2, redacted: 1, noNonce: 0, noKey: 0 }, unrecorded: [], unproven: 0 },
        policies: { missing: [] },
      },
    })
    expect([...unpack(made.whole).keys()].filter((name) => name.startsWith('policies/')).length).toBeGreaterThan(1)
  })

  it('shows each changed byte', async () => {
    const { middle } = made
    // Every byte of headers, lists and signatures, and every 97th of the rest.
    for (let at = 0; at < middle.length; at += at % 512 < 160 ? 13 : 97) {
      const archive = Buffer.from(middle)
      archive[at] = (archive[at] ?? 0) ^ 1
      expect(await verdictOf(archive), `byte ${at}`).not.toBe('intact')
    }
  })

  it('shows where it is cut off, and what is appended', async () => {
    const { middle } = made
    for (const length of [0, 1, 511, 512, 1000, middle.length - 1024, middle.length - 512, middle.length - 1])
      expect(await verdictOf(middle.subarray(0, length)), `${length} bytes`).toMatch(/cut off|not a bundle|missing/)
    expect(await verdictOf(Buffer.concat([middle, Buffer.alloc(512)]))).toContain('bytes after its end')
    expect(await verdictOf(Buffer.concat([middle, Buffer.from('x')]))).toContain('bytes after its end')
  })

  it('is compared with the key that the reader knows', async () => {
    const home = openHome(join(temporaryFolder(), 'home'))
    const other = openGateKey(home)
    // A journal that machines share names all of its gates, which is checked first.
    const whyFor = (own: string) => (unpack(made.middle).has('gates.jsonl') ? 'it is that of the journal' : own)
    const resigned = signAgain(unpack(made.middle), other)
    expect(await verdictOf(pack(resigned))).toContain(whyFor('its gate key is not the one of the manifest'))
    const [id, fingerprint] = [other.keyId, keyFingerprint(other.publicKey, crypto)]
    const keys = edited('keys.json', (text) =>
      text.replace(
        /"gate":.*$/m,
        `"gate":[{"fingerprint":"${fingerprint}","id":"${id}","publicKey":"${other.publicKey}"}]}`,
      ),
    )
    expect(await verdictOf(pack(signAgain(keys, other)))).toContain(whyFor('is not signed by the gate’s key'))
    expect(await verdictOf(made.middle, 'f'.repeat(64))).toContain('signed by another gate')
    const signature = edited('manifest.sig', () => `${other.sign('x')}\n`)
    expect(await verdictOf(pack(signature))).toContain('the manifest is not signed by the gate’s key')
  })

  it('does not take what another version would mean', async () => {
    const files = signAgain(unpack(made.middle), gateKey, (manifest) => {
      manifest.v = 2
    })
    expect(await verdictOf(pack(files))).toContain('format version `2` is unknown')
    expect(await verdictOf(gzipSync(made.middle))).toContain('the archive is compressed')
    expect(await verdictOf(Buffer.from('PK\u0003\u0004'.padEnd(2048)))).toBe('this is not a bundle')
  })
})

describe('A29: a bundle that is signed again with the gate’s own key', () => {
  const entries = 'entries.jsonl'
  const CHANGES: {
    readonly [what: string]: readonly [file: string, change: (text: string) => string, message: RegExp]
  } = {
    'a dropped entry': [entries, (text) => joined(lines(text).toSpliced(3, 1)), /entry 10: missing/],
    'the last entry dropped': [entries, (text) => joined(lines(text).slice(0, -1)), /it ends at entry 19/],
    'an added entry': [
      entries,
      (text) => joined([...lines(text), '{"at":1,"call":null,"kind":"notice","seq":21,"v":1}']),
      /goes on after entry 20/,
    ],
    'a doubled entry': [
      entries,
      (text) => joined(lines(text).toSpliced(4, 0, lines(text)[3] ?? '')),
      /entry 11: doubled/,
    ],
    'swapped entries': [
      entries,
      (text) => joined(lines(text).toSpliced(2, 2, lines(text)[3] ?? '', lines(text)[2] ?? '')),
      /entry 9: swapped/,
    ],
    'a changed entry': [
      entries,
      (text) => text.replace('"decision":"reject"', '"decision":"approve"'),
      /was(?:re)? (?:not signed|changed)|do(?:es)? not fit|is not signed by key/,
    ],
    'a line cut off': [entries, (text) => text.slice(0, -1), /last line is cut off/],
    'a changed hash of other entries': [
      'tree.jsonl',
      (text) => text.replace(/"nodes":"./, '"nodes":"-'),
      /missing|hashes/,
    ],
    'another hash of other entries': [
      'tree.jsonl',
      (text) => text.replace(/"nodes":"(.)/, (_, digit) => `"nodes":"${digit === '0' ? '1' : '0'}`),
      /does not fit/,
    ],
    'hashes without the rest': [
      'tree.jsonl',
      (text) => joined(lines(text).slice(0, -1)),
      /before the head of the manifest/,
    ],
    'another place of the entries': [
      'tree.jsonl',
      (text) => text.replace('[7,20]', '[8,20]'),
      /not where the manifest places them/,
    ],
    'a hidden key entry': [
      'tree.jsonl',
      (text) => joined(lines(text).filter((line) => !line.includes('key-made'))),
      /missing|before the head/,
    ],
    'a dropped checkpoint that signs the head': [
      'checkpoints.jsonl',
      (text) => joined(lines(text).slice(0, -1)),
      /no checkpoint signs the head/,
    ],
    'a checkpoint that is not signed': [
      'checkpoints.jsonl',
      (text) => text.replace(/(\\n\\n— \S+ )(.{10})/, '$1AAAAAAAAAA'),
      /signature is not valid/,
    ],
    'a call renamed in the table': [
      'calls.csv',
      (text) => text.replace('"send_report"', '"read_report"'),
      /rows are not what the entries say/,
    ],
    'a decision deleted from the table': [
      'decisions.csv',
      (text) => text.split('\r\n').toSpliced(1, 1).join('\r\n'),
      /rows are not what the entries say/,
    ],
    'an approver’s key replaced': [
      'keys.json',
      (text) => text.replace(/"publicKey":"[^"]+"/, `"publicKey":"${Buffer.alloc(32, 7).toString('base64')}"`),
      /id does not belong to its key/,
    ],
    'an approver that was never enrolled there': [
      'keys.json',
      (text) => text.replace(/"enrolled":\d+/, '"enrolled":null'),
      /was not enrolled in the entry it names/,
    ],
  }

  it.each(Object.entries(CHANGES))('shows %s', async (_, [file, change, message]) => {
    const files = edited(file, change)
    expect(await verdictOf(pack(files))).not.toBe('intact')
    expect(await verdictOf(pack(signAgain(files, gateKey)))).toMatch(message)
  })

  it('shows a changed policy text, and a policy that no call had', async () => {
    const [name = ''] = [...unpack(made.middle).keys()].filter((one) => one.startsWith('policies/'))
    expect(
      await verdictOf(
        pack(
          signAgain(
            edited(name, (text) => `${text} `),
            gateKey,
          ),
        ),
      ),
    ).toContain('not the policy version in its name')
    const foreign = `policies/${crypto.sha256('x')}.json`
    const more = new Map(unpack(made.middle)).set(foreign, Buffer.from('x'))
    expect(await verdictOf(pack(more))).toContain('does not list it')
    expect(await verdictOf(pack(signAgain(more, gateKey)))).toContain('no entry names this policy version')
  })

  it('shows a checkpoint of another history, and a head that was not reached', async () => {
    const fork = signCheckpoint({ size: 6, frontier: 'a'.repeat(128) }, gateKey, crypto, `countersign/${gateKey.keyId}`)
    const forked = edited('checkpoints.jsonl', (text) => `${JSON.stringify(fork)}\n${text}`)
    expect(await verdictOf(pack(signAgain(forked, gateKey)))).toContain('does not fit')
    const ahead = signCheckpoint(
      { size: 1024, frontier: 'a'.repeat(64) },
      gateKey,
      crypto,
      `countersign/${gateKey.keyId}`,
    )
    const further = edited('checkpoints.jsonl', (text) => `${text}${JSON.stringify(ahead)}\n`)
    expect(await verdictOf(pack(signAgain(further, gateKey)))).toContain('newer than the manifest')
  })

  it('shows a smaller range or head than was exported', async () => {
    const shorter = signAgain(unpack(made.middle), gateKey, (manifest) => {
      manifest.range = { from: 7, through: 19 }
    })
    expect(await verdictOf(pack(shorter))).toContain('not where the manifest places them')
    const earlier = signAgain(unpack(made.middle), gateKey, (manifest) => {
      manifest.head = { ...manifest.head, size: manifest.head.size - 1 }
    })
    expect(await verdictOf(pack(earlier))).not.toBe('intact')
  })
})

describe('A27: the archive of a bundle', () => {
  const middle = () => unpack(made.middle)
  const members = (files: Files) => [...files].map(([name, content]) => member(name, content))

  it.each([
    ['../escape.txt', 'a bundle has no file `../escape.txt`'],
    ['/etc/passwd', 'a bundle has no file `/etc/passwd`'],
    ['policies/../../x.json', 'a bundle has no file'],
    ['notes.txt', 'a bundle has no file `notes.txt`'],
    ['\u001b[2Jentries.jsonl', 'a bundle has no file `⟦ESC⟧[2Jentries.jsonl`'],
  ])('has no file %j', async (name, message) => {
    expect(await verdictOf(archiveOf([...members(middle()), member(name, Buffer.from('x'))]))).toContain(message)
  })

  it.each(['1', '2', '5', 'x', 'L', '\0'])('has no member of type %j', async (type) => {
    const files = middle()
    files.delete('README.txt')
    const archive = archiveOf([member('README.txt', Buffer.alloc(0), { type, link: 'keys.json' }), ...members(files)])
    expect(await verdictOf(archive)).toContain('`README.txt` is a link or a folder')
  })

  it('has no file twice, none missing and none that is larger than the archive', async () => {
    const readme = member('README.txt', Buffer.from('other'))
    expect(await verdictOf(archiveOf([...members(middle()), readme]))).toBe('the archive has `README.txt` twice')
    const without = middle()
    without.delete('keys.json')
    expect(await verdictOf(pack(without))).toContain('`keys.json`: it is missing')
    const huge = member('README.txt', Buffer.alloc(0), { size: 8 ** 11 - 1 })
    expect(await verdictOf(archiveOf([huge]))).toContain('cut off within `README.txt`')
  })

  it('hides nothing between its files', async () => {
    const files = middle()
    const readme = files.get('README.txt') ?? Buffer.alloc(0)
    const archive = Buffer.from(pack(files))
    archive[512 + readme.length] = 65
    expect(await verdictOf(archive)).toContain('hidden bytes after `README.txt`')
  })

  it('has files of bounded size where they are read whole', async () => {
    const files = edited('keys.json', (text) => `${text}${' '.repeat(9_000_000)}`)
    expect(await verdictOf(pack(signAgain(files, gateKey)))).toContain('`keys.json`: it is too large')
    const endless = edited('entries.jsonl', () => 'x'.repeat(20_000_000))
    expect(await verdictOf(pack(signAgain(endless, gateKey)))).toContain('a line without an end')
  })
})

it('A29: a decision by a key that had been removed does not verify', async () => {
  const world = await openWorld({ policy: POLICY })
  try {
    const { id } = world.approver.approver
    await decided(world, { kind: 'approve' })
    await world.ports.store.commit({
      entries: [draftEntry({ kind: 'key-removed', call: null, key: id, name: 'ana', by: 'root' }, 2)],
      durable: true,
    })
    await decided(world, { kind: 'approve' })
    await world.gate.close()
    const at = { cwd: temporaryFolder(), home: world.home.dir }
    expect((await runInProcess('journal export --bundle a.tar'.split(' '), at)).code).toBe(0)
    const { code, stdout } = await runInProcess('journal verify --bundle a.tar'.split(' '), at)
    expect(code).toBe(1)
    expect(stdout).toMatch(
      new RegExp(`^refuted: .*\nthe decision in entry \\d+ was signed with key \`${id}\`, which was removed in entry`),
    )
  } finally {
    await world.close()
  }
})

it('A12: no cell of a table begins a formula', () => {
  const { calls, decisions } = Object.fromEntries(
    ['calls', 'decisions'].map((name) => [name, String(unpack(made.whole).get(`${name}.csv`))]),
  ) as Record<'calls' | 'decisions', string>
  for (const table of [calls, decisions]) {
    expect(table.startsWith('\ufeff"')).toBe(true)
    expect(table).not.toMatch(/(?:^|,)"[=+\-@\t\r]/m)
  }
  expect(calls).toContain('send_report')
})

it('A29: the journal of an older version can be exported, and what it did not record is told', async () => {
  const home = oldHome(temporaryFolder())
  const at = { cwd: temporaryFolder(), home: home.dir }
  expect((await runInProcess('journal export --bundle a.tar'.split(' '), at)).code).toBe(0)
  const { code, stdout } = await runInProcess('journal verify --bundle a.tar'.split(' '), at)
  expect(code).toBe(0)
  expect(stdout).toMatch(/- \d decisions? (?:was|were) recorded by an older version/)
  expect(stdout).toContain('- that these keys were enrolled, because no entry records it: ')
  expect(stdout).toContain('known only by')
})
