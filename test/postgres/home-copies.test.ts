import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openHome, readStoreSetting } from '@countersign/node'
import { parseStoreAddress } from '@countersign/postgres'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { runNode } from '@countersign/testing/command/run-node'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { rawClient } from '@countersign/testing/postgres/raw-client'
import { usePostgres } from '@countersign/testing/postgres/server'
import { shareStore } from '@countersign/testing/postgres/shared-homes'
import { type UsedHome, usedHome, verifiedJournal } from '@countersign/testing/store/used-home'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

const GUIDE = join(import.meta.dirname, '../../docs/guides/postgres.md')

describe.skipIf(missingPostgres())('copies of a home whose store is on PostgreSQL', () => {
  const server = usePostgres()

  /** A home with a history and a held call, on a store of its own schema. */
  async function shared() {
    const place = await usedHome()
    const address = server.freshAddress()
    for (const words of [['migrate'], ['copy'], ['use']]) await ok(place, 'store', ...words, address)
    return { ...place, address, at: (folder: string) => homeAt(place, folder) }
  }

  function homeAt({ cwd, workspace }: UsedHome, folder: string) {
    const home = join(cwd, folder)
    return { home, workspace, run: (...words: readonly string[]) => runInProcess(words, { cwd, home }) }
  }

  async function ok(place: Pick<UsedHome, 'run'>, ...words: readonly string[]) {
    const ran = await place.run(...words)
    expect(ran, `${words.join(' ')}: ${ran.stderr}`).toMatchObject({ code: 0 })
    return ran
  }

  async function sql(address: string, text: (schema: string) => string): Promise<void> {
    const client = await rawClient(address)
    await client.query(text(parseStoreAddress(address).schema))
    await client.end()
  }

  const verified = async (place: Pick<UsedHome, 'run'>) =>
    (await ok(place, 'journal', 'verify', '--json')).json() as { readonly size: number; readonly root: string }

  it('backs up the journal and the held calls, and the store stays in use', async () => {
    const place = await shared()
    expect((await ok(place, 'home', 'backup', 'copy')).stdout).toContain('copied the home to')
    expect(await place.jot()).toBe('completed')
    expect(existsSync(join(place.cwd, 'copy', 'store.json'))).toBe(false)
    const restored = place.at('new')
    const { stdout, stderr } = await ok(restored, 'home', 'restore', 'copy')
    expect(stdout).toMatch(/restored .*: \d+ journal entries, intact/)
    expect(stderr).toContain('its journal is in a file of its own')
    expect(stderr).not.toContain('postgres://postgres:')
    expect(readStoreSetting(openHome(restored.home))).toBeNull()
    expect((await ok(restored, 'journal', 'tail')).stdout).toContain('home-restored')
    expect(await verified(restored)).toBeDefined()
    // The call that waited is in both, with its arguments.
    expect((await ok(restored, 'history')).stdout.match(/jot/g)).toHaveLength(3)
    expect((await ok(restored, 'held')).stdout).toContain('ship')
    expect(await place.decide()).toMatchObject({ kind: 'permit' })
    await verifiedJournal(place)
  })

  it('takes a restored home to an empty store, with the list of its gates', async () => {
    const place = await shared()
    const listed = (await ok(place, 'gates', 'list', '--json')).json()
    await ok(place, 'home', 'backup', 'copy')
    const restored = place.at('new')
    await ok(restored, 'home', 'restore', 'copy')
    const address = server.freshAddress()
    for (const words of [['migrate'], ['copy'], ['use']]) await ok(restored, 'store', ...words, address)
    expect((await ok(restored, 'gates', 'list', '--json')).json()).toEqual(listed)
    await verified(restored)
  })

  it('works as the guide says', async () => {
    const place = await shared()
    const address = server.freshAddress()
    const [, section = ''] = readFileSync(GUIDE, 'utf8').split('## Back up\n')
    const lines = [...section.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, text = '']) => text.trim().split('\n'))
    expect(lines).toHaveLength(6)
    for (const line of lines) {
      const words = line.replace('postgres://gate@new.example/countersign', address).split(' ').slice(1)
      await ok(words[0] === '--home' ? place.at(words[1] ?? '') : place, ...words.slice(words[0] === '--home' ? 2 : 0))
    }
    await verified(place.at('new-home'))
  })

  it('takes every machine to a new server, once the former one is lost', async () => {
    const [lost, address] = [server.freshAddress(), server.freshAddress()]
    const { homes } = await shareStore([lost, lost], 'version: 1\nrules:\n  - { tool: jot, supervision: automatic }\n')
    const cwd = temporaryFolder()
    const runOf = (home: string) => ({ run: (...words: readonly string[]) => runInProcess(words, { cwd, home }) })
    const [one, two] = homes.map(({ dir }) => runOf(dir))
    if (one === undefined || two === undefined) throw new Error('two homes')
    for (const place of [one, two, one]) await ok(place, 'journal', 'checkpoint')
    await ok(one, 'home', 'backup', 'copy')
    await sql(lost, (schema) => `DROP SCHEMA "${schema}" CASCADE`)
    const restored = runOf(join(cwd, 'new'))
    await ok(restored, 'home', 'restore', 'copy')
    for (const words of [['migrate'], ['copy'], ['use']]) await ok(restored, 'store', ...words, address)
    await ok(two, 'store', 'use', address)
    for (const place of [restored, two]) await verified(place)
  })

  it('is one moment of the store while 20 calls are written, and reaches the checkpoints of the home', async () => {
    const place = await shared()
    const { gate } = await place.open()
    let isOver = false
    let ran = 0
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      while (!isOver) {
        const { kind } = await gate.run({ tool: 'jot', args: { writer, ran } }, () => 'ran')
        expect(kind).toBe('completed')
        ran += 1
      }
    })
    onTestFinished(() => {
      isOver = true
    })
    await ok(place, 'home', 'backup', 'copy')
    await ok(place, 'home', 'backup', 'later')
    const before = ran
    isOver = true
    await Promise.all(writers)
    await gate.close()
    expect(before).toBeGreaterThan(0)
    const sizes = []
    for (const name of ['copy', 'later']) {
      const restored = place.at(`new-${name}`)
      await ok(restored, 'home', 'restore', name)
      sizes.push((await verified(restored)).size)
    }
    const [one = 0, two = 0] = sizes
    expect(two).toBeGreaterThan(one)
    expect((await verifiedJournal(place)).size).toBeGreaterThan(two - 1)
  })

  it('restores no backup with changed rows, also if its list of files was changed with them', async () => {
    const place = await shared()
    await ok(place, 'home', 'backup', 'copy')
    const file = join(place.cwd, 'copy', 'store.db')
    const db = new DatabaseSync(file)
    db.exec(`UPDATE entry SET line = replace(line, 'jot', 'jab') WHERE line LIKE '%jot%'`)
    db.close()
    expect((await place.at('new').run('home', 'restore', 'copy')).stderr).toContain('is damaged')
    const manifest = join(place.cwd, 'copy', 'manifest.json')
    const list = JSON.parse(readFileSync(manifest, 'utf8'))
    list.files['store.db'].sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
    writeFileSync(manifest, JSON.stringify(list))
    const refused = await place.at('new').run('home', 'restore', 'copy')
    expect(refused.stderr).toContain('nothing was restored')
    expect(existsSync(join(place.cwd, 'new'))).toBe(false)
  })

  it('makes no backup of a store with changed rows', async () => {
    const place = await shared()
    await sql(
      place.address,
      (schema) => `UPDATE "${schema}".entry SET line = replace(line, 'jot', 'jab') WHERE line LIKE '%jot%'`,
    )
    expect((await place.run('home', 'backup', 'copy')).stderr).toContain('[CS_JOURNAL_DAMAGED]')
    expect(existsSync(join(place.cwd, 'copy'))).toBe(false)
  })

  it('restores no backup older than a checkpoint that was kept elsewhere', async () => {
    const place = await shared()
    await ok(place, 'home', 'backup', 'old')
    await place.jot()
    await ok(place, 'journal', 'checkpoint', '--out', 'head.txt')
    await ok(place, 'home', 'backup', 'copy')
    const refused = await place.at('new').run('home', 'restore', 'old', '--against', 'head.txt')
    expect([refused.code, refused.stderr]).toEqual([125, expect.stringContaining('is newer than the copy')])
    await ok(place.at('new'), 'home', 'restore', 'copy', '--against', 'head.txt')
  })

  it('never replaces a home that shares a store', async () => {
    const place = await shared()
    await ok(place, 'home', 'backup', 'copy')
    expect((await place.run('home', 'restore', 'copy')).stderr).toContain('shares a store on PostgreSQL')
    expect(await place.jot()).toBe('completed')
  })

  it('moves a machine, which keeps its place; every process of the former home stops (L3)', async () => {
    const place = await shared()
    const listed = (await ok(place, 'gates', 'list', '--json')).json()
    const { gate } = await place.open()
    const jot = () => gate.run({ tool: 'jot', args: {} }, () => 'ran')
    expect(await jot()).toMatchObject({ kind: 'completed' })
    await ok(place, 'home', 'move', 'copy')
    expect(existsSync(join(place.cwd, 'copy', 'store.db'))).toBe(false)
    expect(await jot()).toMatchObject({ kind: 'refusal' })
    expect((await place.run('journal', 'tail')).stderr).toContain('was moved away')
    expect((await place.run('store', 'use', place.address)).stderr).toContain('was moved away')
    const restored = place.at('new')
    expect((await ok(restored, 'home', 'restore', 'copy')).stderr).toContain('keeps its place among the gates')
    expect((await ok(restored, 'gates', 'list', '--json')).json()).toEqual(listed)
    expect((await ok(restored, 'held')).stdout).toContain('ship')
    await verified(restored)
    // Back in its former place.
    await ok(restored, 'home', 'move', 'again')
    await ok(place, 'home', 'restore', 'again')
    expect(await place.jot()).toBe('completed')
  })

  it('can be moved again after a kill between marking the home and naming the copy', async () => {
    const place = await shared()
    const source = `
      import { beginSharedMove, openHome, readStoreSetting } from './packages/node/src/index.ts'
      const home = openHome(process.argv[1])
      await beginSharedMove(home, readStoreSetting(home), process.argv[2], 0)
      process.kill(process.pid, 'SIGKILL')`
    await expect(runNode(source, [place.home, join(place.cwd, 'copy')])).rejects.toThrow(
      expect.objectContaining({ signal: 'SIGKILL' }),
    )
    expect(existsSync(join(place.cwd, 'copy'))).toBe(false)
    expect(await place.jot().catch(() => 'refused')).toBe('refused')
    await ok(place, 'home', 'move', 'copy')
    await ok(place.at('new'), 'home', 'restore', 'copy')
    await verified(place.at('new'))
  })
})
