import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  createJournal,
  draftEntry,
  lastEntryBefore,
  leafHash,
  type RotateParts,
  rotateJournal,
  type Store,
  signCheckpoint,
  verifyExport,
  verifyJournal,
} from '@countersign/core'
import { simulatedClock } from '@countersign/testing/simulated-clock'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Home, openHome } from '../home/home.ts'
import { newSeed, signerOf } from '../keys/ed25519.ts'
import { openGateKey } from '../keys/home-keys.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { openHeads } from './checkpoint-file.ts'
import { openArchive } from './journal-archive.ts'
import { openSqliteStore } from './sqlite-store.ts'

const origin = 'countersign.test'
const clock = simulatedClock()
let home: Home
let parts: RotateParts
let store: Store

beforeEach(async () => {
  home = openHome(join(temporaryFolder(), 'home'))
  const [crypto, signer] = [openCrypto(home), openGateKey(home)]
  await reopen()
  parts = {
    store,
    crypto,
    signer,
    clock,
    heads: openHeads(home),
    archive: openArchive(home.archive),
    keys: { origin, publicKeys: [signer.publicKey], removedKeys: [] },
  }
})

async function reopen(): Promise<void> {
  store = await openSqliteStore(home.store, { crypto: openCrypto(home) })
  const opened = store
  onTestFinished(() => opened.close())
  if (parts !== undefined) parts = { ...parts, store }
}

async function write(entries: number): Promise<void> {
  for (let i = 0; i < entries; i++)
    await store.commit({ entries: [draftEntry({ kind: 'notice', call: null, i }, clock.now() + i)], durable: false })
}

const checkpoint = () => createJournal({ ...parts, origin }).checkpoint()

async function verdict() {
  const { crypto, signer, heads } = parts
  return verifyJournal(store, { crypto, publicKeys: [signer.publicKey], kept: await heads.kept(), origin })
}

/** Edits the file, as anyone with write access could. */
function tamper(sql: string): void {
  const db = new DatabaseSync(home.store)
  db.exec(sql)
  db.close()
}

describe('a journal on disk', () => {
  it('verifies against the heads stored outside, also after a restart', async () => {
    await write(20)
    await checkpoint()
    await write(5)
    expect(await verdict()).toMatchObject({ kind: 'intact', size: 25, signedTo: 20, keptTo: 20 })
    await store.close()
    await reopen()
    expect(await verdict()).toMatchObject({ kind: 'intact', size: 25, signedTo: 20, keptTo: 20 })
  })

  it.each([
    ['changed', 7, "UPDATE entry SET line = replace(line, 'notice', 'denied') WHERE seq = 7"],
    ['changed', 3, "UPDATE entry SET leaf = replace(leaf, substr(leaf, 1, 1), 'x') WHERE seq = 3"],
    ['missing', 7, 'DELETE FROM entry WHERE seq = 7'],
    [
      'missing',
      7,
      'DELETE FROM entry WHERE seq = 7; UPDATE entry SET seq = seq - 1 WHERE seq > 7; UPDATE head SET size = size - 1',
    ],
    [
      'doubled',
      8,
      'UPDATE entry SET seq = -seq - 1 WHERE seq > 7; UPDATE entry SET seq = -seq WHERE seq < 0; INSERT INTO entry SELECT 8, call, line, leaf FROM entry WHERE seq = 7; UPDATE head SET size = size + 1',
    ],
    [
      'swapped',
      4,
      'UPDATE entry SET seq = -9 WHERE seq = 4; UPDATE entry SET seq = 4 WHERE seq = 9; UPDATE entry SET seq = 9 WHERE seq = -9',
    ],
    ['truncated', 15, 'DELETE FROM entry WHERE seq > 14'],
    ['head-mismatch', 25, "UPDATE head SET frontier = replace(frontier, substr(frontier, 1, 4), 'dead')"],
    ['bad-signature', 20, "UPDATE checkpoint SET note = replace(note, 'countersign', 'countersigm')"],
  ])('reports %s at entry %i after: %s', async (kind, seq, sql) => {
    await write(20)
    await checkpoint()
    await write(5)
    tamper(sql)
    expect(await verdict()).toMatchObject({ kind: 'damaged', damage: { kind, seq } })
  })

  it('reports a file restored from an earlier copy, also if it grew since', async () => {
    await write(10)
    await store.close()
    copyFileSync(home.store, `${home.store}.bak`)
    await reopen()
    await write(10)
    await checkpoint()
    await store.close()
    for (const name of readdirSync(home.dir)) if (/^store\.db-/.test(name)) rmSync(join(home.dir, name))
    copyFileSync(`${home.store}.bak`, home.store)
    await reopen()
    expect(await verdict()).toMatchObject({ damage: { kind: 'rolled-back', seq: 11, through: 20 } })
    clock.jump(5)
    await write(12)
    expect(await verdict()).toMatchObject({ damage: { kind: 'rebuilt', seq: 1, through: 20 } })
  })

  it('reports a chain rebuilt with another key', async () => {
    await write(10)
    await checkpoint()
    const { crypto } = parts
    const forged = await openSqliteStore(join(home.dir, 'forged.db'), { crypto })
    for (let i = 0; i < 10; i++)
      await forged.commit({ entries: [draftEntry({ kind: 'notice', call: null, forged: i }, 1)], durable: false })
    const head = await forged.head()
    await forged.saveCheckpoint(10, signCheckpoint(head, signerOf(newSeed()), crypto, origin))
    tamper(`ATTACH '${join(home.dir, 'forged.db')}' AS forged; DELETE FROM entry; INSERT INTO entry SELECT * FROM forged.entry;
      UPDATE head SET frontier = '${head.frontier}'; DELETE FROM checkpoint; INSERT INTO checkpoint SELECT * FROM forged.checkpoint`)
    await forged.close()
    expect(await verdict()).toMatchObject({ damage: { kind: 'rebuilt', seq: 1, through: 10 } })
  })

  it('stores the hash of each line as in RFC 6962', async () => {
    await write(3)
    for (const { line, leaf } of await store.entries(1, 3)) expect(leaf).toBe(leafHash(line, parts.crypto))
  })
})

