import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { draftEntry } from '@countersign/core'
import { joinStore, newJoinCode, openCrypto, openHome, openHomeStore } from '@countersign/node'
import { parseStoreAddress } from '@countersign/postgres'
import { runNode } from '@countersign/testing/command/run-node'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { emptyHome, type UsedHome, usedHome, verifiedJournal } from '@countersign/testing/store/used-home'
import { until } from '@countersign/testing/until'
import pg from 'pg'
import { describe, expect, it } from 'vitest'

/** Copies in a process of its own, and does something after a step. */
const CHILD = `
  import { copyStore, openHome } from './packages/node/src/index.ts'
  const [home, to, step, then] = process.argv.slice(1)
  await copyStore(openHome(home), to, {
    by: 'test',
    async passed(one) {
      if (one !== step) return
      if (then === 'kill') process.kill(process.pid, 'SIGKILL')
      console.log(step)
      await new Promise((resolve) => process.stdin.once('data', resolve))
    },
  })
  process.exit(0)`

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

function startNode(source: string, args: readonly string[], options: readonly string[] = []) {
  const own = ['--conditions=countersign-source', '--no-warnings', '--input-type=module', ...options]
  const child = spawn(process.execPath, [...own, '--eval', source, '--', ...args], { cwd: ROOT })
  child.stderr.on('data', (said: Buffer) => process.stderr.write(said))
  return child
}

async function endedWell(child: ReturnType<typeof startNode>): Promise<void> {
  child.stdout.resume()
  expect(await once(child, 'exit')).toEqual([0, null])
}

