import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { restoreProtected, watchProtected } from './restore-protected.ts'
import { scanWorkspace } from './scan-workspace.ts'

describe('restoring protected names', () => {
  it('keeps what was created, for the last 50 runs', () => {
    const root = temporaryFolder()
    const workspace = join(root, 'workspace')
    const quarantine = join(root, 'quarantine')
    mkdirSync(workspace)
    for (let at = 0; at < 60; at += 1) {
      mkdirSync(join(quarantine, `${at}`), { recursive: true })
      utimesSync(join(quarantine, `${at}`), at, at)
    }
    const watched = watchProtected([scanWorkspace(workspace, true)])
    writeFileSync(join(workspace, '.envrc'), 'evil')
    const restored = restoreProtected(watched, join(quarantine, 'new'))
    expect(restored).toMatchObject([{ path: join(workspace, '.envrc'), remains: false }])
    expect(readFileSync(restored[0]?.kept ?? '', 'utf8')).toBe('evil')
    expect(existsSync(join(workspace, '.envrc'))).toBe(false)
    const kept = readdirSync(quarantine)
    expect(kept).toHaveLength(50)
    expect(kept).toContain('new')
    expect(kept).not.toContain('0')
  })

  it('leaves a folder where nothing protected was created alone', () => {
    const workspace = temporaryFolder()
    const watched = watchProtected([scanWorkspace(workspace, true)])
    writeFileSync(join(workspace, 'a'), 'x')
    expect(restoreProtected(watched, join(workspace, 'quarantine'))).toEqual([])
    expect(readdirSync(workspace)).toEqual(['a'])
  })
})