describe('rotation on disk', () => {
  it('moves entries into an archive of mode 0600, and both verify', async () => {
    await write(6000)
    await checkpoint()
    await write(100)
    const { name } = await rotateJournal(parts, 6050)
    expect(await store.entries(1, 6050)).toEqual([])
    expect(await verdict()).toMatchObject({ kind: 'intact', size: 6101, archived: 6050, keptTo: 6050, unproven: 0 })
    const path = join(home.archive, `${name}.jsonl`)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(home.archive).sort()).toEqual([`${name}.checkpoint`, `${name}.jsonl`])
    const kept = [readFileSync(join(home.archive, `${name}.checkpoint`), 'utf8')]
    const archive = { crypto: parts.crypto, publicKeys: [parts.signer.publicKey], kept, origin }
    expect(await verifyExport(readFileSync(path, 'utf8').split('\n'), archive)).toMatchObject({
      kind: 'intact',
      size: 6050,
      keptTo: 6050,
    })
  })

  it('keeps only recent entries', async () => {
    await write(50)
    const through = await lastEntryBefore(store, clock.now() + 30)
    expect(through).toBe(30)
    await rotateJournal(parts, through)
    expect((await store.entries(1, 100))[0]?.seq).toBe(31)
  })

  it('happens once if two processes try at the same time', async () => {
    await write(20)
    const other = await openSqliteStore(home.store, { crypto: parts.crypto })
    onTestFinished(() => other.close())
    const results = await Promise.allSettled([rotateJournal(parts, 10), rotateJournal({ ...parts, store: other }, 10)])
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find((result) => result.status === 'rejected')).toMatchObject({
      reason: { code: 'CS_STORE_WRITE', message: expect.stringContaining('another process rotated') },
    })
    expect(await verdict()).toMatchObject({ kind: 'intact', archived: 10 })
  })

  it('reuses an archive that an interrupted rotation left, and never overwrites another', async () => {
    await write(10)
    const before = (await store.entries(1, 10)).map((entry) => `${entry.line}\n`).join('')
    await parts.archive.write('journal-1-10.jsonl', [before])
    await rotateJournal(parts, 10)
    await write(10)
    writeFileSync(join(home.archive, 'journal-11-20.jsonl'), 'precious', { mode: 0o600 })
    await expect(rotateJournal(parts, 20)).rejects.toMatchObject({
      code: 'CS_STORE_WRITE',
      message: expect.stringContaining('other content'),
    })
    expect(readFileSync(join(home.archive, 'journal-11-20.jsonl'), 'utf8')).toBe('precious')
    expect(await verdict()).toMatchObject({ kind: 'intact', archived: 10, size: 21 })
  })
})
