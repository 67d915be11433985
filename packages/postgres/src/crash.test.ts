import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { openProxy } from '@countersign/testing/postgres/proxy'
import { usePostgres } from '@countersign/testing/postgres/server'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'
import { expectIntact, freshSchema, open, openedAt } from './store-fixture.mts'

const BOUNDS = { maxHeldInSession: 100_000, maxHeld: 100_000 }

/** A gate in a process of its own: opens calls one after another, and prints the id of each that was committed. */
const WRITER = `
import { openCrypto, openHome } from '@countersign/node'
import { openPostgresStore } from './packages/postgres/src/postgres-store.ts'
import { open } from './test/support/store/changes.ts'
const [address, home] = process.argv.slice(1)
const store = await openPostgresStore(address, { crypto: openCrypto(openHome(home)) })
for (let at = 0; ; at += 1) {
  const id = process.pid + '-' + at
  const told = await store.commit(open(id, {}, ${JSON.stringify(BOUNDS)})).catch((error) => error)
  process.stdout.write((told.kind === 'committed' ? 'committed' : told.code) + ' ' + id + '\\n')
}
`

describe.skipIf(missingPostgres())('a store', () => {
  const server = usePostgres({ safe: true })

  it('loses nothing it confirmed and writes nothing twice when the server is killed again and again', async () => {
    const { address, crypto } = await freshSchema(server)
    const stores = await Promise.all([1, 2, 3].map(() => openedAt(address, { crypto })))
    const told = new Map<string, string>()
    let isOver = false
    const writing = stores.flatMap((store, of) =>
      [1, 2, 3, 4].map(async (lane) => {
        for (let at = 0; !isOver; at += 1) {
          const id = `${of}-${lane}-${at}`
          const result = await store.commit(open(id, {}, BOUNDS)).then(
            ({ kind }) => kind,
            ({ code }) => String(code),
          )
          told.set(id, result)
        }
      }),
    )
    const committed = () => [...told.values()].filter((one) => one === 'committed').length
    for (let crash = 0; crash < 4; crash += 1) {
      const before = committed()
      await until('commits', () => committed() > before + 50)
      await server.crash()
    }
    const before = committed()
    await until('commits after the last crash', () => committed() > before + 50)
    isOver = true
    await Promise.all(writing)
    const [store] = stores
    if (store === undefined) throw new Error('no store')
    for (const [id, kind] of told) {
      if (kind === 'CS_STORE_UNSURE') continue
      expect([id, kind, (await store.entriesOf(id)).length]).toEqual([id, kind, kind === 'committed' ? 1 : 0])
    }
    expect(new Set(told.values())).not.toContain('undefined')
    await expectIntact(store, crypto)
  })

  it('is not held up by a process that is stopped with the lock, and the process goes on', async () => {
    const { address, crypto, home } = await freshSchema(server)
    const proxy = await openProxy(server.folder)
    const sound = await openedAt(address, { crypto })
    const child = spawn(
      process.execPath,
      [
        '--conditions=countersign-source',
        '--no-warnings',
        '--input-type=module',
        '--eval',
        WRITER,
        '--',
        proxy.through(address),
        home,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    onTestFinished(async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    })
    const lines: string[] = []
    child.stdout.on('data', (text) => lines.push(...String(text).trim().split('\n')))
    await until('commits', () => lines.length > 5)
    let isHeld = false
    proxy.onAnswer((type) => {
      isHeld ||= type === 'T'
      return isHeld ? 'hold' : 'pass'
    })
    await until('the lock', () => isHeld)
    child.kill('SIGSTOP')
    proxy.release()
    expect((await sound.commit(open('sound'))).kind).toBe('committed')
    const before = lines.length
    child.kill('SIGCONT')
    await until('commits of the other process', () => lines.length > before + 5)
    child.kill('SIGSTOP')
    for (const line of lines) {
      const [kind, id = ''] = line.split(' ')
      if (kind !== 'CS_STORE_UNSURE')
        expect([line, (await sound.entriesOf(id)).length]).toEqual([line, kind === 'committed' ? 1 : 0])
    }
    await expectIntact(sound, crypto)
  })
})
