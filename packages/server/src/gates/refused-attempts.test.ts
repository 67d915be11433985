import { join } from 'node:path'
import { openCrypto, openHome, openSqliteStore } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRefusedAttempts } from './refused-attempts.ts'

async function openWorld(windowMs?: number) {
  const home = openHome(join(temporaryFolder(), 'home'))
  const crypto = openCrypto(home)
  const store = await openSqliteStore(home.store, { crypto })
  onTestFinished(() => store.close())
  const clock = { now: 1_000_000 }
  const attempts = createRefusedAttempts(store, crypto, () => clock.now, windowMs)
  async function entries(): Promise<readonly { readonly [field: string]: unknown }[]> {
    return (await store.entries(1, (await store.head()).size)).map(({ line }) => JSON.parse(line))
  }
  return { clock, attempts, entries }
}

describe('refused decisions (L10)', () => {
  it('get their own entries up to twenty per minute per sign-in, and sixty in total', async () => {
    const { clock, attempts } = await openWorld()
    const written = (session: string) => Array.from({ length: 50 }, () => attempts.mayRecord(session)).filter(Boolean)
    expect(['a', 'b', 'c', 'd'].map((session) => written(session).length)).toEqual([20, 20, 20, 0])
    clock.now += 60_000
    expect(written('a')).toHaveLength(20)
  })

  it('have a budget separate from that of askers', async () => {
    const { attempts, entries } = await openWorld()
    for (let n = 0; n < 100; n += 1) attempts.record('socket', 'an asker tried')
    expect(attempts.mayRecord('a')).toBe(true)
    await expect.poll(async () => (await entries()).length).toBe(60)
  })

  it.each(['at the end of the window', 'when the service stops'])('are summarised in one entry %s', async (when) => {
    const { attempts, entries } = await openWorld(when === 'when the service stops' ? undefined : 5)
    for (let n = 0; n < 1_500; n += 1) attempts.mayRecord('a')
    if (when === 'when the service stops') attempts.close()
    await expect
      .poll(entries)
      .toMatchObject([{ kind: 'decision-refused', call: null, code: 'CS_DECISION_FORGED', unwritten: 1_480 }])
  })
})
