import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { draftEntry, verifyJournal } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHome } from '../home/home.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { call, entry, open, opened } from './store-fixture.mts'

describe('the store’s file', () => {
  it('is private to this account, with its companion files', async () => {
    const { store, file } = await opened()
    await store.commit(open('a'))
    for (const name of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600)
    await store.close()
    chmodSync(file, 0o644)
    const { crypto } = { crypto: openCrypto(openHome(join(file, '..'))) }
    await expect(openSqliteStore(file, { crypto })).rejects.toMatchObject({
      code: 'CS_STORE_OPEN',
      message: expect.stringContaining('chmod 600'),
    })
  })

  it('is refused with one line if it is a folder, not a database, damaged, another user’s or newer', async () => {
    const { store, file, again } = await opened()
    for (let i = 0; i < 50; i++) await store.commit(open(`c${i}`))
    await store.close()
    const good = readFileSync(file)
    const other = join(file, '..', 'other.db')
    const refusals: (readonly [string, () => void])[] = [
      ['CS_STORE_OPEN', () => writeFileSync(file, 'this is no database, only a long enough text '.repeat(50))],
      [
        'CS_STORE_OPEN',
        () => writeFileSync(file, Buffer.concat([good.subarray(0, 100), Buffer.alloc(good.length - 100, 7)])),
      ],
      [
        'CS_STORE_OPEN',
        () => {
          const foreign = new DatabaseSync(other)
          foreign.exec('CREATE TABLE x (y)')
          foreign.close()
          writeFileSync(file, readFileSync(other))
        },
      ],
      [
        'CS_STORE_VERSION',
        () => {
          writeFileSync(file, good)
          const newer = new DatabaseSync(file)
          newer.exec('PRAGMA user_version = 99')
          newer.close()
        },
      ],
    ]
    for (const [code, prepare] of refusals) {
      prepare()
      const error = await again().then(
        () => undefined,
        (thrown: Error & { code?: string }) => thrown,
      )
      expect(error?.code, error?.message).toBe(code)
      expect(error?.message).toMatch(/^[^\n]+$/)
    }
    writeFileSync(file, good)
    expect((await (await again()).calls({})).length).toBe(50)
    const folder = join(file, '..', 'folder.db')
    mkdirSync(folder)
    await expect(openSqliteStore(folder, { crypto: openCrypto(openHome(join(file, '..'))) })).rejects.toMatchObject({
      code: 'CS_STORE_OPEN',
      message: expect.stringContaining('regular file'),
    })
  })

  it('opened for reading shows everything and accepts no writes', async () => {
    const { store, file, again } = await opened()
    await store.commit(open('a'))
    const crypto = openCrypto(openHome(join(file, '..')))
    const reader = await openSqliteStore(file, { crypto, readOnly: true })
    onTestFinished(() => reader.close())
    expect(await reader.call('a')).toEqual(call('a'))
    await expect(reader.commit(open('b'))).rejects.toMatchObject({
      code: 'CS_STORE_WRITE',
      message: expect.stringContaining('reading only'),
    })
    expect(await (await again()).call('b')).toBeUndefined()
    await expect(openSqliteStore(join(file, '..', 'none.db'), { crypto, readOnly: true })).rejects.toMatchObject({
      code: 'CS_STORE_OPEN',
    })
  })

  it('that cannot grow refuses the commit, keeps its data, and continues once there is space', async () => {
    const home = openHome(join(temporaryFolder(), 'home'))
    const crypto = openCrypto(home)
    const store = await openSqliteStore(home.store, { crypto, maxPages: 40 })
    onTestFinished(() => store.close())
    const big = () =>
      store.commit({
        entries: [draftEntry({ kind: 'notice', call: null, said: 'x'.repeat(20_000) }, 1)],
        durable: false,
      })
    let written = 0
    const error = await (async () => {
      for (;;) {
        await big()
        written += 1
      }
    })().catch((thrown: Error & { code?: string }) => thrown)
    expect(error).toMatchObject({ code: 'CS_STORE_WRITE', message: expect.stringContaining('disk is full') })
    expect(written).toBeGreaterThan(0)
    expect((await store.head()).size).toBe(written)
    expect(await verifyJournal(store, { crypto, publicKeys: [] })).toMatchObject({ kind: 'intact', size: written })
    const roomy = await openSqliteStore(home.store, { crypto })
    onTestFinished(() => roomy.close())
    expect(await roomy.commit({ entries: [entry()], durable: true })).toEqual({ kind: 'committed', size: written + 1 })
  })

  it('that was closed reports it, and can be closed again', async () => {
    const { store } = await opened()
    await store.close()
    await store.close()
    await expect(store.commit(open('a'))).rejects.toMatchObject({
      code: 'CS_STORE_WRITE',
      message: expect.stringContaining('closed'),
    })
    await expect(store.head()).rejects.toMatchObject({ code: 'CS_STORE_READ' })
    expect(() => store.version()).toThrow(/closed/)
  })

  it('with a tampered row reports a read error, not a wrong result', async () => {
    const { store, file } = await opened()
    await store.commit(open('a'))
    const thief = new DatabaseSync(file)
    thief.exec("PRAGMA ignore_check_constraints = ON; UPDATE call SET state = 'approved'")
    thief.close()
    await expect(store.call('a')).rejects.toMatchObject({
      code: 'CS_STORE_READ',
      message: expect.stringContaining('damaged'),
    })
  })
})
