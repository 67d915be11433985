import { existsSync, lstatSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startService } from '../serve.ts'
import { listenSocket } from './socket-listener.ts'

const NO_GROUP = 2 ** 33

describe('a socket for a group', () => {
  it('that cannot be given to the group leaves nothing running', async () => {
    const folder = temporaryFolder()
    const home = openHome(join(folder, 'home'))
    const path = join(folder, 'asking.sock')
    const start = (group?: number) =>
      startService({ home, version: '0.1.0', port: 0, socket: { path, ...(group === undefined ? {} : { group }) } })
    await expect(start(NO_GROUP)).rejects.toMatchObject({
      code: 'CS_USAGE',
      message: expect.stringContaining(`cannot be given to group ${NO_GROUP}`),
    })
    expect(existsSync(path)).toBe(false)
    const again = await start()
    await again.stop()
  })

  it('is private until it belongs to the group', async () => {
    const path = join(temporaryFolder(), 's')
    const listening = listenSocket(path, async () => {}, { group: process.getgid?.() ?? 0 })
    await madeAt(path)
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
    const listener = await listening
    onTestFinished(() => listener.close())
    expect(lstatSync(path).mode & 0o777).toBe(0o660)
  })

  it('opens nothing else through a link in its place (A3)', async () => {
    const folder = temporaryFolder()
    const [path, victim] = [join(folder, 's'), join(folder, 'victim')]
    writeFileSync(victim, '', { mode: 0o600 })
    const listening = listenSocket(path, async () => {}, { group: process.getgid?.() ?? 0 })
    await madeAt(path)
    unlinkSync(path)
    symlinkSync(victim, path)
    await expect(listening).rejects.toMatchObject({ code: 'CS_USAGE' })
    expect(statSync(victim).mode & 0o777).toBe(0o600)
  })
})

/** Right after the file is created, before anything else. */
async function madeAt(path: string): Promise<void> {
  for (let turn = 0; turn < 1_000 && !existsSync(path); turn += 1) await Promise.resolve()
}
