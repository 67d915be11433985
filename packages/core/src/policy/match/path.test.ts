import { describe, expect, it } from 'vitest'
import { circumstancesAt, someCase, somePolicy, someRule, someUnit } from '../../../../../test/model/case.ts'
import type { PathTest } from '../model/rule.ts'
import { policyFolders, resolveFolder } from './folder.ts'
import { compilePath } from './path.ts'
import { NO, UNKNOWN, YES } from './three-valued-logic.ts'

const WIDE = { tightens: true, negated: false }
const NARROW = { tightens: false, negated: false }

function answer(test: PathTest, real: string | null, fields = {}) {
  const unit = someUnit({ path: { given: 'x', real, use: 'read' } })
  return compilePath(test, WIDE)(unit, someCase({ circumstances: circumstancesAt(fields) }))
}

// A27 and scenario 11: by the real path, component by component.
describe('a path condition', () => {
  it.each<[PathTest, string, number]>([
    [{ inside: ['/srv/app'] }, '/srv/app', YES],
    [{ inside: ['/srv/app/'] }, '/srv/app/a', YES],
    [{ inside: ['/srv/x/../app'] }, '/srv/app/a', YES],
    [{ inside: ['/srv/app'] }, '/srv/app-secrets/a', NO],
    [{ inside: ['${workspace}'] }, '/srv/app/a', YES],
    [{ inside: ['~'] }, '/home/ann/x', YES],
    [{ inside: ['~/.ssh'] }, '/home/ann/x', NO],
    [{ inside: ['src'] }, '/srv/app/src/a', YES],
    [{ outside: ['${workspace}', '${temp}'] }, '/etc/passwd', YES],
    [{ outside: ['${workspace}', '${temp}'] }, '/tmp/a', NO],
    [{ inside: ['${workspace}'], except: ['**/.env*', '.git/**'] }, '/srv/app/.env.local', NO],
    [{ inside: ['${workspace}'], except: ['**/.env*', '.git/**'] }, '/srv/app/.git', NO],
    [{ inside: ['${workspace}'], except: ['**/.env*', '.git/**'] }, '/srv/app/a', YES],
    [{ glob: ['/etc/*', '*.pem'] }, '/srv/app/k.pem', YES],
    [{ inside: ['/srv/caf\u00e9'] }, '/srv/cafe\u0301/a', YES],
  ])('%j on %s: %i', (test, real, expected) => {
    expect(answer(test, real)).toBe(expected)
  })

  it('is undecided for an unresolved path, and does not match a call without one', () => {
    expect(answer({ inside: ['/etc'] }, null)).toBe(UNKNOWN)
    expect(answer({ outside: ['/etc'] }, null)).toBe(UNKNOWN)
    expect(compilePath({ inside: ['/etc'] }, WIDE)(someUnit(), someCase())).toBe(NO)
    expect(compilePath({ inside: ['/etc'] }, WIDE)(someUnit({ opaque: true }), someCase())).toBe(UNKNOWN)
  })

  it.each<[PathTest, string, number, number]>([
    [{ inside: ['/etc'] }, '/srv/app', NO, NO],
    [{ inside: ['/srv/app/secret'] }, '/srv/app', UNKNOWN, UNKNOWN],
    [{ inside: ['/srv'] }, '/srv/app', YES, UNKNOWN],
    [{ outside: ['/etc'] }, '/srv/app', YES, UNKNOWN],
    [{ outside: ['/srv'] }, '/srv/app', NO, NO],
    [{ inside: ['/srv'], except: ['**/*.pem'] }, '/srv/app', UNKNOWN, UNKNOWN],
    [{ glob: ['**/*.pem'] }, '/srv/app', UNKNOWN, UNKNOWN],
  ])(
    'a wildcard below a folder is judged by the folder, and loosens nothing: %j below %s',
    (test, within, wide, narrow) => {
      const unit = someUnit({ path: { given: '*', real: null, within, use: 'delete' } })
      const about = someCase({ circumstances: circumstancesAt({}) })
      expect(compilePath(test, WIDE)(unit, about)).toBe(wide)
      expect(compilePath(test, NARROW)(unit, about)).toBe(narrow)
    },
  )

  it('is undecided for a broken glob', () => {
    expect(answer({ glob: ['a[b'] }, '/srv/app/a')).toBe(UNKNOWN)
  })

  it('follows a folder that is a link, if a port has resolved it', () => {
    expect(answer({ inside: ['/var/run'] }, '/run/x')).toBe(NO)
    expect(answer({ inside: ['/var/run'] }, '/run/x', { folders: new Map([['/var/run', '/run']]) })).toBe(YES)
  })

  it('uses the places of each call', () => {
    const test = compilePath({ inside: ['${workspace}'] }, WIDE)
    const unit = someUnit({ path: { given: 'x', real: '/other/a', use: 'read' } })
    const places = { ...circumstancesAt().places, workspace: '/other' }
    expect(test(unit, someCase())).toBe(NO)
    expect(test(unit, someCase({ circumstances: circumstancesAt({ places }) }))).toBe(YES)
  })
})

describe('the folders of a policy', () => {
  it('are listed as absolute paths, wherever they appear', () => {
    const rule = someRule(
      { any: [{ path: { inside: ['~/.ssh'] } }], not: { path: { outside: ['/var/run'] } } },
      { unless: { path: { inside: ['a/../b'] } } },
    )
    const { places } = circumstancesAt()
    expect(policyFolders(somePolicy([rule]), places)).toEqual(['/home/ann/.ssh', '/var/run', '/srv/app/b'])
    expect(resolveFolder('${temp}/..', places)).toBe('/')
  })
})