describe.skipIf(missingPostgres())('a store that is copied', () => {
  const server = usePostgres()

  async function prepared() {
    const place = await usedHome()
    const address = server.freshAddress()
    expect((await place.run('store', 'migrate', address)).code).toBe(0)
    return { ...place, address }
  }

  async function sql(address: string, text: string) {
    const url = new URL(address)
    const client = new pg.Client({ host: server.folder, port: Number(url.port), user: 'test', database: 'postgres' })
    await client.connect()
    try {
      await client.query(`SET search_path = ${url.searchParams.get('schema')}`)
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  function edit(home: string, text: string) {
    const db = new DatabaseSync(openHome(home).store)
    db.exec(text)
    db.close()
  }

  async function expectUsable(place: UsedHome, address: string) {
    const copied = await place.run('store', 'copy', address)
    expect(copied, copied.stderr).toMatchObject({ code: 0 })
    const set = await place.run('store', 'use', address)
    expect(set, set.stderr).toMatchObject({ code: 0 })
    await verifiedJournal(place)
    expect(await place.jot()).toBe('completed')
  }

  it.each(['verified', 'written', 'compared'])('is still in use after a kill when it was %s', async (step) => {
    const place = await prepared()
    await expect(runNode(CHILD, [place.home, place.address, step, 'kill'])).rejects.toMatchObject({ signal: 'SIGKILL' })
    expect(await place.jot()).toBe('completed')
    expect(await sql(place.address, 'SELECT size FROM head UNION SELECT count(*) FROM entry')).toEqual([{ size: '0' }])
    expect((await place.run('store', 'use', place.address)).stderr).toContain('run `countersign store copy`')
    await expectUsable(place, place.address)
    expect(await place.decide()).toMatchObject({ kind: 'permit' })
  })

  it('refuses everything after a kill between its mark and the commit of the copy, until the copy is made again', async () => {
    const place = await prepared()
    const killed = runNode(CHILD, [place.home, place.address, 'source marked', 'kill'])
    await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' })
    await expect(place.jot()).rejects.toThrow('goes on in `postgres://')
    expect((await place.run('store', 'use', place.address)).stderr).toContain('is not complete')
    const other = server.freshAddress()
    await place.run('store', 'migrate', other)
    expect((await place.run('store', 'copy', other)).stderr).toContain('goes on in `postgres://')
    await expectUsable(place, place.address)
    expect(await place.decide()).toMatchObject({ kind: 'permit' })
  })

  it('comes back from PostgreSQL after a kill at any step', async () => {
    const place = await prepared()
    await expectUsable(place, place.address)
    for (const step of ['written', 'source marked']) {
      await expect(runNode(CHILD, [place.home, 'sqlite', step, 'kill'])).rejects.toMatchObject({ signal: 'SIGKILL' })
      expect((await place.run('store', 'use', 'sqlite')).code).toBe(125)
    }
    const copied = await place.run('store', 'copy', 'sqlite')
    expect(copied, copied.stderr).toMatchObject({ code: 0 })
    expect((await place.run('store', 'use', 'sqlite')).code).toBe(0)
    await verifiedJournal(place)
    expect(await place.jot()).toBe('completed')
  })

  it('stops a process that has it open, which names the new store', async () => {
    const place = await prepared()
    const { gate } = await place.open()
    expect((await gate.run({ tool: 'jot', args: {} }, () => 'ran')).kind).toBe('completed')
    const { size } = await verifiedJournal(place)
    await expectUsable(place, place.address)
    const refused = await gate.run({ tool: 'jot', args: {} }, () => 'ran')
    expect(refused).toMatchObject({ kind: 'refusal' })
    expect(JSON.stringify(refused)).toContain('postgres://')
    expect((await verifiedJournal(place)).size).toBeGreaterThan(size)
  })

  it('stops a process that has it open on PostgreSQL, which names the new store', async () => {
    const place = await prepared()
    await expectUsable(place, place.address)
    const { gate } = await place.open()
    expect((await gate.run({ tool: 'jot', args: {} }, () => 'ran')).kind).toBe('completed')
    const next = server.freshAddress()
    expect((await place.run('store', 'migrate', next)).code).toBe(0)
    await expectUsable(place, next)
    const refused = await gate.run({ tool: 'jot', args: {} }, () => 'ran')
    expect(refused).toMatchObject({ kind: 'refusal' })
    const { shown } = parseStoreAddress(next)
    expect(JSON.stringify(refused)).toContain(`goes on in \`${shown}\``)
    expect((await place.run('store', 'check', place.address)).stderr).toContain(`goes on in \`${shown}\``)
  })

  it('is not written while it is copied: what others want to write is refused, and lost in neither', async () => {
    const place = await prepared()
    const { gate, ports } = await place.open()
    const child = startNode(CHILD, [place.home, place.address, 'written', 'wait'])
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    const late = draftEntry({ kind: 'relayed', call: null }, 1)
    await expect(ports.store.commit({ entries: [late], durable: true })).rejects.toMatchObject({
      code: 'CS_STORE_WRITE',
    })
    child.stdin.write('go\n')
    expect(await ended).toEqual([0, null])
    expect((await place.run('store', 'use', place.address)).code).toBe(0)
    await verifiedJournal(place)
    expect((await place.run('history')).stdout.match(/jot/g)).toHaveLength(3)
    expect((await place.run('journal', 'tail')).stdout).not.toContain('relayed')
    await gate.close()
  })

  // The same bytes in fewer entries take a fraction of the time.
  const [entries, length, heapMb] = process.env['COUNTERSIGN_FULL'] === '1' ? [50_000, 2000, 80] : [12_000, 12_500, 128]
  it(`of ${entries} entries is copied in bounded memory`, async () => {
    const place = await prepared()
    const home = openHome(place.home)
    const { store } = await openHomeStore(home, { crypto: openCrypto(home) })
    const text = 'x'.repeat(length)
    for (let done = 0; done < entries; done += 500) {
      const drafts = Array.from({ length: 500 }, (_, n) =>
        draftEntry({ kind: 'relayed', call: null, n: done + n, text }, 1_700_000_000_000),
      )
      await store.commit({ entries: drafts, durable: false })
    }
    const { size } = await store.head()
    await store.close()
    // The journal alone takes more.
    await endedWell(startNode(CHILD, [place.home, place.address, 'none', 'kill'], [`--max-old-space-size=${heapMb}`]))
    expect((await place.run('store', 'use', place.address)).code).toBe(0)
    expect((await verifiedJournal(place)).size).toBeGreaterThan(size)
  })

  it('is not copied where its journal was changed', async () => {
    const place = await prepared()
    edit(place.home, `UPDATE entry SET line = replace(line, '"at":1', '"at":2') WHERE seq = 2`)
    const refused = await place.run('store', 'copy', place.address)
    expect(refused).toMatchObject({ code: 125, stderr: expect.stringContaining('nothing was copied') })
    expect(await sql(place.address, 'SELECT size FROM head')).toEqual([{ size: '0' }])
  })

  it('is not copied into what is not empty, newer or missing', async () => {
    const place = await prepared()
    const other = await emptyHome()
    await other.run('store', 'use', place.address)
    expect((await place.run('store', 'copy', place.address)).stderr).toContain('is not empty')
    const newer = server.freshAddress()
    await place.run('store', 'migrate', newer)
    await sql(newer, 'UPDATE head SET version = 99')
    expect((await place.run('store', 'copy', newer)).stderr).toContain('newer Countersign')
    expect((await place.run('store', 'copy', server.freshAddress())).stderr).toContain('countersign store migrate')
    expect(await place.jot()).toBe('completed')
  })

  it('is not copied into tables of an older version, and its journal does not say so', async () => {
    const place = await prepared()
    await sql(place.address, 'UPDATE head SET version = 1')
    const { size } = await verifiedJournal(place)
    const refused = await place.run('store', 'copy', place.address)
    expect(refused.stderr).toMatch(/older Countersign.*run `countersign store migrate`/)
    expect((await verifiedJournal(place)).size).toBe(size)
    expect(await place.jot()).toBe('completed')
  })

  it.each([
    ['an entry', `UPDATE entry SET line = replace(line, '"at":1', '"at":2') WHERE seq = 2`],
    ['the end', 'DELETE FROM entry WHERE seq > 3; UPDATE head SET size = 3'],
    ['the list of gates', 'DELETE FROM gate_list'],
  ])('is not used where %s of the copy was changed', async (_, text) => {
    const place = await prepared()
    expect((await place.run('store', 'copy', place.address)).code).toBe(0)
    await sql(place.address, text)
    expect((await place.run('store', 'use', place.address)).code).toBe(125)
    await expect(place.jot()).rejects.toThrow('goes on in')
  })

  it('goes back to a file only from one machine', async () => {
    const place = await prepared()
    await expectUsable(place, place.address)
    const second = await emptyHome()
    const code = newJoinCode()
    const joining = joinStore(openHome(second.home), place.address, { code })
    const { store, gates } = await openHomeStore(openHome(place.home), { crypto: openCrypto(openHome(place.home)) })
    const admitted = await until('the admission', () => gates?.admit(code).catch(() => undefined))
    await joining
    expect((await place.run('store', 'copy', 'sqlite')).stderr).toContain('another machine shares this store')
    expect(await second.jot()).toBe('completed')
    expect(await gates?.remove(admitted.id)).toBe(true)
    await store.close()
    expect((await place.run('store', 'copy', 'sqlite')).code).toBe(0)
    expect((await place.run('store', 'use', 'sqlite')).code).toBe(0)
    // Checkpoints that the other machine signed still count.
    await verifiedJournal(place)
    expect(await place.jot()).toBe('completed')
    await expect(second.jot()).rejects.toThrow('goes on in `')
  })
})
