import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nextGateList, readGateList, signCheckpoint, writeGateList } from '@countersign/core'
import {
  joinStore,
  newJoinCode,
  openCrypto,
  openGateKey,
  openHome,
  openHomeStore,
  verifyBundleFile,
} from '@countersign/node'
import { type Files, pack, signAgain, unpack } from '@countersign/testing/bundle/tar'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { emptyHome, type UsedHome, usedHome } from '@countersign/testing/store/used-home'
import { until } from '@countersign/testing/until'
import { describe, expect, it } from 'vitest'

describe.skipIf(missingPostgres())('a bundle of a journal that machines share', () => {
  const server = usePostgres()
  const keyOf = ({ home }: UsedHome) => openGateKey(openHome(home))

  async function exported(place: UsedHome, name: string): Promise<Buffer> {
    const ran = await place.run('journal', 'export', '--bundle', name)
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    return readFileSync(join(place.cwd, name))
  }

  async function checkpointed(place: UsedHome, name: string) {
    expect(await place.jot()).toBe('completed')
    expect((await place.run('journal', 'checkpoint', '--out', name)).code).toBe(0)
  }

  /** A home whose journal went to PostgreSQL, a second machine that signed checkpoints there, and was removed. */
  async function made() {
    const [one, two] = [await usedHome(), await emptyHome()]
    const address = server.freshAddress()
    for (const words of [['migrate'], ['copy'], ['use']])
      expect((await one.run('store', ...words, address)).code).toBe(0)
    const home = openHome(one.home)
    const code = newJoinCode()
    const joining = joinStore(openHome(two.home), address, { code })
    const { store, gates } = await openHomeStore(home, { crypto: openCrypto(home) })
    const admitted = await until('the admission', () => gates?.admit(code).catch(() => undefined))
    await joining
    await checkpointed(two, 'two.txt')
    await checkpointed(one, 'one.txt')
    const whole = await exported(two, 'two.tar')
    expect((await verdictOf(two, whole)).kind).toBe('intact')
    await gates?.remove(admitted.id)
    await checkpointed(one, 'later.txt')
    const files = unpack(await exported(one, 'one.tar'))
    const head = await store.head()
    await store.close()
    return { one, two, files, head }
  }

  type Made = Awaited<ReturnType<typeof made>>

  let written = 0
  async function verdictOf(place: UsedHome, archive: Buffer, key?: string) {
    const path = join(place.cwd, `${written++}.tar`)
    writeFileSync(path, archive)
    return verifyBundleFile(path, key)
  }

  it('proves checkpoints of every machine, with the key of the one that exported it', async () => {
    const { one, files } = await made()
    expect(files.get('gates.jsonl')?.toString().trim().split('\n')).toHaveLength(3)
    expect(await verdictOf(one, pack(files), keyOf(one).publicKey)).toMatchObject({ kind: 'intact' })
    // Back in a file, the journal still has checkpoints of both.
    expect((await one.run('store', 'copy', 'sqlite')).code).toBe(0)
    expect((await one.run('store', 'use', 'sqlite')).code).toBe(0)
    expect(await verdictOf(one, await exported(one, 'back.tar'))).toMatchObject({ kind: 'intact' })
  })

  type Change = (files: Files, made: Made) => UsedHome

  const lines = (files: Files, name: string) => (files.get(name)?.toString() ?? '').trim().split('\n')
  const put = (files: Files, name: string, all: readonly string[]) =>
    files.set(name, Buffer.from(all.map((line) => `${line}\n`).join('')))

  it.each<[string, string, Change]>([
    [
      'a checkpoint that a removed machine signed later',
      'checkpoints.jsonl',
      (files, { one, two, head }) => {
        const all = lines(files, 'checkpoints.jsonl')
        const note = signCheckpoint(head, keyOf(two), openCrypto(openHome(two.home)), `countersign/${keyOf(one).keyId}`)
        put(files, 'checkpoints.jsonl', [...all, JSON.stringify(note)])
        return one
      },
    ],
    [
      'a list of gates with a forged version',
      'gates.jsonl',
      (files, { one }) => {
        const all = lines(files, 'gates.jsonl')
        const last = readGateList(all[1] ?? '')
        const signing = { signer: keyOf(one), crypto: openCrypto(openHome(one.home)) }
        put(files, 'gates.jsonl', [...all.slice(0, 2), writeGateList(nextGateList(last, {}, 9, signing))])
        return one
      },
    ],
    [
      'a list of gates without its last version',
      'gates.jsonl',
      (files, { one }) => {
        put(files, 'gates.jsonl', lines(files, 'gates.jsonl').slice(0, 2))
        return one
      },
    ],
    [
      'no list of gates',
      'checkpoints.jsonl',
      (files, { one }) => {
        files.delete('gates.jsonl')
        return one
      },
    ],
    ['the signature of a machine that was removed', 'gates.jsonl', (_, { two }) => two],
  ])('is damaged with %s', async (_, file, change) => {
    const all = await made()
    const { one } = all
    const changed: Files = new Map(all.files)
    const signer = keyOf(change(changed, all))
    const origin = `countersign/${keyOf(one).keyId}`
    const signed = signAgain(changed, signer, (manifest) => Object.assign(manifest, { origin }))
    const verdict = await verdictOf(one, pack(signed))
    expect(verdict).toMatchObject({ kind: 'damaged', message: expect.stringContaining(file) })
  })
})
