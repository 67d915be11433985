import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bounds } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { beforeEach, describe, expect, it } from 'vitest'
import { planRun } from '../profile/plan-run.ts'
import { scanWorkspace } from './scan-workspace.ts'

let root: string
let workspace: string

function put(path: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true })
  writeFileSync(join(workspace, path), '')
}

beforeEach(() => {
  root = realpathSync(temporaryFolder())
  workspace = join(root, 'work')
  for (const path of ['src/.env', 'src/HEAD', 'src/a.ts', 'dist/a.js', '.git/config', '.git/hooks/pre-commit'])
    put(path)
  for (const path of ['HEAD', 'objects/x', 'refs/x', 'config']) put(`node_modules/bare/${path}`)
  for (const path of ['hEAD', 'Objects/x', 'REFS/x', 'config']) put(`node_modules/odd/${path}`)
  for (const path of ['node_modules/a/.GIT/config', 'node_modules/b/.git']) put(path)
})

const below = (paths: readonly string[]) => paths.map((path) => path.slice(workspace.length + 1)).sort()
const INSTALLED = ['node_modules/a/.GIT', 'node_modules/bare', 'node_modules/odd']

describe('the scan of a workspace', () => {
  it('finds repositories in installed code, in any case', () => {
    const scan = scanWorkspace(workspace, true)
    expect(below(scan.repositories)).toEqual(['.git', ...INSTALLED])
    expect(below(scan.guarded)).toEqual(expect.arrayContaining(['node_modules/b/.git', 'node_modules/bare/config']))
  })

  it('leaves installed code out if nothing is written, and still finds secrets and the workspace’s own repository', () => {
    const scan = scanWorkspace(workspace, false, false)
    expect(below(scan.repositories)).toEqual(['.git'])
    expect(below(scan.secrets)).toEqual(['src/.env'])
    expect(below(scan.generated)).toContain('node_modules')
  })

  it.each<[Bounds['workspace'], readonly string[], boolean]>([
    ['read', [], false],
    ['write', [], true],
    ['read', ['dist'], true],
    ['read', ['elsewhere'], true],
  ])('of a run that may %s the workspace, and write %j: installed code is searched: %s', (mode, write, isSearched) => {
    mkdirSync(join(root, 'elsewhere'))
    mkdirSync(join(root, 'gate'), { mode: 0o700 })
    mkdirSync(join(root, 'home'))
    const bounds: Bounds = {
      workspace: mode,
      write: write.map((name) => join(name === 'dist' ? workspace : root, name)),
      read: [],
      network: [],
      credentials: [],
    }
    const places = { workspace, home: join(root, 'home'), gate: join(root, 'gate'), temp: '/tmp' }
    const [scan] = planRun(bounds, places, workspace, process.env['PATH']).plan.scans
    expect(below(scan?.repositories ?? [])).toEqual(['.git', ...(isSearched ? INSTALLED : [])])
  })
})
