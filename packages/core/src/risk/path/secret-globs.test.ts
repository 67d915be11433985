import { describe, expect, it } from 'vitest'
import { PLACES } from '../fixture.mts'
import { secretNamedBy } from './secret-globs.ts'
import { wordPattern } from './word-pattern.ts'

/** The secret that a pattern may name, below a folder. */
function named(text: string, folder: { cwd: string | null; cwdLike?: string } = { cwd: '' }, dots = false) {
  const pattern = wordPattern({ text, value: text, glob: true }, folder, PLACES.workspace, PLACES)
  return pattern === null ? null : secretNamedBy(pattern, PLACES, dots)
}

describe('a glob', () => {
  it.each([
    ['~/.ss?/id_*', '/home/you/.ssh/id_rsa'],
    ['../.ss?/id_*', '/home/you/.ssh/id_rsa'],
    ['../../*/.ssh/*', '/home/you/.ssh/id_rsa'],
    ['/h*/*/.ssh/id*', '/home/you/.ssh/id_rsa'],
    ['~/.@(ssh|aws)/*', '/home/you/.ssh/id_rsa'],
    ['~/.a*/cred*', '/home/you/.aws/credentials'],
    ['/home/*/.ssh/id_rsa', '/home/you/.ssh/id_rsa'],
    ['/etc/shad?w', '/etc/shadow'],
    ['/proc/*/environ', '/proc/1/environ'],
    ['.en[v]', '/home/you/app/.env'],
  ])('%s may match %s', (pattern, secret) => {
    expect(named(pattern)).toBe(secret)
  })

  it.each([
    '*',
    '*.md',
    'src/*',
    '~/*',
    '~/*/id_rsa',
    '/etc/*',
    '/etc/*release',
    '~/.config/*',
    '.*rc',
    '../*/*',
    '~/**/x',
  ])('%s matches no secret', (pattern) => {
    expect(named(pattern)).toBeNull()
  })

  it.each(['~/*/id_rsa', '../**/id_rsa', '~/**/id_*'])('%s may match a secret with dotglob', (pattern) => {
    expect(named(pattern, { cwd: '' }, true)).toBe('/home/you/.ssh/id_rsa')
  })

  it.each([
    ['id_rsa', { cwd: null }, '/home/you/.ssh/id_rsa'],
    ['id_*', { cwd: null }, '/home/you/.ssh/id_rsa'],
    ['id_rsa', { cwd: null, cwdLike: '../.s*h' }, '/home/you/.ssh/id_rsa'],
    ['*', { cwd: null, cwdLike: '~/.a*' }, '/home/you/.aws/credentials'],
    ['config', { cwd: null }, null],
    ['*', { cwd: null }, null],
    ['README.md', { cwd: null, cwdLike: '../s*' }, null],
  ])('%s in the folder %j may match %s', (pattern, folder, secret) => {
    expect(named(pattern, folder)).toBe(secret)
  })

  it('is matched quickly, however long it is', () => {
    expect(named(`~/${'*a'.repeat(50_000)}`)).toBeNull()
    expect(named('/*'.repeat(5_000))).toBeNull()
  })
})
