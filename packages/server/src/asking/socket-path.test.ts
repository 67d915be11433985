import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { startService } from '../serve.ts'
import { socketPlace } from './socket-path.ts'

function folderOf(mode: number): string {
  const folder = join(temporaryFolder(), 'run')
  mkdirSync(folder)
  chmodSync(folder, mode)
  return folder
}

describe('the folder of a socket', () => {
  it.each(['755', '700', '1777', '2750'])('is accepted if nobody else can replace the socket: %s', (mode) => {
    const folder = folderOf(Number.parseInt(mode, 8))
    expect(socketPlace(join(folder, 's'))).toBe(join(folder, 's'))
  })

  it.each(['777', '775', '757'])('is refused if somebody else can replace it: %s (A3)', async (mode) => {
    const folder = folderOf(Number.parseInt(mode, 8))
    const refused = { code: 'CS_USAGE', message: expect.stringContaining('chmod go-w') }
    expect(() => socketPlace(join(folder, 's'))).toThrow(expect.objectContaining(refused))
    const below = join(folder, 'below')
    mkdirSync(below)
    expect(() => socketPlace(join(below, 's'))).toThrow(expect.objectContaining(refused))
    const home = openHome(join(temporaryFolder(), 'home'))
    const socket = { path: join(folder, 's') }
    await expect(startService({ home, version: '0.1.0', port: 0, socket })).rejects.toMatchObject(refused)
  })

  it('is checked behind links, and must exist', () => {
    const open = folderOf(0o777)
    const link = join(temporaryFolder(), 'link')
    symlinkSync(open, link)
    for (const path of [join(link, 's'), join(open, 'none', 's')])
      expect(() => socketPlace(path)).toThrow(expect.objectContaining({ code: 'CS_USAGE' }))
  })

  it.skipIf(process.getuid?.() !== 0)('must not belong to another user (needs root to test)', () => {
    const folder = folderOf(0o755)
    chownSync(folder, 54_321, 0)
    expect(() => socketPlace(join(folder, 's'))).toThrow(
      expect.objectContaining({ message: expect.stringContaining('belongs to another user') }),
    )
  })
})
