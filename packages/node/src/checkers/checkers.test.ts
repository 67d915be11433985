import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILTIN_CHECKS, type Checker, type Ports, type RiskReport } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { circumstancesAt, someCall, someRisk } from '../../../../test/model/case.ts'
import { builtinCheckers } from './builtin-checkers.ts'
import { diskChecker } from './disk.ts'
import { permissionsChecker } from './permissions.ts'
import { sizeChecker } from './size.ts'

type PathUse = RiskReport['paths'][number]
const { places } = circumstancesAt()
const path = (real: string | null, use: PathUse['use']): PathUse => ({ given: real ?? '$X', real, use })

async function ask(checker: Checker, paths: readonly PathUse[], args: object = {}, settings = {}) {
  const input = { call: someCall({ args }), risk: someRisk({ paths }), places, settings }
  return checker.check(input, new AbortController().signal)
}

it('every check in the table has a checker, and there are no others', () => {
  const names = builtinCheckers({} as Ports).map(({ name }) => name)
  expect([...names].sort()).toEqual([...BUILTIN_CHECKS].sort())
})

describe('the check `disk`', () => {
  it('checks the file system of the target, by its deepest existing folder', async () => {
    const root = temporaryFolder()
    const asked: string[] = []
    const checker = diskChecker((folder) => {
      asked.push(folder)
      return { folder, free: 10 ** 12, hasNames: true }
    })
    expect(await ask(checker, [path(join(root, 'a/b/c'), 'write')])).toMatchObject({ status: 'pass' })
    expect(asked).toEqual([root])
  })

  it.each([
    [{ free: 50 * 1024 ** 2, hasNames: true }, {}, 'fail'],
    [{ free: 150 * 1024 ** 2, hasNames: true }, {}, 'pass'],
    [{ free: 150 * 1024 ** 2, hasNames: true }, { disk: { free: 1024 ** 3 } }, 'fail'],
    [{ free: 10 ** 12, hasNames: false }, {}, 'fail'],
  ])('with %o left and options %o returns %s', async (room, settings, status) => {
    const checker = diskChecker((folder) => ({ folder, ...room }))
    expect(await ask(checker, [path('/srv/app/a', 'write')], { content: 'x' }, settings)).toMatchObject({ status })
  })

  it('skips calls that write nothing, and reads the real disk', async () => {
    expect(await ask(diskChecker(), [path('/a', 'read'), path('/b', 'delete')])).toMatchObject({ status: 'skip' })
    expect(await ask(diskChecker(), [path(temporaryFolder(), 'write')], {}, { disk: { free: 1 } })).toMatchObject({
      status: 'pass',
    })
  })
})

describe('the check `permissions`', () => {
  /** The answers that an account other than root would get. */
  function access(denied: readonly string[]) {
    return (asked: string) => {
      if (denied.includes(asked)) throw Object.assign(new Error('no'), { code: 'EACCES' })
    }
  }
  const root = () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'lib'))
    writeFileSync(join(folder, 'lib/a'), 'x')
    return folder
  }

  it.each<[PathUse['use'], string, string]>([
    ['read', 'lib/a', 'lib/a'],
    ['read', 'lib', 'lib'],
    ['write', 'lib/a', 'lib/a'],
    ['write', 'lib', 'lib'],
    ['write', 'lib/new', 'lib'],
    ['write', 'lib/deep/new', 'lib'],
    ['delete', 'lib/a', 'lib'],
    ['delete', 'lib', 'lib'],
    ['execute', 'lib/a', 'lib/a'],
  ])('to %s %s requires access to %s', async (use, name, needs) => {
    const folder = root()
    const uses = [path(join(folder, name), use)]
    expect(await ask(permissionsChecker(access([join(folder, needs)])), uses)).toMatchObject({
      status: 'fail',
      overridable: true,
    })
    expect(await ask(permissionsChecker(access([])), uses)).toMatchObject({ status: 'pass' })
  })

  it('reports a file where a folder is needed, and skips calls without a path', async () => {
    const folder = root()
    expect(await ask(permissionsChecker(), [path(join(folder, 'lib/a/b'), 'write')])).toMatchObject({ status: 'fail' })
    expect(await ask(permissionsChecker(), [])).toMatchObject({ status: 'skip' })
  })

  it.skipIf(process.getuid?.() === 0)('checks the real system', async () => {
    const folder = root()
    chmodSync(join(folder, 'lib'), 0o500)
    expect(await ask(permissionsChecker(), [path(join(folder, 'lib/new'), 'write')])).toMatchObject({ status: 'fail' })
  })
})

describe('the check `size`', () => {
  it('limits writes by the text in the call', async () => {
    const settings = { size: { most: 10, deleted: 10, files: 3 } }
    const write = [path('/srv/app/a', 'write')]
    expect(await ask(sizeChecker(), write, { content: 'short' }, settings)).toMatchObject({ status: 'pass' })
    expect(await ask(sizeChecker(), write, { edits: [{ new: 'é'.repeat(6) }] }, settings)).toMatchObject({
      status: 'fail',
      overridable: true,
    })
  })

  it('limits deletions by the tree on disk', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'lib'))
    writeFileSync(join(folder, 'lib/a'), '12345')
    const gone = [path(join(folder, 'lib'), 'delete')]
    const call = (settings: object) => ask(sizeChecker(), gone, {}, { size: settings })
    expect(await call({ most: 1, deleted: 5, files: 2 })).toMatchObject({ status: 'pass' })
    expect(await call({ most: 1, deleted: 4, files: 2 })).toMatchObject({ status: 'fail' })
    expect(await call({ most: 1, deleted: 5, files: 1 })).toMatchObject({ status: 'fail' })
    expect(await ask(sizeChecker(), [path(null, 'delete')])).toMatchObject({ status: 'warn' })
  })
})
