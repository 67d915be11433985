import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from '@countersign/testing/command/run-node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openHome } from '../home/home.ts'
import { newSeed, signerOf } from '../keys/ed25519.ts'
import { enrol, openApprovers } from './approver-registry.ts'

const newHome = () => openHome(join(temporaryFolder(), 'home'))
const someone = (name = 'ada') => {
  const { keyId, publicKey } = signerOf(newSeed())
  return { id: keyId, name, publicKey }
}
const refused = expect.objectContaining({ code: 'CS_APPROVERS' })

describe('the enrolled approvers', () => {
  it('are empty before the first enrolment', async () => {
    const approvers = openApprovers(newHome())
    expect(await approvers.list()).toEqual([])
    expect(await approvers.find('0123456789abcdef')).toBeUndefined()
  })

  it('are found by id as soon as they are enrolled, also by a reader opened earlier', async () => {
    const home = newHome()
    const approvers = openApprovers(home)
    const [ada, bob] = [someone(), someone('bob')]
    expect(await approvers.list()).toEqual([])
    enrol(home, ada)
    expect(await approvers.find(ada.id)).toEqual(ada)
    enrol(home, bob)
    expect(await approvers.list()).toEqual([ada, bob])
    expect(statSync(home.approvers).mode & 0o777).toBe(0o600)
  })

  it('cannot be changed through a reader’s result', async () => {
    const home = newHome()
    enrol(home, someone())
    const list = await openApprovers(home).list()
    expect(Object.isFrozen(list) && list.every(Object.isFrozen)).toBe(true)
  })

  it('keep their entry if they enrol again', () => {
    const home = newHome()
    const ada = someone()
    enrol(home, ada)
    expect(enrol(home, { ...ada, name: 'mallory' })).toEqual([ada])
  })

  it('lose no entry if many processes enrol at once (scenario 53)', { timeout: 60_000 }, async () => {
    const home = newHome()
    const source = `
      import { openHome } from './packages/node/src/home/home.ts'
      import { enrol } from './packages/node/src/approvers/approver-registry.ts'
      import { newSeed, signerOf } from './packages/node/src/keys/ed25519.ts'
      const home = openHome(process.argv[1])
      for (let n = 0; n < 5; n += 1) {
        const { keyId, publicKey } = signerOf(newSeed())
        enrol(home, { id: keyId, name: 'p', publicKey })
        console.log(keyId)
      }`
    const printed = await Promise.all(Array.from({ length: 4 }, () => runNode(source, [home.dir])))
    const ids = printed.flatMap((text) => text.trim().split('\n'))
    expect(ids).toHaveLength(20)
    expect((await openApprovers(home).list()).map((one) => one.id).sort()).toEqual(ids.sort())
  })

  it('can be enrolled after a process died holding the lock', { timeout: 60_000 }, async () => {
    const home = newHome()
    const source = `
      import { openHome } from './packages/node/src/home/home.ts'
      import { withHomeLock } from './packages/node/src/home/lock.ts'
      withHomeLock(openHome(process.argv[1]), () => process.kill(process.pid, 'SIGKILL'))`
    await expect(runNode(source, [home.dir])).rejects.toThrow(expect.objectContaining({ signal: 'SIGKILL' }))
    const ada = someone()
    expect(enrol(home, ada)).toEqual([ada])
  })

  const ada = someone()
  it.each([
    ['is not JSON', '{'],
    ['is empty', ''],
    ['has another version', JSON.stringify({ version: 2, approvers: [] })],
    ['has an unknown key', JSON.stringify({ version: 1, approvers: [], admin: true })],
    ['has an approver with an unknown key', JSON.stringify({ version: 1, approvers: [{ ...ada, role: 'dba' }] })],
    ['has an approver without a name', JSON.stringify({ version: 1, approvers: [{ ...ada, name: '' }] })],
    [
      'has an id that does not match its key',
      JSON.stringify({ version: 1, approvers: [{ ...someone(), id: ada.id }] }),
    ],
    ['has a duplicate key', JSON.stringify({ version: 1, approvers: [ada, ada] })],
    ['has a key of the wrong length', JSON.stringify({ version: 1, approvers: [{ ...ada, publicKey: 'AAAA' }] })],
    ['sets `__proto__`', `{"version":1,"approvers":[{"__proto__":${JSON.stringify(ada)}}]}`],
  ])('are refused as a whole if the file %s', async (_, text) => {
    const home = newHome()
    enrol(home, ada)
    writeFileSync(home.approvers, text)
    expect(() => openApprovers(home).find(ada.id)).toThrow(refused)
    expect(() => enrol(home, someone())).toThrow(refused)
    expect(readFileSync(home.approvers, 'utf8')).toBe(text)
  })

  it('are refused if others can read or write the file', async () => {
    const home = newHome()
    enrol(home, ada)
    chmodSync(home.approvers, 0o622)
    await expect(openApprovers(home).list()).rejects.toThrow(
      expect.objectContaining({ message: expect.stringMatching(/chmod 600/) }),
    )
  })
})
