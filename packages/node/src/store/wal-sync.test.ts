import { fdatasync, fdatasyncSync } from 'node:fs'
import { join } from 'node:path'
import { draftEntry } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openHome } from '../home/home.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { WalSync } from './wal-sync.ts'

vi.mock('node:fs', { spy: true })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.mocked(fdatasync)
    .mockReset()
    .mockImplementation((_fd, done) => done(null))
  vi.mocked(fdatasyncSync).mockClear()
})
afterEach(() => void vi.useRealTimers())

async function openStore() {
  const home = openHome(join(temporaryFolder(), 'home'))
  return openSqliteStore(home.store, { crypto: openCrypto(home) })
}

const change = (durable: boolean) => ({ entries: [draftEntry({ kind: 'notice', call: null }, 1)], durable })

describe('commits that do not wait for the disk', () => {
  it('are on it within 50 ms, many by one sync', async () => {
    const store = await openStore()
    for (let i = 0; i < 5; i++) await store.commit(change(false))
    expect(fdatasync).not.toHaveBeenCalled()
    vi.advanceTimersByTime(50)
    expect(fdatasync).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1000)
    expect(fdatasync).toHaveBeenCalledTimes(1)
    await store.commit(change(false))
    vi.advanceTimersByTime(50)
    expect(fdatasync).toHaveBeenCalledTimes(2)
    await store.close()
  })

  it('are brought along by a durable one', async () => {
    const store = await openStore()
    await store.commit(change(false))
    await store.commit(change(true))
    vi.advanceTimersByTime(50)
    expect(fdatasync).not.toHaveBeenCalled()
    await store.close()
    expect(fdatasyncSync).not.toHaveBeenCalled()
  })

  it('are on it when the store is closed', async () => {
    const store = await openStore()
    await store.commit(change(false))
    await store.close()
    expect(fdatasyncSync).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1000)
    expect(fdatasync).not.toHaveBeenCalled()
  })

  it('that came while a sync was running are synced after it', async () => {
    const store = await openStore()
    let finish: (error: null) => void = () => undefined
    vi.mocked(fdatasync).mockImplementationOnce((_fd, done) => {
      finish = done
    })
    await store.commit(change(false))
    vi.advanceTimersByTime(50)
    await store.commit(change(false))
    vi.advanceTimersByTime(50)
    expect(fdatasync).toHaveBeenCalledTimes(1)
    finish(null)
    vi.advanceTimersByTime(50)
    expect(fdatasync).toHaveBeenCalledTimes(2)
    await store.close()
  })

  it('stop every later commit when the disk failed', async () => {
    const store = await openStore()
    vi.mocked(fdatasync).mockImplementationOnce((_fd, done) => done(Object.assign(new Error('EIO'), { code: 'EIO' })))
    await store.commit(change(false))
    vi.advanceTimersByTime(50)
    for (const durable of [false, true]) {
      await expect(store.commit(change(durable))).rejects.toMatchObject({
        code: 'CS_STORE_WRITE',
        message: expect.stringContaining('disk failed'),
      })
    }
    expect((await store.head()).size).toBe(1)
    await store.close()
  })

  it('fail the same way when the log itself is gone', async () => {
    const sync = new WalSync(join(temporaryFolder(), 'none.db'))
    sync.touch()
    vi.advanceTimersByTime(50)
    expect(sync.failed).toMatchObject({ code: 'ENOENT' })
    await sync.close()
  })
})
