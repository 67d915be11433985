import { chmodSync, existsSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  installedPostgres,
  linkLibraries,
  missingPostgres,
  packageFolder,
} from '@countersign/testing/postgres/programs'
import { reachablePrograms } from '@countersign/testing/postgres/reachable'
import { startPostgres } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, vi } from 'vitest'

/** A folder whose `postgres` only tells its version. */
function fakeServer(folder: string, version: string): string {
  mkdirSync(folder, { recursive: true })
  for (const name of ['initdb', 'postgres'])
    writeFileSync(join(folder, name), `#!/bin/sh\necho 'postgres (PostgreSQL) ${version}'\n`, { mode: 0o755 })
  return folder
}

describe('the server of the tests', () => {
  it('is the newest of Debian’s, then the PATH’s, then the one from npm', () => {
    const folder = temporaryFolder()
    const debian = join(folder, 'debian')
    fakeServer(join(debian, '9/bin'), '9.6.24')
    fakeServer(join(debian, '15/bin'), '15.18 (Debian 15.18-0+deb12u1)')
    const path = fakeServer(join(folder, 'path'), '15.2')
    const npm = join(folder, 'npm')
    fakeServer(join(npm, 'native/bin'), '18.4')
    expect(installedPostgres({ debian, path, npm })).toEqual([
      { version: 15, folder: join(debian, '15/bin') },
      { version: 9, folder: join(debian, '9/bin') },
      { version: 18, folder: join(npm, 'native/bin') },
    ])
    expect(installedPostgres({ debian: join(folder, 'none'), path: '', npm })).toEqual([
      { version: 18, folder: join(npm, 'native/bin') },
    ])
    expect(installedPostgres({ debian: join(folder, 'none'), path: '', npm: folder })).toEqual([])
  })

  it('gets the links that the package’s install script would make, once', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'native/lib'), { recursive: true })
    writeFileSync(join(folder, 'native/lib/libx.so.6.1'), '')
    const links = [{ source: 'native/lib/libx.so.6.1', target: 'native/lib/libx.so' }]
    writeFileSync(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links))
    linkLibraries(folder)
    linkLibraries(folder)
    expect(readlinkSync(join(folder, 'native/lib/libx.so'))).toBe('libx.so.6.1')
  })

  it('is copied out of a folder that only root may enter', () => {
    const closed = temporaryFolder()
    const bin = fakeServer(join(closed, 'native/bin'), '18.4')
    chmodSync(closed, 0o755)
    expect(reachablePrograms(bin, temporaryFolder())).toBe(bin)
    chmodSync(closed, 0o700)
    const copied = reachablePrograms(bin, temporaryFolder())
    expect(copied).not.toBe(bin)
    expect(existsSync(join(copied, 'postgres'))).toBe(true)
  })

  it('is required on CI, and its absence is a reason to skip elsewhere', () => {
    vi.stubEnv('COUNTERSIGN_POSTGRES', '1')
    try {
      vi.stubEnv('CI', 'true')
      expect(missingPostgres).toThrow('install the package `postgresql`')
      vi.stubEnv('CI', '')
      expect(missingPostgres()).toContain('tests with a server are skipped')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it.skipIf(!existsSync(packageFolder()))('starts from npm as well', async () => {
    const [programs] = installedPostgres({ debian: '', path: '' })
    expect(programs?.version).toBe(18)
    if (programs === undefined) return
    const server = await startPostgres({ programs })
    expect(server.pid()).toBeGreaterThan(1)
    await server.stop()
  })
})
