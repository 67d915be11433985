import { chmodSync, chownSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { runNode } from '@countersign/testing/command/run-node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openHome } from './home.ts'

/** A folder of another user: created by root, or else one of the system's. */
function foreignFolder(): string {
  if (process.getuid?.() !== 0) return '/usr'
  const folder = temporaryFolder()
  chownSync(folder, 65_534, 65_534)
  return folder
}

const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'CS_HOME', message: expect.stringMatching(message) })

describe('the home folder', () => {
  it('is created for this account only, whatever the umask', () => {
    const before = process.umask(0)
    try {
      const home = openHome(join(temporaryFolder(), 'a', 'home'))
      expect(statSync(home.dir).mode & 0o777).toBe(0o700)
    } finally {
      process.umask(before)
    }
  })

  it('has its real path, and records that a person named it', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'real'), 0o700)
    symlinkSync('real', join(folder, 'link'))
    expect(openHome(join(folder, 'link'))).toMatchObject({
      dir: join(folder, 'real'),
      chosen: 'given',
      store: join(folder, 'real', 'store.db'),
    })
  })

  it('is found in the account table, not in HOME or XDG_*', async () => {
    const lie = temporaryFolder()
    const printed = await runNode(
      "import { accountHome } from './packages/node/src/system/os-account.ts'; console.log(accountHome())",
      [],
      { HOME: lie, XDG_CONFIG_HOME: lie, XDG_DATA_HOME: lie },
    )
    expect(printed.trim()).toBe(userInfo().homedir)
  })

  it.each([
    ['writable by the group', 0o770],
    ['writable by everyone', 0o707],
  ])('is refused if it is %s', (_, mode) => {
    const folder = temporaryFolder()
    chmodSync(folder, mode)
    expect(() => openHome(folder)).toThrow(refusal(/chmod 700/))
  })

  it('is refused if it belongs to another user', () => {
    const folder = foreignFolder()
    expect(() => openHome(folder)).toThrow(refusal(/belongs to another user/))
  })

  it('is refused if it is a link to another user’s folder', () => {
    const link = join(temporaryFolder(), 'link')
    symlinkSync(foreignFolder(), link)
    expect(() => openHome(link)).toThrow(refusal(/belongs to another user/))
  })

  it('is refused if it is a file', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(() => openHome(file)).toThrow(refusal(/not a folder/))
  })

  it('is refused if it is a dangling link', () => {
    const link = join(temporaryFolder(), 'link')
    symlinkSync('nowhere', link)
    expect(() => openHome(link)).toThrow(expect.objectContaining({ code: 'CS_HOME' }))
  })

  it('is refused below a folder in which anyone can rename it', () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o777)
    expect(() => openHome(join(folder, 'home'))).toThrow(refusal(/chmod o-w/))
    chmodSync(folder, 0o1777)
    expect(openHome(join(folder, 'home')).dir).toBe(realpathSync(join(folder, 'home')))
  })
})
