import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Approver, draftEntry, parseEntry, type Store } from '@countersign/core'
import { migrateSchema, openPostgresStore, type PostgresStore, parseStoreAddress } from '@countersign/postgres'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { enrol, openApprovers, readApprovers, removeApprover } from '../approvers/approver-registry.ts'
import { type Home, openHome } from '../home/home.ts'
import { newSeed, signerOf } from '../keys/ed25519.ts'
import { openGateKey, openSealKey } from '../keys/home-keys.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { beginSharing, type FollowedGates, type FollowParts, followGates, takePart } from './followed-gates.ts'
import { newJoinCode } from './join-code.ts'
import { joinIdOf, makeJoinRequest, openJoinAnswer } from './join-messages.ts'

const refused = expect.objectContaining({ code: 'CS_GATES' })

function someone(name: string): Approver {
  const { keyId: id, publicKey } = signerOf(newSeed())
  return { id, name, publicKey }
}

describe.skipIf(missingPostgres())('homes that share a store', () => {
  const server = usePostgres()

  /** A home on one machine, with its own connection to the store. */
  async function machine(address: string): Promise<FollowParts & { readonly store: PostgresStore }> {
    const home = openHome(join(temporaryFolder(), 'home'))
    return connected(home, address)
  }

  async function connected(home: Home, address: string) {
    const crypto = openCrypto(home)
    const store = await openPostgresStore(address, { crypto })
    onTestFinished(() => store.close())
    const journalSize = async () => (await store.head()).size
    return { home, store, board: store.gates, crypto, signer: openGateKey(home), now: () => 1_000, journalSize }
  }

  async function shared() {
    const address = server.freshAddress()
    await migrateSchema(parseStoreAddress(address))
    const one = await machine(address)
    expect(await beginSharing(one, 'one')).toBe(true)
    return { address, one, gates: await followGates(one) }
  }

  /** Joins as two machines do, with the code carried from one to the other. */
  async function joined(address: string, gates: FollowedGates) {
    const two = await machine(address)
    const code = newJoinCode()
    const request = makeJoinRequest(code, 'two', two.signer)
    await two.board.ask(joinIdOf(code), request.text, 60_000)
    expect(await gates.admit(code)).toMatchObject({ id: two.signer.keyId, name: 'two' })
    const answer = (await two.board.asked(joinIdOf(code)))?.answer ?? ''
    await takePart(two, openJoinAnswer(code, request, answer))
    return connected(two.home, address)
  }

  const entriesOf = async (store: Store) =>
    (await store.entries(1, 1000)).map(({ line }) => parseEntry(line) as unknown as Record<string, unknown>)

  it('begin with one gate, which keeps its keys and approvers', async () => {
    const address = server.freshAddress()
    await migrateSchema(parseStoreAddress(address))
    const one = await machine(address)
    const ada = someone('ada')
    enrol(one.home, ada)
    const before = openSealKey(one.home)
    expect(await beginSharing(one, 'one')).toBe(true)
    expect(openSealKey(one.home)).toEqual(before)
    const gates = await followGates(one)
    expect(gates.list()).toMatchObject({ version: 1, approvers: [ada], gates: [{ name: 'one', id: one.signer.keyId }] })
    expect(await entriesOf(one.store)).toMatchObject([
      { kind: 'gates-changed', version: 1, gates: [one.signer.keyId], approvers: [ada.id] },
    ])
  })

  it('begin again where they stopped, if the first died before it kept the list', async () => {
    const { one } = await shared()
    rmSync(one.home.gates)
    expect(await beginSharing(one, 'one')).toBe(true)
    expect((await followGates(one)).list().version).toBe(1)
  })

  it('do not begin in a store that another began', async () => {
    const { address } = await shared()
    const other = await machine(address)
    expect(await beginSharing(other, 'other')).toBe(false)
    expect(existsSync(other.home.gates)).toBe(false)
    await expect(followGates(other)).rejects.toThrow(refused)
  })

  it('share what is sealed, and each other’s approvers', async () => {
    const { address, one, gates } = await shared()
    const two = await joined(address, gates)
    expect(openCrypto(two.home).unseal(openCrypto(one.home).seal('rm old.log'))).toBe('rm old.log')
    const follows = await followGates(two)
    expect(follows.list().gates.map(({ name }) => name)).toEqual(['one', 'two'])
    expect(follows.keys.active()).toEqual([one.signer.publicKey, two.signer.publicKey])

    const ada = someone('ada')
    enrol(two.home, ada)
    await follows.sync()
    await one.store.head() // any read tells which version is the newest, as that of a decision does
    expect(await openApprovers(one.home, gates.sync).find(ada.id)).toEqual(ada)
    removeApprover(one.home, ada.id)
    await gates.sync()
    await two.store.head()
    expect(await openApprovers(two.home, follows.sync).find(ada.id)).toBeUndefined()
    enrol(two.home, ada)
    await follows.sync()
    expect(readApprovers(two.home)).toEqual([]) // a removed key does not come back
    expect((await entriesOf(one.store)).map(({ kind }) => kind)).toEqual(Array(4).fill('gates-changed'))
  })

  it('lose no approver when several enroll at the same time', async () => {
    const { address, one, gates } = await shared()
    const two = await joined(address, gates)
    const follows = await followGates(two)
    const people = Array.from({ length: 12 }, (_, n) => someone(`p${n}`))
    await Promise.all(
      people.map(async (person, n) => {
        enrol(n % 2 === 0 ? one.home : two.home, person)
        await (n % 2 === 0 ? gates : follows).sync()
      }),
    )
    for (const [{ store }, { sync }] of [
      [one, gates],
      [two, follows],
      [one, gates],
    ] as const) {
      await store.steadyVersion()
      await sync()
    }
    const ids = people.map(({ id }) => id).sort()
    for (const { home } of [one, two])
      expect(
        readApprovers(home)
          .map(({ id }) => id)
          .sort(),
      ).toEqual(ids)
  })

  it('enrolls nobody who adds himself to the database', async () => {
    const { address, one, gates } = await shared()
    const mallory = someone('mallory')
    const list = { ...gates.list(), version: 2, approvers: [mallory], before: 'a'.repeat(64) }
    const forged = JSON.stringify({ list, signature: 'AAAA' })
    await one.store.gates.addList({ version: 2, text: forged }, draftEntry({ kind: 'notice', call: null }, 1))
    await expect(gates.sync()).rejects.toThrow(refused)
    await expect(openApprovers(one.home, gates.sync).find(mallory.id) as Promise<unknown>).rejects.toThrow(refused)
    expect(readApprovers(one.home)).toEqual([])
    await expect(followGates(await connected(one.home, address))).rejects.toThrow(refused)
  })

  it('refuse a store whose list is older than the one they know', async () => {
    const { address, one, gates } = await shared()
    const copy = join(temporaryFolder(), 'gates.json')
    copyFileSync(one.home.gates, copy)
    enrol(one.home, someone('ada'))
    await gates.sync()
    const kept = readFileSync(one.home.gates, 'utf8')
    const other = server.freshAddress()
    await migrateSchema(parseStoreAddress(other))
    await expect(followGates(await connected(one.home, other))).rejects.toThrow(
      'has version 0; connect to the right server',
    )
    writeFileSync(one.home.gates, readFileSync(copy))
    expect((await followGates(await connected(one.home, address))).list().version).toBe(2)
    expect(readFileSync(one.home.gates, 'utf8')).toBe(kept)
  })

  it('stop when they are removed, and do not come back with the same key', async () => {
    const { address, one, gates } = await shared()
    const two = await joined(address, gates)
    const follows = await followGates(two)
    expect(await gates.remove(two.signer.keyId)).toBe(true)
    expect(await gates.remove(two.signer.keyId)).toBe(false)
    await two.store.steadyVersion()
    await expect(follows.sync()).rejects.toThrow('was removed')
    const code = newJoinCode()
    await two.board.ask(joinIdOf(code), makeJoinRequest(code, 'two', two.signer).text, 60_000)
    await expect(gates.admit(code)).rejects.toThrow('was removed before')
    expect(gates.keys.active()).toEqual([one.signer.publicKey])
  })

  it('need the keys that they share: none is made anew', async () => {
    const { one } = await shared()
    rmSync(join(one.home.keys, 'shared-seal.key'))
    expect(() => openCrypto(one.home)).toThrow(expect.objectContaining({ code: 'CS_KEY' }))
    expect(existsSync(join(one.home.keys, 'shared-seal.key'))).toBe(false)
  })

  it.each(['', '{', '{}', 'null', '{"version":1,"list":"x","approvers":[]}'])(
    'refuse a damaged list: %j',
    async (text) => {
      const { address, one } = await shared()
      writeFileSync(one.home.gates, text)
      await expect(connected(one.home, address).then(followGates)).rejects.toThrow(refused)
    },
  )
})
