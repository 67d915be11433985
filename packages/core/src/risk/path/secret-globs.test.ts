import { describe, expect, it } from 'vitest'
import { PLACES } from '../fixture.mts'
import { secretNamedBy } from './secret-globs.ts'

describe('a glob', () => {
  it.each([
    ['~/.ss?/id_*', '/home/you/.ssh/id_rsa'],
    ['~/.a*/cred*', '/home/you/.aws/credentials'],
    ['/home/*/.ssh/id_rsa', '/home/you/.ssh/id_rsa'],
    ['/etc/shad?w', '/etc/shadow'],
    ['/proc/*/environ', '/proc/1/environ'],
    ['.en[v]', '/home/you/app/.env'],
  ])('%s may match %s', (pattern, secret) => {
    expect(secretNamedBy(pattern, PLACES)).toBe(secret)
  })

  it.each(['*', '*.md', 'src/*', '~/*', '~/*/id_rsa', '/etc/*', '/etc/*release', '~/.config/*', '.*rc'])(
    '%s matches no secret',
    (pattern) => {
      expect(secretNamedBy(pattern, PLACES)).toBeNull()
    },
  )

  it('is matched quickly, however long it is', () => {
    expect(secretNamedBy(`~/${'*a'.repeat(50_000)}`, PLACES)).toBeNull()
    expect(secretNamedBy('/*'.repeat(5_000), PLACES)).toBeNull()
  })
})
