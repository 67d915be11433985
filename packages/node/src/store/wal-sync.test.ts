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
  it('are synced within 50 ms, many at a time', async () => {
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

  it('are synced by the next durable commit', async () => {
    const store = await openStore()
    await store.commit(change(false))
    await store.commit(change(true))
    vi.advanceTimersByTime(50)
    expect(fdatasync).not.toHaveBeenCalled()
    await store.close()
    expect(fdatasyncSync).not.toHaveBeenCalled()
  })

  it('are synced when the store is closed', async () => {
    const store = await openStore()
    await store.commit(change(false))
    await store.close()
    expect(fdatasyncSync).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1000)
    expect(fdatasync).not.toHaveBeenCalled()
  })

  it('made during a sync are synced after it', async () => {
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

  it('block every later commit after a disk failure', async () => {
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

  it('fail the same way if the log file is gone', async () => {
    const sync = new WalSync(join(temporaryFolder(), 'none.db'))
    sync.touch()
    vi.advanceTimersByTime(50)
    expect(sync.failed).toMatchObject({ code: 'ENOENT' })
    await sync.close()
  })
})
